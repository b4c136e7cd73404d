"""The cost of an inquiry in PCF, compared with DISPLAY."""

from __future__ import annotations

import time

import pytest

import mqsc
from store.headers.pcf import Parameter
from tests.mqsc.pcf.conftest import Administrator, request
from tests.mqsc.test_speed import run_through

QUEUES = 1000
INQUIRE_Q = request(13, Parameter(2016, "Q*"), Parameter(20, 1), Parameter(1002, [1009]))


@pytest.mark.benchmark
def test_an_inquiry_takes_at_most_twice_what_display_takes(admin: Administrator) -> None:
    with admin.qmgr.store.database.one_transaction():
        mqsc.run(admin.qmgr, [f"DEFINE QLOCAL(Q{number:05})" for number in range(QUEUES)])
    displays, inquiries = [], []
    for _ in range(3):
        began = time.process_time()
        run_through(admin.qmgr, ["DISPLAY QLOCAL(Q*) ALL"])
        displayed = time.process_time()
        admin.put(INQUIRE_Q)
        inquiries.append(time.process_time() - displayed)
        displays.append(displayed - began)
        assert len(admin.responses()) == QUEUES
    assert min(inquiries) < 2 * min(displays)

"""The explanation of a shared queue as text, at several widths."""

from __future__ import annotations

import json
import os

import pytest

from mqsc.console.text.triggering import explanation_lines, explanation_row
from store.admin.trigger_explanation import Hypothetical, explain
from store.client.api import Store
from store.constants import MQOO
from tests.scenarios.group_triggers import GroupTriggers, run

HOLDER = f"user {{}}, process {os.getpid()}, connection"


@pytest.fixture
def group(store: Store) -> GroupTriggers:
    found = GroupTriggers(store, monitors=(1, 2))
    found.open(1)
    return found


def test_a_table_of_the_members(group: GroupTriggers) -> None:
    lines = list(explanation_lines(explain(group.members[2], "SQ", Hypothetical(0)), 100))
    table = lines[2:6]
    assert table == [
        "MEMBER  INPUT  ELSEWHERE  DECIDES BY                  C4     INITQ            PUT TRIGGERS",
        "QM1     1      no         FIRST, TRIGMPRI(5)          unmet  own, IPPROCS(1)  no: C2, C4",
        "QM2     0      yes        FIRST, TRIGMPRI(0) relaxed  met    own, IPPROCS(1)  yes",
        "QM3     0      yes        FIRST, TRIGMPRI(0) relaxed  met    own, IPPROCS(0)  no: C8",
    ]
    assert lines[6].startswith("Open for shared input on QM1: application server, user ")
    assert "A put priority 0 now would trigger on QM2 (cause put):" in lines
    assert " ".join(lines[6:8]).endswith("; relaxes QM2 and QM3") or "relaxes QM2 and QM3" in " ".join(lines[6:9])


@pytest.mark.parametrize("width", [40, 80])
def test_a_paragraph_for_each_member_when_the_table_is_too_wide(group: GroupTriggers, width: int) -> None:
    lines = list(explanation_lines(explain(group.members[1], "SQ"), width))
    assert max(map(len, lines)) <= width
    text = " ".join(" ".join(lines).split())
    said = "QM2: input here 0, elsewhere yes; decides by FIRST, TRIGMPRI(0) relaxed; C4 met; INITQ own, IPPROCS(1);"
    assert f"{said} a put now triggers: yes" in text
    assert "A put now would not trigger on QM1: C2, C4" in text


def test_exclusive_input(store: Store) -> None:
    group = GroupTriggers(store)
    group.open(1, MQOO.INPUT_EXCLUSIVE)
    lines = list(explanation_lines(explain(group.members[2], "SQ", Hypothetical(5))))
    assert lines[3].split()[:4] == ["QM1", "1", "exclusive", "no"]
    assert lines[4].split()[:3] == ["QM2", "0", "exclusive"]
    assert lines[6].endswith("; no member triggers")


def test_no_initiation_queue(store: Store) -> None:
    group = GroupTriggers(store, monitors=())
    run(group.members[3], "DELETE QLOCAL(INIT)")
    lines = list(explanation_lines(explain(group.members[3], "SQ", Hypothetical(5))))
    assert lines[5] == "QM3     0      no         FIRST, TRIGMPRI(5)  met  none             no: C7, C8"


def test_one_for_all(store: Store) -> None:
    group = GroupTriggers(store, shared_initq=True)
    group.alter(1, "TRIGTYPE(EVERY)")
    lines = list(explanation_lines(explain(group.members[2], "SQ", Hypothetical(5))))
    assert [line.rsplit("  ", 1)[1] for line in lines[3:6]] == ["no: another does", "yes", "no: another does"]


def test_as_data(group: GroupTriggers) -> None:
    row = json.loads(json.dumps(explanation_row(explain(group.members[1], "SQ"))))
    assert [each["member"] for each in row["members"]] == ["QM1", "QM2", "QM3"]
    assert row["input_handles"][0]["relaxes"] == ["QM2", "QM3"]


def test_uncommitted_messages(group: GroupTriggers) -> None:
    group.put(1, 5, 5, unit=True)
    text = " ".join(explanation_lines(explain(group.members[1], "SQ")))
    assert "2 suitable messages are uncommitted; they do not count before the commit" in text

"""assert_may and assert_refused."""

from __future__ import annotations

import pytest

import mqsc
from mqsc import Message
from mqsc.store.admin.user_accounts import set_mode
from mqsc.store.client.queue_manager import QueueManager
from mqsc.testing import assert_may, assert_refused


def test_what_a_user_may_do(qmgr: QueueManager) -> None:
    mqsc.run(
        qmgr,
        "DEFINE QLOCAL(Q)\nSET AUTHREC OBJTYPE(QMGR) PRINCIPAL('app') AUTHADD(CONNECT)",
        check=True,
    )
    set_mode(qmgr, "enforce")
    with pytest.raises(AssertionError, match=r"cure   SET AUTHREC PROFILE\(Q\) .* AUTHADD\(PUT\)"):
        assert_may(qmgr, "app", "Q", "put")
    with pytest.raises(AssertionError, match="2085"):
        assert_may(qmgr, "app", "NOSUCH", "put")
    with qmgr.connect("shop", "app") as connection:
        error = assert_refused(lambda: connection.put1("Q", Message(b"x")), missing="put", on="Q")
        assert error.explanation == "app lacks +put on queue Q"
        for missing, on in (("get", "Q"), ("put", "B")):
            with pytest.raises(AssertionError, match="another reason: app lacks"):
                assert_refused(lambda: connection.put1("Q", Message(b"x")), missing=missing, on=on)
        with pytest.raises(AssertionError, match="2085"):
            assert_refused(lambda: connection.put1("NOSUCH", Message(b"x")))
        mqsc.run(
            qmgr,
            "SET AUTHREC PROFILE(Q) OBJTYPE(QUEUE) PRINCIPAL('app') AUTHADD(PUT)",
            check=True,
        )
        assert_may(qmgr, "app", "Q", "put")
        with pytest.raises(AssertionError, match="not refused"):
            assert_refused(lambda: connection.put1("Q", Message(b"x")))

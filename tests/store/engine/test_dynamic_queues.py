"""Dynamic queues come and go."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest

from mqsc.store.admin.altering import change
from mqsc.store.admin.defining import create
from mqsc.store.catalog import KINDS
from mqsc.store.catalog.types import Stored
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQCA, MQGMO, MQIA, MQOO
from mqsc.store.message import GetMessageOptions, Message
from tests.rows import rows
from tests.store.admin.looking import history, shown
from tests.store.mqi.calls import reason_of


@pytest.fixture
def qmgr(qmgr: QueueManager) -> QueueManager:
    """A queue manager with the models MODEL and TEMP."""
    create(qmgr, KINDS["QMODEL"], "MODEL", {"DEFTYPE": "PERMDYN", "MAXDEPTH": 7, "DESCR": "made"})
    create(qmgr, KINDS["QMODEL"], "TEMP", {"DEFTYPE": "TEMPDYN"})
    return qmgr


def made(qmgr: QueueManager, wanted: str, model: str = "TEMP") -> str:
    """Create a queue from the model in a program that then ends; return its name."""
    with qmgr.connect() as connection:
        return connection.open(model, MQOO.OUTPUT, dynamic_name=wanted).name


@rows(
    ("REPLY", "REPLY"),
    ("AMQ.*", r"AMQ\.[0-9A-F]{16}"),
    ("*", "[0-9A-F]{16}"),
    ("A" * 32 + "*", "A{32}[0-9A-F]{16}"),
    ("a/b%c_1.", r"a/b%c_1\."),
)
def test_names(qmgr: QueueManager, wanted: str, pattern: str) -> None:
    assert re.fullmatch(pattern, made(qmgr, wanted))


def test_a_name_made_unique_is_never_made_again(qmgr: QueueManager) -> None:
    with qmgr.connect() as connection:
        together = {
            connection.open("TEMP", MQOO.OUTPUT, dynamic_name="D.*").name for _ in range(20)
        }
    one_by_one = {made(qmgr, "D.*") for _ in range(20)}
    assert len(together | one_by_one) == 40


# A prefix of more than 32 characters leaves no room for the 16 that make the name unique.
@rows(
    *((name, 2011) for name in ("", "A B", "Ä", "A*B", "A" * 49, "A" * 33 + "*", "A" * 47 + "*")),
    *((name, 2100) for name in ("TEMP", "MODEL")),
)
def test_names_that_are_refused(qmgr: QueueManager, wanted: str, reason: int) -> None:
    assert reason_of(lambda: made(qmgr, wanted)) == reason


BACKOUT: Mapping[str, Stored] = {"BOTHRESH": 3, "BOQNAME": "POISON"}


@pytest.mark.parametrize("hardened", ["HARDENBO", "NOHARDENBO"])
@pytest.mark.parametrize(
    "model",
    [
        "MODEL",
        "TEMP",
        "SYSTEM.JMS.MODEL.QUEUE",
        "SYSTEM.DURABLE.MODEL.QUEUE",
        "SYSTEM.NDURABLE.MODEL.QUEUE",
    ],
)
def test_it_has_the_backout_attributes_of_its_model(
    qmgr: QueueManager,
    model: str,
    hardened: str,
) -> None:
    """Including the models of subscriptions (B3). DISPLAY and MQINQ agree."""
    change(qmgr, KINDS["QMODEL"], model, {**BACKOUT, "HARDENBO": hardened})
    selectors: list[int] = [
        MQIA.BACKOUT_THRESHOLD,
        MQCA.BACKOUT_REQ_Q_NAME,
        MQIA.HARDEN_GET_BACKOUT,
    ]
    with qmgr.connect() as connection:
        handle = connection.open(model, MQOO.INQUIRE, dynamic_name="D")
        inquired = handle.inquire(*selectors)
        found = shown(qmgr, "QLOCAL", "D")
    assert [inquired[each] for each in selectors] == [3, "POISON", int(hardened == "HARDENBO")]
    assert {word: found[word] for word in (*BACKOUT, "HARDENBO")} == {
        **BACKOUT,
        "HARDENBO": hardened,
    }


def test_it_has_the_attributes_of_its_model_which_changes_too_late_for_it(
    qmgr: QueueManager,
) -> None:
    change(qmgr, KINDS["QMODEL"], "MODEL", BACKOUT)
    made(qmgr, "D", "MODEL")
    change(qmgr, KINDS["QMODEL"], "MODEL", {"BOTHRESH": 9})
    found = shown(qmgr, "QLOCAL", "D")
    assert [found[word] for word in ("DEFTYPE", "MAXDEPTH", "DESCR", "BOTHRESH")] == [
        "PERMDYN",
        7,
        "made",
        3,
    ]


def test_the_history_knows_its_model_and_its_end(qmgr: QueueManager) -> None:
    made(qmgr, "D")
    kinds = [(each.kind, each.cause) for each in history(qmgr.store, "D")]
    assert kinds == [("DEFINE", "dynamic"), ("OPEN", None), ("CLOSE", None), ("DELETE", "dynamic")]


def test_the_history_knows_the_messages_that_went_with_it(qmgr: QueueManager) -> None:
    with qmgr.connect() as connection:
        handle = connection.open("TEMP", MQOO.OUTPUT, dynamic_name="D")
        handle.put(Message(b"x"))
        handle.close()
    ended = [(each.kind, each.cause, each.detail) for each in history(qmgr.store, "D")][-2:]
    assert ended == [("CLEAR", "dynamic", {"messages": 1}), ("DELETE", "dynamic", {"messages": 1})]


def test_the_history_tells_the_messages_that_a_unit_of_work_had_got(qmgr: QueueManager) -> None:
    """Their gets are in the history too."""
    with qmgr.connect() as connection:
        handle = connection.open("TEMP", MQOO.OUTPUT | MQOO.INPUT_SHARED, dynamic_name="D")
        handle.put([Message(b"x"), Message(b"y")])
        handle.get(GetMessageOptions(MQGMO.SYNCPOINT))
        handle.close()
    (cleared,) = [each.detail for each in history(qmgr.store, "D") if each.kind == "CLEAR"]
    assert cleared == {"messages": 2, "got": 1}


def test_a_temporary_queue_goes_with_a_restart(qmgr: QueueManager) -> None:
    connection = qmgr.connect()
    connection.open("TEMP", MQOO.OUTPUT, dynamic_name="D")
    qmgr.end(immediate=True)
    qmgr.start()
    with qmgr.connect() as other:
        assert reason_of(lambda: other.open("D", MQOO.OUTPUT)) == 2085

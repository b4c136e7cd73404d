"""Dynamic queues: their names, and the attributes copied from their model."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest

from store.admin.altering import change
from store.admin.defining import create
from store.catalog import KINDS
from store.catalog.types import Stored
from store.client.api import QueueManager
from store.constants import MQCA, MQGMO, MQIA, MQOO
from store.error import MQError
from store.message import GetMessageOptions, Message
from tests.store.admin.looking import history, shown
from tests.store.tables import rows


@pytest.fixture
def qmgr(qmgr: QueueManager) -> QueueManager:
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
        together = {connection.open("TEMP", MQOO.OUTPUT, dynamic_name="D.*").name for _ in range(20)}
    one_by_one = {made(qmgr, "D.*") for _ in range(20)}

    assert len(together | one_by_one) == 40


# A prefix of more than 32 characters leaves no room for the 16 that make the name unique.
@rows(
    *((name, 2011) for name in ("", "A B", "Ä", "A*B", "A" * 49, "A" * 33 + "*", "A" * 47 + "*")),
    *((name, 2100) for name in ("TEMP", "MODEL")),
)
def test_names_that_are_refused(qmgr: QueueManager, wanted: str, reason: int) -> None:
    with pytest.raises(MQError) as refused:
        made(qmgr, wanted)

    assert refused.value.reason == reason


def test_it_has_the_attributes_of_its_model(qmgr: QueueManager) -> None:
    made(qmgr, "D", "MODEL")
    found = shown(qmgr, "QLOCAL", "D")

    assert (found["DEFTYPE"], found["MAXDEPTH"], found["DESCR"]) == ("PERMDYN", 7, "made")


BACKOUT: Mapping[str, Stored] = {"BOTHRESH": 3, "BOQNAME": "POISON"}


@pytest.mark.parametrize("hardened", ["HARDENBO", "NOHARDENBO"])
@pytest.mark.parametrize(
    "model", ["MODEL", "TEMP", "SYSTEM.JMS.MODEL.QUEUE", "SYSTEM.DURABLE.MODEL.QUEUE", "SYSTEM.NDURABLE.MODEL.QUEUE"]
)
def test_it_has_the_backout_attributes_of_its_model(qmgr: QueueManager, model: str, hardened: str) -> None:
    """Including the models of subscriptions (B3). DISPLAY and MQINQ agree."""
    change(qmgr, KINDS["QMODEL"], model, {**BACKOUT, "HARDENBO": hardened})
    selectors: list[int] = [MQIA.BACKOUT_THRESHOLD, MQCA.BACKOUT_REQ_Q_NAME, MQIA.HARDEN_GET_BACKOUT]
    with qmgr.connect() as connection:
        handle = connection.open(model, MQOO.INQUIRE, dynamic_name="D")
        inquired = handle.inquire(*selectors)
        found = shown(qmgr, "QLOCAL", "D")

    assert [inquired[each] for each in selectors] == [3, "POISON", int(hardened == "HARDENBO")]
    assert {word: found[word] for word in BACKOUT} == BACKOUT
    assert found["HARDENBO"] == hardened


def test_a_change_of_the_model_comes_too_late_for_it(qmgr: QueueManager) -> None:
    change(qmgr, KINDS["QMODEL"], "MODEL", BACKOUT)
    made(qmgr, "D", "MODEL")
    change(qmgr, KINDS["QMODEL"], "MODEL", {"BOTHRESH": 9})

    assert shown(qmgr, "QLOCAL", "D")["BOTHRESH"] == 3


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

    with qmgr.connect() as other, pytest.raises(MQError) as gone:
        other.open("D", MQOO.OUTPUT)
    assert gone.value.reason == 2085

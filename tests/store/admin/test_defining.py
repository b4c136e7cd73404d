from __future__ import annotations

from typing import Any

import pytest

from store.admin.altering import change
from store.admin.defining import create
from store.admin.deleting import clear, delete
from store.admin.inquiring import inquire
from store.catalog import KINDS, Stored
from store.client.api import QueueManager
from store.constants import MQOO, MQRC, MQRCCF
from store.environment import Environment, FrozenClock
from store.error import MQError
from store.message import Message
from tests.store.admin.looking import history, queue_row, shown

QLOCAL, QMODEL, QALIAS, QREMOTE, PROCESS = (
    KINDS[word] for word in ("QLOCAL", "QMODEL", "QALIAS", "QREMOTE", "PROCESS")
)


@pytest.mark.parametrize(
    ("kind", "given", "derived"),
    [
        ("QLOCAL", {"MAXDEPTH": 10}, {"MAXMSGL": 4_194_304, "DEFTYPE": "PREDEFINED", "CURDEPTH": 0}),
        ("QMODEL", {"MAXDEPTH": 10}, {"DEFTYPE": "TEMPDYN", "DEFSOPT": "EXCL"}),
        ("QALIAS", {"TARGET": "T"}, {"TARGTYPE": "QUEUE"}),
        ("QREMOTE", {"RNAME": "R"}, {"XMITQ": ""}),
        ("PROCESS", {"APPLICID": "run it"}, {"APPLTYPE": "UNIX"}),
        ("NAMELIST", {"NAMES": ["A", "B"]}, {"DESCR": ""}),
        ("CHANNEL", {"CHLTYPE": "SDR", "CONNAME": "host", "XMITQ": "XQ"}, {"DESCR": ""}),
        ("LISTENER", {"TRPTYPE": "TCP", "PORT": 1415}, {"CONTROL": "MANUAL"}),
    ],
)
def test_what_is_not_given_comes_from_the_default_object(
    qmgr: QueueManager, kind: str, given: dict[str, Stored], derived: dict[str, Stored]
) -> None:
    create(qmgr, KINDS[kind], "NEW", given)

    row = shown(qmgr, kind, "NEW")
    assert {**row, **given, **derived} == row


def test_the_default_object_counts_as_it_is_now(qmgr: QueueManager) -> None:
    change(qmgr, QLOCAL, "SYSTEM.DEFAULT.LOCAL.QUEUE", {"MAXDEPTH": 77})
    create(qmgr, QLOCAL, "NEW", {})

    assert shown(qmgr, "QLOCAL", "NEW")["MAXDEPTH"] == 77


def test_without_the_default_object_nothing_is_defined_but_that_object_itself(qmgr: QueueManager) -> None:
    change(qmgr, QLOCAL, "SYSTEM.DEFAULT.LOCAL.QUEUE", {"MAXDEPTH": 77})
    delete(qmgr, QLOCAL, "SYSTEM.DEFAULT.LOCAL.QUEUE")
    with pytest.raises(MQError) as refused:
        create(qmgr, QLOCAL, "NEW", {})
    create(qmgr, QLOCAL, "SYSTEM.DEFAULT.LOCAL.QUEUE", {})

    assert (refused.value.reason, refused.value.object_name) == (MQRC.UNKNOWN_OBJECT_NAME, "SYSTEM.DEFAULT.LOCAL.QUEUE")
    assert shown(qmgr, "QLOCAL", "SYSTEM.DEFAULT.LOCAL.QUEUE")["MAXDEPTH"] == 5000


def test_like_copies_attributes_and_neither_messages_nor_how_the_queue_came_to_be(qmgr: QueueManager) -> None:
    create(qmgr, QMODEL, "MODEL", {"DEFTYPE": "PERMDYN", "MAXDEPTH": 6, "TRIGDATA": "copied"})
    with qmgr.connect() as connection:
        queue = connection.open("MODEL", MQOO.OUTPUT, dynamic_name="DYNAMIC")
        queue.put(Message(b"x"))
    create(qmgr, QLOCAL, "NEW", {"TRIGDATA": "given"}, like="DYNAMIC")

    row = shown(qmgr, "QLOCAL", "NEW")
    assert (row["MAXDEPTH"], row["TRIGDATA"], row["DEFTYPE"], row["CURDEPTH"]) == (6, "given", "PREDEFINED", 0)
    assert shown(qmgr, "QLOCAL", "DYNAMIC")["DEFTYPE"] == "PERMDYN"


REFUSED: list[tuple[str, str, dict[str, Stored], dict[str, Any], int, str]] = [
    ("QLOCAL", "Q", {}, {}, MQRCCF.OBJECT_ALREADY_EXISTS, "Q"),
    ("QALIAS", "Q", {}, {}, MQRCCF.OBJECT_ALREADY_EXISTS, "Q"),
    ("QALIAS", "Q", {}, {"replace": True}, MQRCCF.OBJECT_WRONG_TYPE, "Q"),
    ("QREMOTE", "Q", {}, {"replace": True}, MQRCCF.OBJECT_WRONG_TYPE, "Q"),
    ("QMODEL", "Q", {}, {"replace": True}, MQRCCF.OBJECT_WRONG_TYPE, "Q"),
    ("QLOCAL", "NEW", {}, {"like": "ABSENT"}, MQRC.UNKNOWN_OBJECT_NAME, "ABSENT"),
    ("QLOCAL", "NEW", {}, {"like": "q"}, MQRC.UNKNOWN_OBJECT_NAME, "q"),
    ("QALIAS", "NEW", {}, {"like": "Q"}, MQRCCF.LIKE_OBJECT_WRONG_TYPE, "Q"),
    ("QLOCAL", "NEW", {"CLUSTER": "C", "CLUSNL": "NL"}, {}, MQRCCF.CLUSTER_NAME_CONFLICT, "NEW"),
    ("QLOCAL", "NEW", {"CLUSTER": "C"}, {"like": "X"}, MQRCCF.CLUSTER_Q_USAGE_ERROR, "NEW"),
    ("QLOCAL", "", {}, {}, MQRCCF.OBJECT_NAME_ERROR, ""),
    ("QLOCAL", "A B", {}, {}, MQRCCF.OBJECT_NAME_ERROR, "A B"),
    ("QLOCAL", "Q" * 49, {}, {}, MQRCCF.OBJECT_NAME_ERROR, "Q" * 49),
    ("PROCESS", "P", {}, {}, MQRCCF.OBJECT_ALREADY_EXISTS, "P"),
    ("CHANNEL", "C", {"CHLTYPE": "SDR"}, {}, MQRCCF.CHANNEL_ALREADY_EXISTS, "C"),
    ("CHANNEL", "C", {"CHLTYPE": "RCVR"}, {"replace": True}, MQRCCF.OBJECT_WRONG_TYPE, "C"),
    ("CHANNEL", "C" * 21, {"CHLTYPE": "RCVR"}, {}, MQRCCF.OBJECT_NAME_ERROR, "C" * 21),
]


@pytest.mark.parametrize(("kind", "name", "given", "options", "reason", "about"), REFUSED)
def test_define_is_refused_with_its_reason_and_changes_nothing(
    qmgr: QueueManager, kind: str, name: str, given: dict[str, Stored], options: dict[str, Any], reason: int, about: str
) -> None:
    create(qmgr, QLOCAL, "Q", {"DESCR": "first"})
    create(qmgr, QLOCAL, "X", {"USAGE": "XMITQ"})
    create(qmgr, PROCESS, "P", {})
    create(qmgr, KINDS["CHANNEL"], "C", {"CHLTYPE": "SDR", "CONNAME": "host", "XMITQ": "X"})
    before = list(inquire(qmgr, list(KINDS.values()), "*"))
    with pytest.raises(MQError) as refused:
        create(qmgr, KINDS[kind], name, given, **options)

    assert (refused.value.reason, refused.value.object_name) == (reason, about)
    assert list(inquire(qmgr, list(KINDS.values()), "*")) == before


def test_other_namespaces_take_the_same_name(qmgr: QueueManager) -> None:
    create(qmgr, QLOCAL, "SAME", {})
    create(qmgr, PROCESS, "SAME", {})
    create(qmgr, KINDS["CHANNEL"], "SAME", {"CHLTYPE": "SVRCONN"})
    create(qmgr, KINDS["CHANNEL"], "SAME", {"CHLTYPE": "CLNTCONN", "CONNAME": "host"})

    assert [row["CHLTYPE"] for row in inquire(qmgr, [KINDS["CHANNEL"]], "SAME")] == ["SVRCONN", "CLNTCONN"]


def test_names_are_told_apart_by_case(qmgr: QueueManager) -> None:
    create(qmgr, QLOCAL, "Orders", {"MAXDEPTH": 1})
    create(qmgr, QLOCAL, "ORDERS", {"MAXDEPTH": 2})

    assert shown(qmgr, "QLOCAL", "Orders")["MAXDEPTH"] == 1


def test_replace_resets_what_is_not_given_and_keeps_messages_and_creation(
    qmgr: QueueManager, environment: Environment[FrozenClock]
) -> None:
    create(qmgr, QLOCAL, "Q", {"MAXDEPTH": 10, "DESCR": "first"})
    with qmgr.connect() as connection:
        connection.put1("Q", Message(b"kept"))
    created = shown(qmgr, "QLOCAL", "Q")
    environment.clock.advance(86_400)
    create(qmgr, QLOCAL, "Q", {"TRIGDATA": "second"}, replace=True)

    row = shown(qmgr, "QLOCAL", "Q")
    assert (row["MAXDEPTH"], row["DESCR"], row["TRIGDATA"], row["CURDEPTH"]) == (5000, "", "second", 1)
    assert (row["CRDATE"], row["ALTDATE"]) == (created["CRDATE"], "2023-11-15")
    assert queue_row(qmgr, "Q").max_depth == 5000


def test_replace_of_a_missing_object_creates_it(qmgr: QueueManager) -> None:
    create(qmgr, QLOCAL, "NEW", {"MAXDEPTH": 3}, replace=True)

    assert shown(qmgr, "QLOCAL", "NEW")["MAXDEPTH"] == 3


def test_replace_leaves_a_dynamic_queue_dynamic(qmgr: QueueManager) -> None:
    create(qmgr, QMODEL, "MODEL", {"DEFTYPE": "TEMPDYN", "MAXDEPTH": 6})
    with qmgr.connect() as connection:
        connection.open("MODEL", MQOO.OUTPUT, dynamic_name="DYNAMIC")
        create(qmgr, QLOCAL, "DYNAMIC", {}, replace=True)
        row = shown(qmgr, "QLOCAL", "DYNAMIC")
        assert (row["DEFTYPE"], row["MAXDEPTH"]) == ("TEMPDYN", 5000)
        assert queue_row(qmgr, "DYNAMIC").definition_type == 3

    assert list(inquire(qmgr, [QLOCAL], "DYNAMIC")) == []


def test_replace_that_would_need_force_is_refused(qmgr: QueueManager) -> None:
    create(qmgr, QLOCAL, "Q", {})
    with qmgr.connect() as connection:
        connection.put1("Q", Message(b"in the way"))
    with pytest.raises(MQError) as refused:
        create(qmgr, QLOCAL, "Q", {"USAGE": "XMITQ"}, replace=True)
    clear(qmgr, "Q")
    create(qmgr, QLOCAL, "Q", {"USAGE": "XMITQ"}, replace=True)

    assert refused.value.reason == MQRCCF.OBJECT_OPEN_FORCE
    assert queue_row(qmgr, "Q").is_transmission == 1


def test_define_is_in_the_history_with_what_differs_from_the_shipped_object(qmgr: QueueManager) -> None:
    create(qmgr, QLOCAL, "Q", {"MAXDEPTH": 10, "DEFPSIST": "NO"})
    create(qmgr, QLOCAL, "Q", {"DESCR": "süß"}, replace=True)

    assert [(e.kind, e.cause, e.target, e.detail, e.user) for e in history(qmgr.store, "Q")] == [
        ("DEFINE", None, "QLOCAL", {"MAXDEPTH": [None, 10]}, "tester"),
        ("ALTER", "replace", "QLOCAL", {"MAXDEPTH": [10, 5000], "DESCR": ["", "süß"]}, "tester"),
    ]


COLUMNS: list[tuple[str, dict[str, Stored], str, object]] = [
    ("QLOCAL", {"MAXDEPTH": 10}, "max_depth", 10),
    ("QLOCAL", {"PUT": "DISABLED"}, "put_enabled", 0),
    ("QLOCAL", {"CAPEXPRY": 50}, "cap_expiry", 50),
    ("QLOCAL", {"CAPEXPRY": "NOLIMIT"}, "cap_expiry", None),
    ("QLOCAL", {"CUSTOM": "CAPEXPRY(7)"}, "custom_cap_expiry", 7),
    ("QLOCAL", {"TRIGGER": "TRIGGER"}, "trigger_on", 1),
    ("QLOCAL", {}, "definition_type", 1),
    ("QMODEL", {}, "definition_type", 3),
    ("QALIAS", {"TARGET": "T"}, "target", "T"),
    ("QREMOTE", {"RQMNAME": "QM2"}, "remote_queue_manager", "QM2"),
]


@pytest.mark.parametrize(("kind", "given", "name", "value"), COLUMNS)
def test_what_calls_read_is_written_beside_the_definition(
    qmgr: QueueManager, kind: str, given: dict[str, Stored], name: str, value: object
) -> None:
    create(qmgr, KINDS[kind], "Q", given)

    assert getattr(queue_row(qmgr, "Q"), name) == value


def test_an_ended_queue_manager_takes_no_definitions(qmgr: QueueManager) -> None:
    qmgr.end()
    with pytest.raises(MQError) as refused:
        create(qmgr, QLOCAL, "Q", {})

    assert refused.value.reason == MQRC.Q_MGR_NOT_AVAILABLE

"""DEFINE and ALTER: what is not given, what is refused, what needs FORCE, and what the history
keeps.
"""

from __future__ import annotations

from typing import Any

import pytest

from mqsc.store.admin.altering import change, change_queue_manager
from mqsc.store.admin.clearing import clear
from mqsc.store.admin.defining import create
from mqsc.store.admin.deleting import delete
from mqsc.store.admin.inquiring import inquire, inquire_queue_manager
from mqsc.store.catalog import KINDS, Stored
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQOO, MQRC, MQRCCF
from mqsc.store.message import Message
from tests.store.admin.looking import Frozen, history, put, queue_row, refused, shown

QLOCAL, QMODEL, QALIAS, QREMOTE = (
    KINDS[word] for word in ("QLOCAL", "QMODEL", "QALIAS", "QREMOTE")
)
PROCESS, CHANNEL = KINDS["PROCESS"], KINDS["CHANNEL"]
DEFAULT = "SYSTEM.DEFAULT.LOCAL.QUEUE"


DERIVED: list[tuple[str, dict[str, Stored], dict[str, Stored]]] = [
    ("QLOCAL", {"MAXDEPTH": 10}, {"MAXMSGL": 4_194_304, "DEFTYPE": "PREDEFINED", "CURDEPTH": 0}),
    ("QMODEL", {"MAXDEPTH": 10}, {"DEFTYPE": "TEMPDYN", "DEFSOPT": "EXCL"}),
    ("QALIAS", {"TARGET": "T"}, {"TARGTYPE": "QUEUE"}),
    ("QREMOTE", {"RNAME": "R"}, {"XMITQ": ""}),
    ("PROCESS", {"APPLICID": "run it"}, {"APPLTYPE": "UNIX"}),
    ("NAMELIST", {"NAMES": ["A", "B"]}, {"DESCR": ""}),
    ("CHANNEL", {"CHLTYPE": "SDR", "CONNAME": "host", "XMITQ": "XQ"}, {"DESCR": ""}),
    ("LISTENER", {"TRPTYPE": "TCP", "PORT": 1415}, {"CONTROL": "MANUAL"}),
]


def test_what_is_not_given_comes_from_the_default_object_as_it_is_now(qmgr: QueueManager) -> None:
    for number, (kind, given, derived) in enumerate(DERIVED):
        create(qmgr, KINDS[kind], f"NEW{number}", given)
        row = shown(qmgr, kind, f"NEW{number}")
        assert {**row, **given, **derived} == row, kind
    change(qmgr, QLOCAL, DEFAULT, {"MAXDEPTH": 77})
    create(qmgr, QLOCAL, "NEW", {})
    assert shown(qmgr, "QLOCAL", "NEW")["MAXDEPTH"] == 77


def test_the_default_object_is_needed_and_like_copies_attributes_only(qmgr: QueueManager) -> None:
    change(qmgr, QLOCAL, DEFAULT, {"MAXDEPTH": 77})
    delete(qmgr, QLOCAL, DEFAULT)
    with refused(MQRC.UNKNOWN_OBJECT_NAME, DEFAULT):
        create(qmgr, QLOCAL, "NEW", {})
    create(qmgr, QLOCAL, DEFAULT, {})
    assert shown(qmgr, "QLOCAL", DEFAULT)["MAXDEPTH"] == 5000
    create(qmgr, QMODEL, "MODEL", {"DEFTYPE": "PERMDYN", "MAXDEPTH": 6, "TRIGDATA": "copied"})
    with qmgr.connect() as connection:
        connection.open("MODEL", MQOO.OUTPUT, dynamic_name="DYNAMIC").put(Message(b"x"))
    create(qmgr, QLOCAL, "NEW", {"TRIGDATA": "given"}, like="DYNAMIC")
    row = shown(qmgr, "QLOCAL", "NEW")
    assert (row["MAXDEPTH"], row["TRIGDATA"], row["DEFTYPE"], row["CURDEPTH"]) == (
        6,
        "given",
        "PREDEFINED",
        0,
    )
    assert shown(qmgr, "QLOCAL", "DYNAMIC")["DEFTYPE"] == "PERMDYN"


NOT_DEFINED: list[tuple[str, str, dict[str, Stored], dict[str, Any], int, str]] = [
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
    ("QLOCAL", "NEW", {"CLCHNAME": "TO.*"}, {}, MQRCCF.CLUS_XMIT_Q_USAGE_ERROR, "NEW"),
    (
        "QALIAS",
        "SYSTEM.COMMAND.INPUT",
        {"CLUSTER": "C"},
        {},
        MQRCCF.CLUSTER_Q_USAGE_ERROR,
        "SYSTEM.COMMAND.INPUT",
    ),
    (
        "QREMOTE",
        "SYSTEM.COMMAND.INPUT",
        {"CLUSNL": "NL"},
        {},
        MQRCCF.CLUSTER_Q_USAGE_ERROR,
        "SYSTEM.COMMAND.INPUT",
    ),
    ("QLOCAL", "", {}, {}, MQRCCF.OBJECT_NAME_ERROR, ""),
    ("QLOCAL", "A B", {}, {}, MQRCCF.OBJECT_NAME_ERROR, "A B"),
    ("QLOCAL", "Q" * 49, {}, {}, MQRCCF.OBJECT_NAME_ERROR, "Q" * 49),
    ("PROCESS", "P", {}, {}, MQRCCF.OBJECT_ALREADY_EXISTS, "P"),
    ("CHANNEL", "C", {"CHLTYPE": "SDR"}, {}, MQRCCF.CHANNEL_ALREADY_EXISTS, "C"),
    ("CHANNEL", "C", {"CHLTYPE": "RCVR"}, {"replace": True}, MQRCCF.OBJECT_WRONG_TYPE, "C"),
    ("CHANNEL", "C" * 21, {"CHLTYPE": "RCVR"}, {}, MQRCCF.OBJECT_NAME_ERROR, "C" * 21),
]


def test_define_is_refused_with_its_reason_and_changes_nothing(qmgr: QueueManager) -> None:
    create(qmgr, QLOCAL, "Q", {"DESCR": "first"})
    create(qmgr, QLOCAL, "X", {"USAGE": "XMITQ"})
    create(qmgr, PROCESS, "P", {})
    create(qmgr, CHANNEL, "C", {"CHLTYPE": "SDR", "CONNAME": "host", "XMITQ": "X"})
    before = list(inquire(qmgr, list(KINDS.values()), "*"))
    for kind, name, given, options, reason, about in NOT_DEFINED:
        with refused(reason, about):
            create(qmgr, KINDS[kind], name, given, **options)
        assert list(inquire(qmgr, list(KINDS.values()), "*")) == before, (kind, name)


def test_replace_resets_what_is_not_given_and_keeps_messages(
    qmgr: QueueManager,
    environment: Frozen,
) -> None:
    create(qmgr, QLOCAL, "Q", {"MAXDEPTH": 10, "DESCR": "first"})
    put(qmgr, "Q", b"kept")
    created = shown(qmgr, "QLOCAL", "Q")
    environment.clock.advance(86_400)
    create(qmgr, QLOCAL, "Q", {"TRIGDATA": "second"}, replace=True)
    row = shown(qmgr, "QLOCAL", "Q")
    assert (row["MAXDEPTH"], row["DESCR"], row["TRIGDATA"], row["CURDEPTH"]) == (
        5000,
        "",
        "second",
        1,
    )
    assert (row["CRDATE"], row["ALTDATE"]) == (created["CRDATE"], "2023-11-15")
    assert queue_row(qmgr, "Q").max_depth == 5000
    # A missing one is created.
    create(qmgr, QLOCAL, "NEW", {"MAXDEPTH": 3}, replace=True)
    assert shown(qmgr, "QLOCAL", "NEW")["MAXDEPTH"] == 3


def test_replace_leaves_a_dynamic_queue_dynamic_and_never_forces(qmgr: QueueManager) -> None:
    create(qmgr, QMODEL, "MODEL", {"DEFTYPE": "TEMPDYN", "MAXDEPTH": 6})
    with qmgr.connect() as connection:
        connection.open("MODEL", MQOO.OUTPUT, dynamic_name="DYNAMIC")
        create(qmgr, QLOCAL, "DYNAMIC", {}, replace=True)
        row = shown(qmgr, "QLOCAL", "DYNAMIC")
        assert (row["DEFTYPE"], row["MAXDEPTH"]) == ("TEMPDYN", 5000)
        assert queue_row(qmgr, "DYNAMIC").definition_type == 3
    assert list(inquire(qmgr, [QLOCAL], "DYNAMIC")) == []
    create(qmgr, QLOCAL, "Q", {})
    put(qmgr, "Q", b"in the way")
    with refused(MQRCCF.OBJECT_OPEN_FORCE):
        create(qmgr, QLOCAL, "Q", {"USAGE": "XMITQ"}, replace=True)
    clear(qmgr, "Q")
    create(qmgr, QLOCAL, "Q", {"USAGE": "XMITQ"}, replace=True)
    assert queue_row(qmgr, "Q").is_transmission == 1


def test_what_define_writes_in_the_history_and_that_an_ended_queue_manager_takes_none(
    qmgr: QueueManager,
) -> None:
    create(qmgr, QLOCAL, "Q", {"MAXDEPTH": 10, "DEFPSIST": "NO"})
    create(qmgr, QLOCAL, "Q", {"DESCR": "süß"}, replace=True)
    assert [(e.kind, e.cause, e.target, e.detail, e.user) for e in history(qmgr.store, "Q")] == [
        ("DEFINE", None, "QLOCAL", {"MAXDEPTH": [None, 10]}, "tester"),
        ("ALTER", "replace", "QLOCAL", {"MAXDEPTH": [10, 5000], "DESCR": ["", "süß"]}, "tester"),
    ]
    qmgr.end()
    with refused(MQRC.Q_MGR_NOT_AVAILABLE):
        create(qmgr, QLOCAL, "Q", {})


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


def test_what_calls_read_is_written_beside_the_definition_of_each_name(qmgr: QueueManager) -> None:
    for number, (kind, given, column, value) in enumerate(COLUMNS):
        create(qmgr, KINDS[kind], f"Q{number}", given)
        assert getattr(queue_row(qmgr, f"Q{number}"), column) == value, (kind, given, column)
    for which, name, attributes in (
        *(
            (QLOCAL, "SAME", {"MAXDEPTH": 1}),
            (QLOCAL, "Same", {"MAXDEPTH": 2}),
            (PROCESS, "SAME", {}),
        ),
        *(
            (CHANNEL, "SAME", {"CHLTYPE": "SVRCONN"}),
            (CHANNEL, "SAME", {"CHLTYPE": "CLNTCONN", "CONNAME": "host"}),
        ),
    ):
        create(qmgr, which, name, attributes)
    assert shown(qmgr, "QLOCAL", "SAME")["MAXDEPTH"] == 1
    assert [row["CHLTYPE"] for row in inquire(qmgr, [CHANNEL], "SAME")] == ["SVRCONN", "CLNTCONN"]


@pytest.fixture
def network(qmgr: QueueManager) -> QueueManager:
    """Two local queues, an alias, transmission queues, remote queues and a queue manager alias."""
    for name in ("LOCAL", "OTHER"):
        create(qmgr, QLOCAL, name, {})
    for name in ("XQ", "XQ2", "DEFAULT.XQ"):
        create(qmgr, QLOCAL, name, {"USAGE": "XMITQ"})
    create(qmgr, QALIAS, "ALIAS", {"TARGET": "LOCAL"})
    create(qmgr, QREMOTE, "REMOTE", {"RNAME": "FAR", "RQMNAME": "QM2", "XMITQ": "XQ"})
    create(qmgr, QREMOTE, "BY.DEFAULT", {"RNAME": "FAR", "RQMNAME": "QM3"})
    create(qmgr, QREMOTE, "QM2.ALIAS", {"RQMNAME": "QM2", "XMITQ": "XQ"})
    change_queue_manager(qmgr, {"DEFXMITQ": "DEFAULT.XQ"})
    return qmgr


def test_alter_writes_what_is_given_and_leaves_the_rest(
    qmgr: QueueManager,
    environment: Frozen,
) -> None:
    create(qmgr, QLOCAL, "Q", {"MAXDEPTH": 10, "DESCR": "first"})
    environment.clock.advance(3600)
    change(qmgr, QLOCAL, "Q", {"MAXDEPTH": 20})
    row = shown(qmgr, "QLOCAL", "Q")
    assert (row["MAXDEPTH"], row["DESCR"]) == (20, "first")
    assert (row["CRDATE"], row["CRTIME"], row["ALTTIME"]) == ("2023-11-14", "22.13.20", "23.13.20")


NOT_ALTERED: list[tuple[str, str, dict[str, Stored], int]] = [
    ("QLOCAL", "ABSENT", {"MAXDEPTH": 1}, MQRC.UNKNOWN_OBJECT_NAME),
    ("QLOCAL", "local", {"MAXDEPTH": 1}, MQRC.UNKNOWN_OBJECT_NAME),
    ("QALIAS", "LOCAL", {"TARGET": "OTHER"}, MQRCCF.OBJECT_WRONG_TYPE),
    ("QMODEL", "LOCAL", {"MAXDEPTH": 1}, MQRCCF.OBJECT_WRONG_TYPE),
    ("PROCESS", "LOCAL", {"DESCR": ""}, MQRC.UNKNOWN_OBJECT_NAME),
    ("CHANNEL", "ABSENT", {"CHLTYPE": "SDR"}, MQRCCF.CHANNEL_NOT_FOUND),
    ("QLOCAL", "XQ", {"CLUSTER": "C"}, MQRCCF.CLUSTER_Q_USAGE_ERROR),
    ("QLOCAL", "LOCAL", {"CLUSTER": "C", "CLUSNL": "NL"}, MQRCCF.CLUSTER_NAME_CONFLICT),
    ("QLOCAL", "SYSTEM.CHANNEL.INITQ", {"CLUSTER": "C"}, MQRCCF.CLUSTER_Q_USAGE_ERROR),
    ("QLOCAL", "LOCAL", {"CLCHNAME": "TO.*"}, MQRCCF.CLUS_XMIT_Q_USAGE_ERROR),
]


def test_a_cluster_channel_keeps_its_queue_a_transmission_queue(network: QueueManager) -> None:
    change(network, QLOCAL, "XQ", {"CLCHNAME": "TO.*"})
    with refused(MQRCCF.CLUS_XMIT_Q_USAGE_ERROR, "XQ"):
        change(network, QLOCAL, "XQ", {"USAGE": "NORMAL"})
    change(network, QLOCAL, "XQ", {"USAGE": "NORMAL", "CLCHNAME": ""})


def test_alter_is_refused_with_its_reason(network: QueueManager) -> None:
    for kind, name, given, reason in NOT_ALTERED:
        with refused(reason, name):
            change(network, KINDS[kind], name, given)


# (handles as (name, options, queue manager), kind, name, changes, whether they need FORCE)
OPEN: list[tuple[list[tuple[str, int, str]], str, str, dict[str, Stored], bool]] = [
    ([("LOCAL", MQOO.INPUT_SHARED, "")], "QLOCAL", "LOCAL", {"SHARE": "NOSHARE"}, False),
    ([("LOCAL", MQOO.INPUT_SHARED, "")] * 2, "QLOCAL", "LOCAL", {"SHARE": "NOSHARE"}, True),
    (
        [("LOCAL", MQOO.INPUT_SHARED, ""), ("LOCAL", MQOO.OUTPUT, "")],
        "QLOCAL",
        "LOCAL",
        {"SHARE": "NOSHARE"},
        False,
    ),
    ([("LOCAL", MQOO.BROWSE, "")], "QLOCAL", "LOCAL", {"USAGE": "XMITQ"}, True),
    ([("ALIAS", MQOO.OUTPUT, "")], "QLOCAL", "LOCAL", {"USAGE": "XMITQ"}, True),
    (
        [("LOCAL", MQOO.INPUT_SHARED, "")] * 2,
        "QLOCAL",
        "LOCAL",
        {"MAXDEPTH": 0, "PUT": "DISABLED"},
        False,
    ),
    ([("ALIAS", MQOO.OUTPUT, "")], "QALIAS", "ALIAS", {"TARGET": "OTHER"}, True),
    ([("ALIAS", MQOO.INQUIRE, "")], "QALIAS", "ALIAS", {"TARGET": "OTHER"}, True),
    ([("LOCAL", MQOO.OUTPUT, "")], "QALIAS", "ALIAS", {"TARGET": "OTHER"}, False),
    ([("ALIAS", MQOO.OUTPUT, "")], "QALIAS", "ALIAS", {"TARGET": "LOCAL", "DESCR": "new"}, False),
    ([("REMOTE", MQOO.OUTPUT, "")], "QREMOTE", "REMOTE", {"XMITQ": "XQ2"}, True),
    ([("REMOTE", MQOO.OUTPUT, "")], "QREMOTE", "REMOTE", {"RNAME": "FARTHER"}, False),
    ([("Q", MQOO.OUTPUT, "QM2.ALIAS")], "QREMOTE", "QM2.ALIAS", {"RQMNAME": "QM4"}, True),
    ([("Q", MQOO.OUTPUT, "QM2.ALIAS")], "QREMOTE", "QM2.ALIAS", {"XMITQ": "XQ2"}, True),
    ([("Q", MQOO.OUTPUT, "QM2.ALIAS")], "QREMOTE", "QM2.ALIAS", {"DESCR": "new"}, False),
]


@pytest.mark.parametrize("number", range(len(OPEN)))
def test_force_changes_what_is_open_and_breaks_its_handles(
    network: QueueManager,
    number: int,
) -> None:
    handles, kind, name, given, needed = OPEN[number]
    before = {word: shown(network, kind, name)[word] for word in given}
    with network.connect() as connection:
        for queue, options, queue_manager in handles:
            connection.open(queue, options, queue_manager=queue_manager)
        if needed:
            with refused(MQRCCF.OBJECT_OPEN_FORCE, name):
                change(network, KINDS[kind], name, given)
            assert {word: shown(network, kind, name)[word] for word in given} == before
            change(network, KINDS[kind], name, given, force=True)
        else:
            change(network, KINDS[kind], name, given)
    row = shown(network, kind, name)
    assert {**row, **given} == row


def test_only_a_handle_that_force_surprised_answers_2041(network: QueueManager) -> None:
    with network.connect() as connection:
        alias = connection.open("ALIAS", MQOO.OUTPUT)
        change(network, QALIAS, "ALIAS", {"TARGET": "OTHER"}, force=True)
        with refused(MQRC.OBJECT_CHANGED):
            alias.put(Message(b"lost its way"))
        connection.open("ALIAS", MQOO.OUTPUT).put(Message(b"new way"))
    assert (
        shown(network, "QLOCAL", "LOCAL")["CURDEPTH"],
        shown(network, "QLOCAL", "OTHER")["CURDEPTH"],
    ) == (0, 1)
    with network.connect() as connection:
        queue = connection.open("LOCAL", MQOO.OUTPUT)
        change(network, QLOCAL, "LOCAL", {"MAXDEPTH": 1}, force=True)
        queue.put(Message(b"fits"))
        with refused(MQRC.Q_FULL):
            queue.put(Message(b"does not"))


def test_messages_alone_ask_for_force_too(network: QueueManager) -> None:
    put(network, "LOCAL", b"1")
    put(network, "LOCAL", b"2")
    with refused(MQRCCF.OBJECT_OPEN_FORCE):
        change(network, QLOCAL, "LOCAL", {"USAGE": "XMITQ"})
    # The depth may be above a lowered MAXDEPTH.
    change(network, QLOCAL, "LOCAL", {"MAXDEPTH": 1})
    change(network, QLOCAL, "LOCAL", {"USAGE": "XMITQ"}, force=True)
    row = shown(network, "QLOCAL", "LOCAL")
    assert (row["USAGE"], row["CURDEPTH"]) == ("XMITQ", 2)


def test_a_change_that_triggers_does_so_at_once(network: QueueManager) -> None:
    """Commands cause O-ALTER, O-GET and O-INITQ-PUT just as MQSET does (triggering §4)."""
    create(network, QLOCAL, "INIT", {})
    create(network, PROCESS, "P", {"APPLICID": "run it"})
    change(network, QLOCAL, "LOCAL", {"INITQ": "INIT", "PROCESS": "P"})
    put(network, "LOCAL", b"x")
    with network.connect() as connection:
        connection.open("INIT", MQOO.INPUT_SHARED)
        for queue, given in (
            ("LOCAL", {"TRIGGER": "TRIGGER"}),
            ("LOCAL", {"TRIGGER": "TRIGGER", "TRIGTYPE": "FIRST"}),
            ("LOCAL", {"GET": "DISABLED"}),
            ("LOCAL", {"GET": "ENABLED"}),
            ("INIT", {"PUT": "DISABLED"}),
            ("INIT", {"PUT": "ENABLED"}),
        ):
            change(network, QLOCAL, queue, given)
        assert shown(network, "QLOCAL", "INIT")["CURDEPTH"] == 3
    causes = [each.cause for each in history(network.store, "LOCAL") if each.kind == "TRIGGER"]
    assert causes == ["alter", "get-enabled", "initq-enabled"]


def test_alter_is_in_the_history_before_and_after_without_secrets(qmgr: QueueManager) -> None:
    create(qmgr, QLOCAL, "Q", {})
    change(qmgr, QLOCAL, "Q", {"MAXDEPTH": 10, "DESCR": ""})
    change(qmgr, QLOCAL, "Q", {"MAXDEPTH": 10})
    altered = [(e.kind, e.cause, e.target, e.detail) for e in history(qmgr.store, "Q")[1:]]
    assert altered == [
        ("ALTER", None, "QLOCAL", {"MAXDEPTH": [5000, 10]}),
        ("ALTER", None, "QLOCAL", None),
    ]
    change_queue_manager(qmgr, {"KEYRPWD": "open sesame"})
    change_queue_manager(qmgr, {"KEYRPWD": "another"})
    details = [each.detail for each in history(qmgr.store, "QM1") if each.kind == "ALTER"]
    assert details == [{"KEYRPWD": ["", "********"]}, {"KEYRPWD": ["********", "********"]}]
    assert inquire_queue_manager(qmgr)["KEYRPWD"] == "********"


def test_alter_qmgr_is_all_or_nothing(qmgr: QueueManager) -> None:
    for given, reason in (
        ({"DESCR": "new", "LOGGEREV": "ENABLED"}, MQRCCF.LOG_TYPE_ERROR),
        ({"DESCR": "new", "REPOS": "C", "REPOSNL": "NL"}, MQRCCF.REPOS_NAME_CONFLICT),
        (
            {"DESCR": "new", "DEFXMITQ": "SYSTEM.CLUSTER.TRANSMIT.QUEUE"},
            MQRCCF.DEF_XMIT_Q_CLUS_ERROR,
        ),
    ):
        with refused(reason):
            change_queue_manager(qmgr, given)
        assert inquire_queue_manager(qmgr)["DESCR"] == ""
    change_queue_manager(qmgr, {})
    change_queue_manager(
        qmgr,
        {"LOGGEREV": "DISABLED", "DESCR": "new", "EXPRYINT": 5, "TRIGINT": 7},
    )
    row = qmgr.row()
    assert (row.expiry_interval, row.trigger_interval) == (5, 7)
    assert inquire_queue_manager(qmgr)["DESCR"] == "new"
    altered = [each for each in history(qmgr.store, "QM1") if each.kind == "ALTER"]
    changed = {"DESCR": ["", "new"], "EXPRYINT": ["OFF", 5], "TRIGINT": [999_999_999, 7]}
    assert [(each.target, each.detail) for each in altered] == [("QMGR", changed)]
    change_queue_manager(qmgr, {"EXPRYINT": "OFF"})
    assert qmgr.row().expiry_interval is None


def test_defxmitq_under_an_open_remote_queue_needs_force(network: QueueManager) -> None:
    for name, queue_manager, needed in (
        *(("BY.DEFAULT", "", True), ("Q", "QM9", True), ("REMOTE", "", False)),
        *(("Q", "QM2.ALIAS", False), ("DEFAULT.XQ", "", False), ("LOCAL", "", False)),
    ):
        with network.connect() as connection:
            queue = connection.open(name, MQOO.OUTPUT, queue_manager=queue_manager)
            if needed:
                with refused(MQRCCF.OBJECT_OPEN_FORCE):
                    change_queue_manager(network, {"DEFXMITQ": "XQ2"})
                change_queue_manager(network, {"DEFXMITQ": "XQ2"}, force=True)
                with refused(MQRC.OBJECT_CHANGED):
                    queue.put(Message(b"x"))
            else:
                change_queue_manager(network, {"DEFXMITQ": "XQ2"})
                queue.put(Message(b"x"))
        assert network.row().default_transmission_queue == "XQ2", name
        change_queue_manager(network, {"DEFXMITQ": "DEFAULT.XQ"})

from __future__ import annotations

import pytest

from store.admin.altering import change, change_queue_manager
from store.admin.defining import create
from store.admin.inquiring import inquire_queue_manager
from store.catalog import KINDS, Stored
from store.client.api import QueueManager
from store.constants import MQOO, MQRC, MQRCCF
from store.environment import Environment, FrozenClock
from store.error import MQError
from store.message import Message
from tests.store.admin.looking import history, shown

QLOCAL, QALIAS, QREMOTE = KINDS["QLOCAL"], KINDS["QALIAS"], KINDS["QREMOTE"]


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
    qmgr: QueueManager, environment: Environment[FrozenClock]
) -> None:
    create(qmgr, QLOCAL, "Q", {"MAXDEPTH": 10, "DESCR": "first"})
    environment.clock.advance(3600)
    change(qmgr, QLOCAL, "Q", {"MAXDEPTH": 20})

    row = shown(qmgr, "QLOCAL", "Q")
    assert (row["MAXDEPTH"], row["DESCR"]) == (20, "first")
    assert (row["CRDATE"], row["CRTIME"], row["ALTTIME"]) == ("2023-11-14", "22.13.20", "23.13.20")


REFUSED: list[tuple[str, str, dict[str, Stored], int]] = [
    ("QLOCAL", "ABSENT", {"MAXDEPTH": 1}, MQRC.UNKNOWN_OBJECT_NAME),
    ("QLOCAL", "local", {"MAXDEPTH": 1}, MQRC.UNKNOWN_OBJECT_NAME),
    ("QALIAS", "LOCAL", {"TARGET": "OTHER"}, MQRCCF.OBJECT_WRONG_TYPE),
    ("QMODEL", "LOCAL", {"MAXDEPTH": 1}, MQRCCF.OBJECT_WRONG_TYPE),
    ("PROCESS", "LOCAL", {"DESCR": ""}, MQRC.UNKNOWN_OBJECT_NAME),
    ("CHANNEL", "ABSENT", {"CHLTYPE": "SDR"}, MQRCCF.CHANNEL_NOT_FOUND),
    ("QLOCAL", "XQ", {"CLUSTER": "C"}, MQRCCF.CLUSTER_Q_USAGE_ERROR),
    ("QLOCAL", "LOCAL", {"CLUSTER": "C", "CLUSNL": "NL"}, MQRCCF.CLUSTER_NAME_CONFLICT),
]


@pytest.mark.parametrize(("kind", "name", "given", "reason"), REFUSED)
def test_alter_is_refused_with_its_reason(
    network: QueueManager, kind: str, name: str, given: dict[str, Stored], reason: int
) -> None:
    with pytest.raises(MQError) as refused:
        change(network, KINDS[kind], name, given)

    assert (refused.value.reason, refused.value.object_name) == (reason, name)


# (handles as (name, options, queue manager), kind, name, changes, whether they need FORCE)
OPEN: list[tuple[list[tuple[str, int, str]], str, str, dict[str, Stored], bool]] = [
    ([("LOCAL", MQOO.INPUT_SHARED, "")], "QLOCAL", "LOCAL", {"SHARE": "NOSHARE"}, False),
    ([("LOCAL", MQOO.INPUT_SHARED, "")] * 2, "QLOCAL", "LOCAL", {"SHARE": "NOSHARE"}, True),
    ([("LOCAL", MQOO.INPUT_SHARED, ""), ("LOCAL", MQOO.OUTPUT, "")], "QLOCAL", "LOCAL", {"SHARE": "NOSHARE"}, False),
    ([("LOCAL", MQOO.BROWSE, "")], "QLOCAL", "LOCAL", {"USAGE": "XMITQ"}, True),
    ([("ALIAS", MQOO.OUTPUT, "")], "QLOCAL", "LOCAL", {"USAGE": "XMITQ"}, True),
    ([("LOCAL", MQOO.INPUT_SHARED, "")] * 2, "QLOCAL", "LOCAL", {"MAXDEPTH": 0, "PUT": "DISABLED"}, False),
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


@pytest.mark.parametrize(("handles", "kind", "name", "given", "needed"), OPEN)
def test_force_changes_what_is_open_and_breaks_its_handles(
    network: QueueManager,
    handles: list[tuple[str, int, str]],
    kind: str,
    name: str,
    given: dict[str, Stored],
    needed: bool,
) -> None:
    before = {word: shown(network, kind, name)[word] for word in given}
    with network.connect() as connection:
        for queue, options, queue_manager in handles:
            connection.open(queue, options, queue_manager=queue_manager)
        if needed:
            with pytest.raises(MQError) as refused:
                change(network, KINDS[kind], name, given)
            assert (refused.value.reason, refused.value.object_name) == (MQRCCF.OBJECT_OPEN_FORCE, name)
            assert {word: shown(network, kind, name)[word] for word in given} == before
            change(network, KINDS[kind], name, given, force=True)
        else:
            change(network, KINDS[kind], name, given)

    row = shown(network, kind, name)
    assert {**row, **given} == row


def test_a_handle_that_force_surprised_answers_2041_and_a_new_one_works(network: QueueManager) -> None:
    with network.connect() as connection:
        alias = connection.open("ALIAS", MQOO.OUTPUT)
        change(network, QALIAS, "ALIAS", {"TARGET": "OTHER"}, force=True)
        with pytest.raises(MQError) as refused:
            alias.put(Message(b"lost its way"))
        connection.open("ALIAS", MQOO.OUTPUT).put(Message(b"new way"))

    assert refused.value.reason == MQRC.OBJECT_CHANGED
    assert (shown(network, "QLOCAL", "LOCAL")["CURDEPTH"], shown(network, "QLOCAL", "OTHER")["CURDEPTH"]) == (0, 1)


def test_a_change_that_needs_no_force_leaves_handles_alone(network: QueueManager) -> None:
    with network.connect() as connection:
        queue = connection.open("LOCAL", MQOO.OUTPUT)
        change(network, QLOCAL, "LOCAL", {"MAXDEPTH": 1}, force=True)
        queue.put(Message(b"fits"))
        with pytest.raises(MQError) as refused:
            queue.put(Message(b"does not"))

    assert refused.value.reason == MQRC.Q_FULL


def test_messages_alone_ask_for_force_too(network: QueueManager) -> None:
    with network.connect() as connection:
        connection.put1("LOCAL", Message(b"x"))
    with pytest.raises(MQError) as refused:
        change(network, QLOCAL, "LOCAL", {"USAGE": "XMITQ"})
    change(network, QLOCAL, "LOCAL", {"USAGE": "XMITQ"}, force=True)

    assert refused.value.reason == MQRCCF.OBJECT_OPEN_FORCE
    assert shown(network, "QLOCAL", "LOCAL")["USAGE"] == "XMITQ"


def test_a_change_that_triggers_does_so_at_once(network: QueueManager) -> None:
    """Commands cause O-ALTER, O-GET and O-INITQ-PUT just as MQSET does (triggering §4)."""
    create(network, QLOCAL, "INIT", {})
    create(network, KINDS["PROCESS"], "P", {"APPLICID": "run it"})
    change(network, QLOCAL, "LOCAL", {"INITQ": "INIT", "PROCESS": "P"})
    with network.connect() as connection:
        connection.put1("LOCAL", Message(b"x"))
        monitor = connection.open("INIT", MQOO.INPUT_SHARED)
        change(network, QLOCAL, "LOCAL", {"TRIGGER": "TRIGGER"})
        change(network, QLOCAL, "LOCAL", {"TRIGGER": "TRIGGER", "TRIGTYPE": "FIRST"})
        change(network, QLOCAL, "LOCAL", {"GET": "DISABLED"})
        change(network, QLOCAL, "LOCAL", {"GET": "ENABLED"})
        change(network, QLOCAL, "INIT", {"PUT": "DISABLED"})
        change(network, QLOCAL, "INIT", {"PUT": "ENABLED"})
        assert shown(network, "QLOCAL", "INIT")["CURDEPTH"] == 3
        monitor.close()

    causes = [each.cause for each in history(network.store, "LOCAL") if each.kind == "TRIGGER"]
    assert causes == ["alter", "get-enabled", "initq-enabled"]


def test_depth_may_be_above_a_lowered_maxdepth(network: QueueManager) -> None:
    with network.connect() as connection:
        connection.put1("LOCAL", Message(b"1"))
        connection.put1("LOCAL", Message(b"2"))
    change(network, QLOCAL, "LOCAL", {"MAXDEPTH": 1})

    assert shown(network, "QLOCAL", "LOCAL")["CURDEPTH"] == 2


def test_alter_is_in_the_history_before_and_after(qmgr: QueueManager) -> None:
    create(qmgr, QLOCAL, "Q", {})
    change(qmgr, QLOCAL, "Q", {"MAXDEPTH": 10, "DESCR": ""})
    change(qmgr, QLOCAL, "Q", {"MAXDEPTH": 10})

    assert [(e.kind, e.cause, e.target, e.detail) for e in history(qmgr.store, "Q")[1:]] == [
        ("ALTER", None, "QLOCAL", {"MAXDEPTH": [5000, 10]}),
        ("ALTER", None, "QLOCAL", None),
    ]


def test_alter_qmgr_is_all_or_nothing(qmgr: QueueManager) -> None:
    for given, reason in (
        ({"DESCR": "new", "LOGGEREV": "ENABLED"}, MQRCCF.LOG_TYPE_ERROR),
        ({"DESCR": "new", "REPOS": "C", "REPOSNL": "NL"}, MQRCCF.REPOS_NAME_CONFLICT),
        ({"DESCR": "new", "DEFXMITQ": "SYSTEM.CLUSTER.TRANSMIT.QUEUE"}, MQRCCF.ATTR_VALUE_ERROR),
    ):
        with pytest.raises(MQError) as refused:
            change_queue_manager(qmgr, given)
        assert (refused.value.reason, inquire_queue_manager(qmgr)["DESCR"]) == (reason, "")
    change_queue_manager(qmgr, {})
    change_queue_manager(qmgr, {"LOGGEREV": "DISABLED", "DESCR": "new", "EXPRYINT": 5, "TRIGINT": 7})

    row = qmgr.row()
    assert (row.expiry_interval, row.trigger_interval) == (5, 7)
    assert inquire_queue_manager(qmgr)["DESCR"] == "new"
    altered = [each for each in history(qmgr.store, "QM1") if each.kind == "ALTER"]
    assert [(each.target, each.detail) for each in altered] == [
        ("QMGR", {"DESCR": ["", "new"], "EXPRYINT": ["OFF", 5], "TRIGINT": [999_999_999, 7]})
    ]
    change_queue_manager(qmgr, {"EXPRYINT": "OFF"})
    assert qmgr.row().expiry_interval is None


def test_secrets_are_hidden_in_the_history_and_in_rows(qmgr: QueueManager) -> None:
    change_queue_manager(qmgr, {"KEYRPWD": "open sesame"})
    change_queue_manager(qmgr, {"KEYRPWD": "another"})

    assert [each.detail for each in history(qmgr.store, "QM1") if each.kind == "ALTER"] == [
        {"KEYRPWD": ["", "********"]},
        {"KEYRPWD": ["********", "********"]},
    ]
    assert inquire_queue_manager(qmgr)["KEYRPWD"] == "********"


# ((name, queue manager) of a handle that is open while DEFXMITQ changes, whether that needs FORCE)
BY_DEFAULT = [
    (("BY.DEFAULT", ""), True),
    (("Q", "QM9"), True),
    (("REMOTE", ""), False),
    (("Q", "QM2.ALIAS"), False),
    (("DEFAULT.XQ", ""), False),
    (("LOCAL", ""), False),
]


@pytest.mark.parametrize(("opened", "needed"), BY_DEFAULT)
def test_defxmitq_under_an_open_remote_queue_needs_force(
    network: QueueManager, opened: tuple[str, str], needed: bool
) -> None:
    with network.connect() as connection:
        queue = connection.open(opened[0], MQOO.OUTPUT, queue_manager=opened[1])
        if needed:
            with pytest.raises(MQError) as refused:
                change_queue_manager(network, {"DEFXMITQ": "XQ2"})
            assert refused.value.reason == MQRCCF.OBJECT_OPEN_FORCE
            change_queue_manager(network, {"DEFXMITQ": "XQ2"}, force=True)
            with pytest.raises(MQError) as changed:
                queue.put(Message(b"x"))
            assert changed.value.reason == MQRC.OBJECT_CHANGED
        else:
            change_queue_manager(network, {"DEFXMITQ": "XQ2"})
            queue.put(Message(b"x"))

    assert network.row().default_transmission_queue == "XQ2"

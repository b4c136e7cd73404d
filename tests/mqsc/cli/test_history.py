"""`mqsc history`: text in, text out, by a manual clock."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from mqsc.history.event_text import _WHAT, short_id
from mqsc.store.client.store import open_store
from mqsc.store.message import Message
from mqsc.store.published import KINDS
from tests.mqsc.screen import screen
from tests.mqsc.session import Session

ORDER, QUOTE = "4F52444552", "51554F5445"


@pytest.fixture
def shop(session: Session) -> Session:
    """A store in which an order was got, a quote has expired, and the queue OLD was deleted."""
    session(f"""
        qmgr create SHOP --clock manual
        clock set 2026-03-01T09:00
        DEFINE QLOCAL(ORDERS)
        DEFINE QLOCAL(QUOTES) MAXDEPTH(10)
        DEFINE QLOCAL(OLD)
        put ORDERS 'one espresso machine' --msg-id {ORDER} --persistent
        put QUOTES 'two coffees' --expiry 30s --msg-id {QUOTE}
        clock advance 1m
        get ORDERS
        get QUOTES
        DELETE QLOCAL(OLD)
        ALTER QLOCAL(QUOTES) MAXDEPTH(20)
    """)
    return session


CHOSEN = {
    "ORDERS": "QLOCAL ORDERS defined, ORDERS opened, message put on ORDERS, ORDERS closed, ORDERS opened, "
    "message got from ORDERS, ORDERS closed",
    f"--msg-id {ORDER[:6]}": "message put on ORDERS, message got from ORDERS, unit of work committed",
    f"--msg-id {ORDER} --kind get": "message got from ORDERS",
    f"--msg-id {ORDER} --limit 1": "unit of work committed",
    f"--msg-id \"X'{ORDER}'\" --limit 1": "unit of work committed",
    f"--msg-id 0x{ORDER.lower()} --limit 1": "unit of work committed",
    f"--msg-id ID:{ORDER.lower()} --limit 1": "unit of work committed",
    f"--msg-id {{{ORDER}}}, --limit 1": "unit of work committed",
    f"--msg-id '\"{ORDER}\"' --limit 1": "unit of work committed",
    "--unit 12884901889": "message got from ORDERS, unit of work committed",
    "--connection 3 --kind GET,COMMIT": "message got from ORDERS, unit of work committed",
    "QUOTES --kind EXPIRE": "message expired on QUOTES",
    "--cause get": "message expired on QUOTES",
    "Q* --kind PUT --kind EXPIRE": "message put on QUOTES, message expired on QUOTES",
    "* --kind PUT --limit 1": "message put on QUOTES",
    "OLD": "QLOCAL OLD defined, QLOCAL OLD deleted",
    "QUOTES --kind ALTER": "QLOCAL QUOTES changed",
    "ORDERS --kind PUT,GET --since 30s": "message got from ORDERS",
    "ORDERS --kind PUT,GET --until 30s": "message put on ORDERS",
    "ORDERS --kind PUT,GET --since 2026-03-01T09:01": "message got from ORDERS",
    "ORDERS --kind PUT --since 2026-03-01 --until 2026-03-02": "message put on ORDERS",
    "ORDERS -m SHOP --kind GET": "message got from ORDERS",
}


def test_the_life_of_a_message_and_what_else_is_chosen(shop: Session) -> None:
    lines = [
        re.sub(r"user \w+", "user anna", line) for line in shop(f"history --msg-id {ORDER}").lines
    ]
    assert lines == [
        "2026-03-01T09:00:00Z  SHOP  message put on ORDERS; by mqsc, user anna, connection 1; MsgId 4F52444552; "
        "20 persistent bytes",
        "2026-03-01T09:01:00Z  SHOP  message got from ORDERS; by mqsc, user anna, connection 3; unit 12884901889; "
        "MsgId 4F52444552; 20 persistent bytes; put 2026-03-01T09:00:00Z by mqsc, user anna",
        "2026-03-01T09:01:00Z  SHOP  unit of work committed; by mqsc, user anna, connection 3; unit 12884901889",
    ]
    for words, events in CHOSEN.items():
        lines = shop(f"history {words} => !|").lines
        shown = [line.split("; ")[0].split("  ", 2)[1:] for line in lines]
        assert shown == [["SHOP", each] for each in events.split(", ")], words
    shop(
        "qmgr end SHOP --immediate\nqmgr delete SHOP\nhistory -m SHOP ORDERS --kind GET => > message got from ORDERS",
    )


def test_backouts_are_events_of_their_queues(shop: Session) -> None:
    shop("put ORDERS tea")
    shop("consume ORDERS --limit 1 -- false")
    backed_out = "unit of work backed out; the application asked for it"
    lines = shop("history ORDERS --kind GET,BACKOUT --limit 2").lines
    assert ["message got from ORDERS" in lines[0], backed_out in lines[1]] == [True, True]
    assert shop("history 'ORD*' --kind BACKOUT").lines == lines[1:]
    assert shop("history QUOTES --kind BACKOUT").err == "mqsc: no event matches\n"


def test_what_is_not_there_or_makes_no_sense(shop: Session) -> None:
    shop("""
        history ...
        NOPE => 10 ! AMQ8147E: IBM MQ object NOPE not found, and the history has no event of such a queue.
        ordres => 10 ! such a queue. Did you mean ORDERS?
        NOPE* => 10 ! AMQ8147E
        ORDERS --kind TRIGGER => ! mqsc: no event matches
            |
        OLD --kind PUT => ! no event
            |
        --msg-id FF => 10 ! no message here, and none in the history
        --msg-id ORDER => 20 ! 'ORDER' is not hexadecimal
        --unit 7 => 10 ! the history has no unit of work 7
        --connection 99999999999999999999 => 10 ! the history has no connection 99999999999999999999
        --unit 0 => 20 ! 0 is not in the range
        --kind FOO => 20 ! 'FOO' is not a kind of event; use CREATE, JOIN,
        --kind PUT, => 20 ! '' is not a kind of event
        --cause luck => 20 ! 'luck' is not a cause of events; use abend,
        --kind PUT --cause interval => 20 ! PUT has no cause 'interval'; use publication, stream
        --kind COMMIT --cause stream => 20 ! COMMIT has no cause 'stream'; no such event has one
        --since yesterday => 20 ! 'yesterday' is not a time; examples: 2026-03-01
        --since 2h --until 3h => 20 ! --since is not before --until
        --limit 0 => 20 ! --limit 0 shows nothing
        --follow --until 1h => 20 ! --until is for events of the past
        'A B' => 20 ! 'A B' is not the name of a queue
        -m NOPE => 10 ! AMQ8118E: IBM MQ queue manager 'NOPE' does not exist.
        --store none.db => 20 ! there is no store at
        --format yaml => 20 ! 'amqsevt'
        ...
        put ORDERS x --msg-id 4F53
        history --msg-id 4F => 20 ! 2 MsgIds begin with 4F; write more digits:
            !   4F52
    """)


def test_as_data(shop: Session) -> None:
    (row,) = shop("history QUOTES --kind EXPIRE --format jsonl").rows
    assert {**row, "seq": 0, "user": "", "put_user": ""} == {
        **dict.fromkeys(("target", "correl_id", "unit", "reason", "rule", "detail")),
        **{"seq": 0, "qmgr": "SHOP", "kind": "EXPIRE", "cause": "get", "queue": "QUOTES"},
        **{
            "at": "2026-03-01T09:01:00Z",
            "put_at": "2026-03-01T09:00:00Z",
            "expires_at": "2026-03-01T09:00:30Z",
        },
        **{"msg_id": QUOTE.lower().ljust(48, "0"), "priority": 0, "persistence": 0, "length": 11},
        **{
            "put_application": "mqsc",
            "put_user": "",
            "connection": 4,
            "application": "mqsc",
            "user": "",
        },
        "what": "message expired on QUOTES",
    }
    assert shop("history QUOTES --kind EXPIRE --format json").rows == [row]
    assert shop("history QUOTES --kind MOVE --format json").rows == []


def test_in_the_shape_and_the_json_of_amqsevt(shop: Session) -> None:
    lines = shop("history QUOTES --kind ALTER --format amqsevt").lines
    assert [line for line in lines if "User" not in line and "Seq" not in line] == [
        "**** Message #1 (0 Bytes) on Queue SYSTEM.ADMIN.CONFIG.EVENT ****",
        "Event Type                     : Config Event [43]",
        "Reason                         : Config Change Object [2368]",
        "Event created                  : 2026/03/01 09:01:00.00 GMT",
        "  Queue Mgr Name               : SHOP",
        "  Object Name                  : QUOTES",
        "  Object Type                  : QLOCAL",
        "  Appl Name                    : mqsc",
        "  History Kind                 : ALTER",
        "  History Time                 : 2026-03-01T09:01:00Z",
        "  MAXDEPTH                     : 10, 20",
        "",
    ]
    (row,) = shop("history QUOTES --kind EXPIRE --format amqsevt-json").rows
    source = {
        "objectName": "SYSTEM.ADMIN.TRACE.ACTIVITY.QUEUE",
        "objectType": "Queue",
        "queueMgr": "SHOP",
    }
    assert row["eventSource"] == source
    assert row["eventType"] == {"name": "Activity Trace", "value": 209}
    assert row["eventReason"] == {"name": "None", "value": 0}
    assert row["eventCreation"] == {"timeStamp": "2026-03-01T09:01:00Z", "epoch": 1_772_355_660}
    assert (row["eventData"]["msgId"], row["eventData"]["historyCause"]) == (
        QUOTE.ljust(48, "0"),
        "get",
    )


def test_events_as_records_of_logs(shop: Session) -> None:
    (ecs,) = shop("history QUOTES --kind EXPIRE --format ecs").rows
    assert (ecs["@timestamp"], ecs["service"]["name"]) == ("2026-03-01T09:01:00Z", "SHOP")
    assert (ecs["event"]["action"], ecs["log"]["level"]) == ("expire", "info")
    assert ecs["message"].startswith("message expired on QUOTES; a get would have chosen it;")
    assert ecs["mqsc"]["msg_id"] == QUOTE.ljust(48, "0").lower()
    (request,) = shop("history QUOTES --kind ALTER --format otlp").rows
    (log,) = request["resourceLogs"][0]["scopeLogs"][0]["logRecords"]
    assert (log["timeUnixNano"], log["severityNumber"]) == ("1772355660000000000", 9)
    values = {each["key"]: each["value"] for each in log["attributes"]}
    assert values["messaging.destination.name"] == {"stringValue": "QUOTES"}
    (changed,) = values["mqsc.detail"]["kvlistValue"]["values"]
    assert (changed["key"], changed["value"]["arrayValue"]["values"][1]) == (
        "MAXDEPTH",
        {"intValue": "20"},
    )


WIDE = """2026-03-01 UTC
09:00:00         SHOP  message put on ORDERS
    by mqsc, user anna, connection 1; MsgId 4F52444552; 20 persistent bytes
"""
# Beside the text if that leaves room for a MsgId and more.
WIDEST = """2026-03-01 UTC
09:00:00         SHOP  message put on ORDERS
                         by mqsc, user anna, connection 1; MsgId 4F52444552; 20 persistent bytes
"""
NARROW = """2026-03-01 UTC
09:00:00  SHOP
  message put on ORDERS
    by mqsc, user anna, connection 1;
    MsgId 4F52444552;
    20 persistent bytes
"""


@pytest.mark.parametrize(("width", "page"), [(120, WIDEST), (80, WIDE), (40, NARROW)])
def test_on_a_terminal(shop: Session, tmp_path: Path, width: int, page: str) -> None:
    printed = screen(tmp_path, "history", "ORDERS", "--kind", "PUT", width=width)
    assert re.sub(r"user \w+", "user anna", printed) == page


def test_names_cannot_control_a_terminal_and_versions_are_looked_at(
    shop: Session,
    tmp_path: Path,
) -> None:
    with (
        open_store(f"sqlite:///{tmp_path}/store.db") as store,
        store.queue_manager("SHOP").connect(
            application="\x1b[31mred\nX",
            user="eve\x07",
        ) as connection,
    ):
        connection.put1("ORDERS", Message(b"x"))
    for printed in (
        screen(tmp_path, "history", "ORDERS", "--limit", "1", width=100),
        shop("history ORDERS --limit 1").out,
        shop("history ORDERS --limit 1 --format amqsevt").out,
    ):
        assert not [each for each in ("\x1b", "\x07", "red\nX") if each in printed]
        assert "\\x1b[31mred\\x0aX" in printed
    with open_store(f"sqlite:///{tmp_path}/store.db") as store, store.database.one_transaction():
        raw = store.database.enclosing_connection
        assert raw is not None
        raw.execute("PRAGMA user_version = 99")
    shop("history => 20 ! was written by a newer version of mqsc")


def test_kinds_and_causes_are_completed_and_have_words(shop: Session) -> None:
    from mqsc.cli.history import history

    def completed(name: str, begun: str) -> list[str]:
        (parameter,) = (each for each in history.params if each.name == name)
        context = history.make_context("history", [])
        return [each.value for each in parameter.shell_complete(context, begun)]

    assert completed("kinds", "RE") == [
        "REFUSE",
        "REQUEUE",
        "REPORT",
        "REPORT_LOST",
        "RETAIN",
        "RECOVER",
    ]
    assert completed("kinds", "put,com") == ["put,COMMIT"]
    assert completed("causes", "int") == ["interval"]
    assert set(_WHAT) == set(KINDS)


def test_times_in_details_are_iso_texts(session: Session) -> None:
    session("""
        qmgr create QM1 --clock manual
        clock set 2026-03-01T09:00:00
        clock advance 5s
        history --limit 1 => > ; from 2026-03-01T09:00:00Z; to 2026-03-01T09:00:05Z
        history --limit 1 --format json => .kind ["CLOCK"]
            .detail [{"from": "2026-03-01T09:00:00Z", "to": "2026-03-01T09:00:05Z"}]
    """)


def test_whose_access_changed_is_said(session: Session) -> None:
    session("""
        qmgr create QM1
        user add carla --group auditors << s3cret\\n
        user add root2 --administrator << s3cret\\n
        user password carla << other\\n
        user groups carla --remove auditors
        user remove carla
        auth mode warn
        auth os-groups on
    """)
    lines = session("history --kind ACCESS").lines
    assert [line.split("  ")[2].split("; by ")[0] for line in lines] == [
        "user carla added",
        "carla joined group auditors",
        "administrator root2 added",
        "password of carla changed",
        "carla left group auditors",
        "user carla removed",
        "mode of authorities changed from auto to warn",
        "groups of the operating system changed from off to on",
    ]
    assert not [line for line in lines if "; before " in line or "; after " in line]


@pytest.mark.parametrize(
    ("identifier", "shown"),
    [
        (b"ORDER".ljust(24, b"\0"), "4F52444552"),
        (
            b"AMQ QM1 " + bytes(range(15, -1, -1)),
            "414D5120514D31200F0E0D0C0B0A09080706050403020100",
        ),
        (bytes(24), "00"),
        (b"", ""),
    ],
    ids=["filled", "the last byte is zero", "zero", "none"],
)
def test_only_zero_bytes_that_fill_an_identifier_are_left_out(
    identifier: bytes, shown: str
) -> None:
    assert short_id(identifier) == shown

"""`mqsc history`: text in, text out, by a manual clock."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from mqsc.history.event_text import _WHAT
from store.client.api import open_store
from store.message import Message
from store.published import KINDS
from tests.mqsc.conftest import Command
from tests.mqsc.screen import screen

ORDER, QUOTE = "4F52444552", "51554F5445"


@pytest.fixture
def shop(mqsc: Command) -> Command:
    """A store in which an order was got, a quote has expired, and the queue OLD was deleted."""
    mqsc("qmgr", "create", "SHOP", "--clock", "manual")
    mqsc("clock", "set", "2026-03-01T09:00")
    mqsc("run", "-c", "DEFINE QLOCAL(ORDERS)\nDEFINE QLOCAL(QUOTES) MAXDEPTH(10)\nDEFINE QLOCAL(OLD)")
    mqsc("put", "ORDERS", "one espresso machine", "--msg-id", ORDER, "--persistent")
    mqsc("put", "QUOTES", "two coffees", "--expiry", "30s", "--msg-id", QUOTE)
    mqsc("clock", "advance", "1m")
    mqsc("get", "ORDERS")
    mqsc("get", "QUOTES")
    mqsc("run", "-c", "DELETE QLOCAL(OLD)\nALTER QLOCAL(QUOTES) MAXDEPTH(20)")
    return mqsc


def shown(shop: Command, *arguments: str) -> list[str]:
    """The lines of the history without the user, each up to its first fact, if there are several."""
    ended = shop("history", *arguments)
    assert (ended.code, ended.err) == (0, "")
    return [line.split("; ")[0].split("  ", 1)[1] for line in ended.lines]


def test_the_events_of_a_queue(shop: Command) -> None:
    assert shown(shop, "ORDERS") == [
        "SHOP  QLOCAL ORDERS defined",
        "SHOP  ORDERS opened",
        "SHOP  message put on ORDERS",
        "SHOP  ORDERS closed",
        "SHOP  ORDERS opened",
        "SHOP  message got from ORDERS",
        "SHOP  ORDERS closed",
    ]


def test_the_life_of_a_message_says_who_removed_it(shop: Command) -> None:
    lines = [re.sub(r"user \w+", "user anna", line) for line in shop("history", "--msg-id", ORDER).lines]
    assert lines == [
        "2026-03-01T09:00:00Z  SHOP  message put on ORDERS; by mqsc, user anna, connection 1; MsgId 4F52444552; "
        "20 persistent bytes",
        "2026-03-01T09:01:00Z  SHOP  message got from ORDERS; by mqsc, user anna, connection 3; unit 12884901889; "
        "MsgId 4F52444552; 20 persistent bytes; put 2026-03-01T09:00:00Z by mqsc, user anna",
        "2026-03-01T09:01:00Z  SHOP  unit of work committed; by mqsc, user anna, connection 3; unit 12884901889",
    ]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--msg-id", ORDER[:6]], ["message put on ORDERS", "message got from ORDERS", "unit of work committed"]),
        (["--msg-id", ORDER, "--kind", "get"], ["message got from ORDERS"]),
        (["--msg-id", ORDER, "--limit", "1"], ["unit of work committed"]),
        *(
            (["--msg-id", pasted, "--limit", "1"], ["unit of work committed"])
            for pasted in (f"X'{ORDER}'", f"0x{ORDER.lower()}", f"ID:{ORDER.lower()}", f"{{{ORDER}}},", f'"{ORDER}"')
        ),
        (["--unit", "12884901889"], ["message got from ORDERS", "unit of work committed"]),
        (["--connection", "3", "--kind", "GET,COMMIT"], ["message got from ORDERS", "unit of work committed"]),
        (["QUOTES", "--kind", "EXPIRE"], ["message expired on QUOTES"]),
        (["--cause", "get"], ["message expired on QUOTES"]),
        (["Q*", "--kind", "PUT", "--kind", "EXPIRE"], ["message put on QUOTES", "message expired on QUOTES"]),
        (["*", "--kind", "PUT", "--limit", "1"], ["message put on QUOTES"]),
        (["OLD"], ["QLOCAL OLD defined", "QLOCAL OLD deleted"]),
        (["QUOTES", "--kind", "ALTER"], ["QLOCAL QUOTES changed"]),
        (["ORDERS", "--kind", "PUT,GET", "--since", "30s"], ["message got from ORDERS"]),
        (["ORDERS", "--kind", "PUT,GET", "--until", "30s"], ["message put on ORDERS"]),
        (["ORDERS", "--kind", "PUT,GET", "--since", "2026-03-01T09:01"], ["message got from ORDERS"]),
        (["ORDERS", "--kind", "PUT", "--since", "2026-03-01", "--until", "2026-03-02"], ["message put on ORDERS"]),
        (["ORDERS", "-m", "SHOP", "--kind", "GET"], ["message got from ORDERS"]),
    ],
)
def test_what_is_chosen(shop: Command, arguments: list[str], expected: list[str]) -> None:
    assert shown(shop, *arguments) == [f"SHOP  {each}" for each in expected]


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["NOPE"], 10, "AMQ8147E: IBM MQ object NOPE not found, and the history has no event of such a queue."),
        (["ordres"], 10, "such a queue. Did you mean ORDERS?"),
        (["NOPE*"], 10, "AMQ8147E"),
        (["ORDERS", "--kind", "TRIGGER"], 0, "mqsc: no event matches"),
        (["OLD", "--since", "10s"], 0, "mqsc: no event matches")
        if False
        else (["OLD", "--kind", "PUT"], 0, "no event"),
        (["--msg-id", "FF"], 10, "no message here, and none in the history"),
        (["--msg-id", "ORDER"], 20, "'ORDER' is not hexadecimal"),
        (["--unit", "7"], 10, "the history has no unit of work 7"),
        (["--connection", "99999999999999999999"], 10, "the history has no connection 99999999999999999999"),
        (["--unit", "0"], 20, "0 is not in the range"),
        (["--kind", "FOO"], 20, "'FOO' is not a kind of event; use CREATE, JOIN,"),
        (["--kind", "PUT,"], 20, "'' is not a kind of event"),
        (["--cause", "luck"], 20, "'luck' is not a cause of events; use abend, "),
        (["--kind", "PUT", "--cause", "interval"], 20, "PUT has no cause 'interval'; use stream"),
        (["--kind", "COMMIT", "--cause", "stream"], 20, "COMMIT has no cause 'stream'; no such event has one"),
        (["--since", "yesterday"], 20, "'yesterday' is not a time; examples: 2026-03-01"),
        (["--since", "2h", "--until", "3h"], 20, "--since is not before --until"),
        (["--limit", "0"], 20, "--limit 0 shows nothing"),
        (["--follow", "--until", "1h"], 20, "--until is for events of the past"),
        (["A B"], 20, "'A B' is not the name of a queue"),
        (["-m", "NOPE"], 10, "AMQ8118E: IBM MQ queue manager 'NOPE' does not exist."),
        (["--store", "none.db"], 20, "there is no store at"),
        (["--format", "yaml"], 20, "'amqsevt'"),
    ],
)
def test_what_is_not_there_or_makes_no_sense(shop: Command, arguments: list[str], code: int, said: str) -> None:
    ended = shop("history", *arguments)
    assert (ended.code, ended.out) == (code, "")
    assert said in ended.err


def test_a_store_of_a_newer_version(shop: Command, tmp_path: Path) -> None:
    with open_store(f"sqlite:///{tmp_path}/store.db") as store, store.database.one_transaction():
        connection = store.database.enclosing_connection
        assert connection is not None
        connection.execute("PRAGMA user_version = 99")
    ended = shop("history")
    assert (ended.code, ended.out) == (20, "")
    assert "was written by a newer version of mqsc" in ended.err


def test_an_ambiguous_prefix_lists_the_candidates(shop: Command) -> None:
    shop("put", "ORDERS", "x", "--msg-id", "4F53")
    ended = shop("history", "--msg-id", "4F")
    assert ended.code == 20
    assert "2 MsgIds begin with 4F; write more digits:\n  4F52" in ended.err


def test_a_queue_manager_that_was_deleted(shop: Command) -> None:
    shop("qmgr", "end", "SHOP", "--immediate")
    shop("qmgr", "delete", "SHOP")
    assert shown(shop, "-m", "SHOP", "ORDERS", "--kind", "GET") == ["SHOP  message got from ORDERS"]


def test_as_data(shop: Command) -> None:
    (row,) = map(json.loads, shop("history", "QUOTES", "--kind", "EXPIRE", "--format", "jsonl").lines)
    assert {**row, "seq": 0, "user": "", "put_user": ""} == {
        "seq": 0,
        "at": "2026-03-01T09:01:00Z",
        "qmgr": "SHOP",
        "kind": "EXPIRE",
        "cause": "get",
        "queue": "QUOTES",
        "target": None,
        "msg_id": QUOTE.lower().ljust(48, "0"),
        "correl_id": None,
        "priority": 0,
        "persistence": 0,
        "length": 11,
        "put_at": "2026-03-01T09:00:00Z",
        "expires_at": "2026-03-01T09:00:30Z",
        "put_application": "mqsc",
        "put_user": "",
        "unit": None,
        "connection": 4,
        "application": "mqsc",
        "user": "",
        "reason": None,
        "rule": None,
        "detail": None,
        "what": "message expired on QUOTES",
    }
    assert json.loads(shop("history", "QUOTES", "--kind", "EXPIRE", "--format", "json").out) == [row]
    assert json.loads(shop("history", "QUOTES", "--kind", "MOVE", "--format", "json").out) == []


def test_in_the_shape_of_amqsevt(shop: Command) -> None:
    lines = shop("history", "QUOTES", "--kind", "ALTER", "--format", "amqsevt").lines
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


def test_the_json_of_amqsevt(shop: Command) -> None:
    (row,) = map(json.loads, shop("history", "QUOTES", "--kind", "EXPIRE", "--format", "amqsevt-json").lines)
    assert row["eventSource"] == {
        "objectName": "SYSTEM.ADMIN.TRACE.ACTIVITY.QUEUE",
        "objectType": "Queue",
        "queueMgr": "SHOP",
    }
    assert row["eventType"] == {"name": "Activity Trace", "value": 209}
    assert row["eventReason"] == {"name": "None", "value": 0}
    assert row["eventCreation"] == {"timeStamp": "2026-03-01T09:01:00Z", "epoch": 1_772_355_660}
    assert row["eventData"]["msgId"] == QUOTE.ljust(48, "0")
    assert row["eventData"]["historyCause"] == "get"


def test_on_a_terminal(shop: Command, tmp_path: Path) -> None:
    printed = screen(tmp_path, "history", "ORDERS", "--kind", "PUT", width=80)
    assert re.sub(r"user \w+", "user anna", printed) == (
        "2026-03-01 UTC\n"
        "09:00:00         SHOP  message put on ORDERS\n"
        "                         by mqsc, user anna, connection 1; MsgId 4F52444552; 20\n"
        "                         persistent bytes\n"
    )


def test_on_a_narrow_terminal(shop: Command, tmp_path: Path) -> None:
    printed = screen(tmp_path, "history", "ORDERS", "--kind", "PUT", width=40)
    assert re.sub(r"user \w+", "user anna", printed) == (
        "2026-03-01 UTC\n"
        "09:00:00  SHOP\n"
        "  message put on ORDERS\n"
        "    by mqsc, user anna, connection 1;\n"
        "    MsgId 4F52444552; 20 persistent\n"
        "    bytes\n"
    )


def test_names_cannot_control_a_terminal(shop: Command, tmp_path: Path) -> None:
    with (
        open_store(f"sqlite:///{tmp_path}/store.db") as store,
        store.queue_manager("SHOP").connect(application="\x1b[31mred\nX", user="eve\x07") as connection,
    ):
        connection.put1("ORDERS", Message(b"x"))
    for printed in (
        screen(tmp_path, "history", "ORDERS", "--limit", "1", width=100),
        shop("history", "ORDERS", "--limit", "1").out,
        shop("history", "ORDERS", "--limit", "1", "--format", "amqsevt").out,
    ):
        assert "\x1b" not in printed
        assert "\x07" not in printed
        assert "red\nX" not in printed
        assert "\\x1b[31mred\\x0aX" in printed


def test_kinds_and_causes_are_completed(shop: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    from mqsc.cli.history import history

    def completed(name: str, begun: str) -> list[str]:
        (parameter,) = (each for each in history.params if each.name == name)
        context = history.make_context("history", [])
        return [each.value for each in parameter.shell_complete(context, begun)]

    assert completed("kinds", "RE") == ["REFUSE", "REQUEUE", "REPORT", "REPORT_LOST", "RECOVER"]
    assert completed("kinds", "put,com") == ["put,COMMIT"]
    assert completed("causes", "int") == ["interval"]


def test_every_kind_has_words() -> None:
    assert set(_WHAT) == set(KINDS)


def test_times_in_details_are_iso_texts(mqsc: Command) -> None:
    mqsc("qmgr", "create", "QM1", "--clock", "manual")
    mqsc("clock", "set", "2026-03-01T09:00:00")
    mqsc("clock", "advance", "5s")
    moved = {"from": "2026-03-01T09:00:00Z", "to": "2026-03-01T09:00:05Z"}
    (event,) = json.loads(mqsc("history", "--limit", "1", "--format", "json").out)
    assert (event["kind"], event["detail"]) == ("CLOCK", moved)
    assert mqsc("history", "--limit", "1").out.endswith(f"; from {moved['from']}; to {moved['to']}\n")

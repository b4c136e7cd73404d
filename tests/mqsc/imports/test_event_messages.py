"""Event messages of IBM MQ: scenarios I21 and I42 to I57 of the specification."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mqsc.imports.qload_output import heading, qload_lines
from mqsc.store.constants import MQCFC, MQCFT, MQCMD, MQIA, MQIACF, MQRC
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.headers.pcf import CommandHeader, Parameter, pack
from mqsc.store.message import Message
from tests.mqsc.conftest import Command
from tests.mqsc.imports.history import corpus, events, imported, needs_corpus, short

NINE = 1_772_355_600
MSG_ID = "414D512053484F50" + "20" * 8 + "01" * 8
CONNECTION = "414D5143" + "00" * 20


def message(
    type_: int,
    reason: int,
    data: dict[str, Any],
    at: int = NINE,
    qmgr: str = "SHOP",
    **more: Any,
) -> dict[str, Any]:
    """An event message as amqsevt prints it in JSON."""
    return {
        "eventSource": {
            "objectName": "SYSTEM.ADMIN.EVENT",
            "objectType": "Queue",
            "queueMgr": qmgr,
        },
        "eventType": {"name": "Some Event", "value": type_},
        "eventReason": {"name": "Some Reason", "value": reason},
        "eventCreation": {"timeStamp": "2026-03-01T09:00:00Z", "epoch": at},
        **more,
        "eventData": {"queueMgrName": qmgr, **data},
    }


def written(*each: dict[str, Any], indent: int | None = 2) -> str:
    """Messages one after the other, with an empty line between them."""
    return "\n\n".join(json.dumps(one, indent=indent) for one in each) + "\n"


FULL = {
    "baseObjectName": "EVT.FULL",
    "timeSinceReset": 2,
    "highQueueDepth": 1,
    "msgEnqCount": 1,
    "msgDeqCount": 0,
}
CHANGE = {"eventUserId": "anna", "objectType": "Queue", "queueName": "ORDERS", "queueType": "Local"}
COMMAND = {
    "commandContext": {
        "eventUserId": "anna",
        "eventApplName": "runmqsc",
        "command": "Change Queue",
    },
    "commandData": {"queueName": "ORDERS", "queueDesc": "x"},
}
STOPPED = {"channelName": "TO.QM2", "xmitQueueName": "QM2", "connectionName": "1.2.3.4"}


@needs_corpus
def test_i42_statistics_are_observations_of_an_interval(mqsc: Command) -> None:
    assert mqsc("import", corpus("DataDog")).code == 0
    found = events(mqsc)
    assert [each["kind"] for each in found] == ["OBSERVE"] * 15
    first = found[0]["detail"]
    assert (first["from"], first["to"]) == ("2020-06-06T21:13:46Z", "2020-06-06T21:14:16Z")
    assert (first["zone"], first["class"], first["puts"]) == ("+00:00", "queue statistics", [14, 0])
    assert ("avgQueueTime" in first, found[-1]["detail"]["avgQueueTime"]) == (False, [46, 0])


LAYOUTS = {
    "lines": written(message(44, 2222, {}), message(45, 2053, FULL)),
    "compact": written(message(44, 2222, {}), message(45, 2053, FULL), indent=None),
    "array": json.dumps([message(44, 2222, {}), message(45, 2053, FULL)], indent=1),
    "array in a line": json.dumps([message(44, 2222, {}), message(45, 2053, FULL)]),
}


@pytest.mark.parametrize("text", LAYOUTS.values(), ids=list(LAYOUTS))
def test_i43_messages_may_follow_one_another_or_be_an_array(mqsc: Command, text: str) -> None:
    for _ in range(2):
        assert imported(mqsc, text, name="events.json").code == 0
        assert short(events(mqsc)) == ["START", "OBSERVE EVT.FULL"]


TRAPS = {
    "negative": ('"reasonQualifier": "-1"', {"reasonQualifier": "-1"}),
    "leading zeros": ('"connTag" : 000012', {"connTag": "000012"}),
    "tab": ('"processDesc": "a\tb"', {"processDesc": "a\tb"}),
    "NUL": ('"channelName": "A\\u0000\\u0003"', {"channelName": "A"}),
    "unknown": ('"unknown[2138]": "S"', {"streamQueueName": "S"}),
    "constant": ('"MQCA_XMIT_Q_NAME": "X"', {"xmitQueueName": "X"}),
    "repeated": ('"operation": 1, "operation": 2, "operation": 3', {"operation": [1, 2, 3]}),
    "no comma": ('"a": [] "b": 1', {"a": [], "b": 1}),
}


@pytest.mark.parametrize(("part", "expected"), TRAPS.values(), ids=list(TRAPS))
def test_i44_i45_i46_i56_what_is_no_json_is_read(
    mqsc: Command,
    part: str,
    expected: dict[str, Any],
) -> None:
    text = written(message(44, 2085, {"x": 1})).replace('"x": 1', part)
    assert imported(mqsc, text, name="events.json").code == 0
    (found,) = events(mqsc)
    assert found["detail"]["inserts"] == expected


def test_a_damaged_message_costs_one(mqsc: Command) -> None:
    text = (
        written(message(44, 2222, {}))
        + written(message(44, 2222, {})).replace(":", "", 1)
        + written(message(44, 2223, {}))
    )
    ended = imported(mqsc, text, "--keep-going", name="events.json")
    assert (ended.code, "events.json:" in ended.err) == (10, True)
    assert short(events(mqsc)) == ["START", "END controlled"]
    assert (
        imported(mqsc, written(message(44, 2222, {}))[:-80], "--keep-going", name="cut.json").code
        == 10
    )


MEANINGS = {
    "I50": (45, 2053, FULL, "OBSERVE EVT.FULL"),
    "I51": (44, 2223, {"reasonQualifier": "Queue Mgr Quiescing"}, "END controlled"),
    "immediate": (44, 2223, {"reasonQualifier": 5}, "END immediate"),
    "start": (44, 2222, {}, "START"),
    "I52": (
        46,
        2283,
        {**STOPPED, "reasonQualifier": "Channel Stopped Retry"},
        "CHANNEL retry QM2 TO.QM2",
    ),
    "stopped by user": (46, 2279, STOPPED, "CHANNEL stopped QM2 TO.QM2"),
    "bound": (46, 2282, STOPPED, "CHANNEL bound QM2 TO.QM2"),
    "failed": (46, 2284, STOPPED, "CHANNEL failed QM2 TO.QM2"),
    "blocked": (46, 2577, {"channelName": "A", "clientUserIdentifier": "eve"}, "REFUSE imported A"),
    "password": (
        44,
        2035,
        {"reasonQualifier": "Csp Not Authorized", "userIdentifier": "eve"},
        "REFUSE password",
    ),
    "connect": (44, 2035, {"reasonQualifier": 1}, "REFUSE imported"),
    "open": (44, 2035, {"reasonQualifier": 2, "queueName": "Q"}, "LOG Q"),
    "unknown object": (44, 2085, {"queueName": "NOPE", "applName": "billing"}, "LOG NOPE"),
    "auto defined": (46, 2233, {"channelName": "A"}, "DEFINE A CHANNEL"),
    "created": (43, 2367, {**CHANGE, "maxQueueDepth": 10}, "DEFINE ORDERS QLOCAL"),
    "deleted": (43, 2369, CHANGE, "DELETE ORDERS QLOCAL"),
    "refreshed": (43, 2370, CHANGE, "OBSERVE ORDERS QLOCAL"),
    "I49": (43, 2368, CHANGE, "ALTER ORDERS QLOCAL"),
    "cleared": (
        99,
        2412,
        {"commandContext": {"command": "Clear Queue"}, "commandData": {"queueName": "Q"}},
        "CLEAR Q",
    ),
    "command": (99, 2412, COMMAND, "LOG ORDERS"),
    "logger": (91, 2411, {}, "LOG"),
    "accounting": (
        167,
        0,
        {"applName": "billing", "connectionId": CONNECTION, "openCount": [1, 0]},
        "OBSERVE",
    ),
}


@pytest.mark.parametrize(
    ("type_", "reason", "data", "expected"),
    MEANINGS.values(),
    ids=list(MEANINGS),
)
def test_i49_i50_i51_i52_what_messages_become(
    mqsc: Command,
    type_: int,
    reason: int,
    data: dict[str, Any],
    expected: str,
) -> None:
    assert imported(mqsc, written(message(type_, reason, data)), name="events.json").code == 0
    (found,) = events(mqsc)
    assert short([found]) == [expected]
    assert (found["qmgr"], found["at"], found["detail"]["precision"]) == (
        "SHOP",
        "2026-03-01T09:00:00Z",
        "second",
    )


def test_i50_counts_are_since_the_reset(mqsc: Command) -> None:
    imported(mqsc, written(message(45, 2053, FULL)), name="events.json")
    (found,) = events(mqsc)
    assert (found["reason"], found["detail"]["from"]) == (2053, "2026-03-01T08:59:58Z")
    assert (found["detail"]["msgEnqCount"], found["detail"]["class"]) == (1, "performance")


@pytest.mark.parametrize("is_command_first", [False, True])
def test_i47_a_command_is_part_of_what_it_did(mqsc: Command, is_command_first: bool) -> None:
    created = message(
        43,
        2367,
        {**CHANGE, "maxQueueDepth": 10, "inhibitGet": "Get Inhibited"},
        correlationID="AB",
    )
    both = [created, message(99, 2412, COMMAND, correlationID="AB")]
    imported(mqsc, written(*(reversed(both) if is_command_first else both)), name="events.json")
    (found,) = events(mqsc)
    detail = found["detail"]
    assert (detail["MAXDEPTH"], detail["GET"]) == ([None, 10], [None, "DISABLED"])
    assert (found["user"], found["application"], detail["command"][:8]) == (
        "anna",
        "runmqsc",
        "CHANGE_Q",
    )


@pytest.mark.parametrize(
    "given",
    [
        {"sslCryptoHardware": "GSK;S3CRTPWA;"},
        {"MQCA_SSL_CRYPTO_HARDWARE": "GSK;)S3CRTPWA;"},
        {"unknown[2051]": "S3CRTPWA"},
        {"attributes": {"initialKey": "S3CRTPWA"}},
        {
            "commandMQSC": "ALTER QMGR SSLCRYP('S3CRTPWA')",
            "commandMqsc": "ALTER QMGR SSLCRYP('S3CRTPWA')",
        },
    ],
)
def test_the_secrets_of_a_command_are_not_kept(mqsc: Command, given: dict[str, Any]) -> None:
    command = {
        "commandContext": {"command": "Change Queue Mgr"},
        "commandData": {**given, "queueMgrDesc": "x"},
    }
    assert imported(mqsc, written(message(99, 2412, command)), name="events.json").code == 0
    (found,) = events(mqsc)
    assert ("S3CRTPWA" in str(found), "********" in str(found)) == (False, True)


def test_i48_both_halves_of_a_change_are_one(mqsc: Command) -> None:
    halves = [
        message(
            43,
            2368,
            {**CHANGE, "queueDesc": text},
            correlationID="AB",
            objectState=f"{state} Change",
        )
        for text, state in (("", "Before"), ("x", "After"))
    ]
    imported(mqsc, written(*halves), name="events.json")
    (found,) = events(mqsc)
    assert (short([found]), found["detail"]["DESCR"]) == (["ALTER ORDERS QLOCAL"], ["", "x"])


def call(id: str, second: int, **more: Any) -> dict[str, Any]:
    """A call in an activity trace, so many seconds after nine."""
    ok = {"name": "Ok", "value": 0}
    return {"operationId": id, "compCode": ok, "highresTime": (NINE + second) * 1_000_000, **more}


IN_UNIT = {
    "resolvedLocalQueueName": "ORDERS",
    "msgId": MSG_ID,
    "correlId": "00" * 24,
    "msgLength": 11,
    "priority": 4,
}
PUT = {**IN_UNIT, "putOptions": "0x00000002 ", "persistence": "Persistent", "expiry": "-1"}
GET = {**IN_UNIT, "getOptions": 2}
FAILED = {
    "compCode": {"name": "Failed", "value": 2},
    "reasonCode": {"value": 2033},
    "objectName": "ORDERS",
}
OPEN = {"objectName": "ORDERS", "hobj": 2, "openOptions": {"options": 8208, "optionsString": "x"}}


def trace(*calls: dict[str, Any], **more: Any) -> dict[str, Any]:
    """An activity trace message of a program."""
    who = {"applName": "billing", "userIdentifier": "anna", "connectionId": CONNECTION}
    return message(209, 0, {**who, "activityTrace": list(calls)}, **more)


def test_i53_a_trace_is_the_calls_of_a_program(mqsc: Command) -> None:
    calls = [call("Open", 1, **OPEN), call("Put", 2, **PUT), call("Get", 3, **GET), call("Cmit", 4)]
    rest = [call("Get", 5, **FAILED), call("Close", 6, **OPEN)]
    # Messages have so many calls each; the unit of work goes on.
    imported(mqsc, written(trace(*calls[:2]), trace(*calls[2:], *rest)), name="trace.json")
    found = events(mqsc)
    assert short(found) == [
        "OPEN ORDERS",
        "PUT ORDERS",
        "GET ORDERS",
        "COMMIT",
        "LOG ORDERS",
        "CLOSE ORDERS",
    ]
    assert len({each["unit"] for each in found[1:4] if each["unit"]}) == 1
    assert len({each["connection"] for each in found}) == 1
    put = found[1]
    assert (put["at"], put["length"], put["msg_id"], put["persistence"]) == (
        "2026-03-01T09:00:02Z",
        11,
        MSG_ID.lower(),
        1,
    )
    assert (put["detail"]["inferred"], put["detail"]["precision"], found[4]["reason"]) == (
        True,
        "microsecond",
        2033,
    )
    assert "put on ORDERS" in mqsc("trace", MSG_ID).out


def test_a_message_is_followed_from_one_queue_manager_to_the_next(mqsc: Command) -> None:
    sent = trace(call("Put", 1, **{**PUT, "resolvedLocalQueueName": "TO.BANK", "putOptions": 4}))
    arrived = trace(
        call("Put", 2, **{**PUT, "putOptions": 4}),
        call("Get", 3, **{**GET, "getOptions": 0}),
        qmgr="BANK",
    )
    for name, each in (("shop.json", sent), ("bank.json", arrived)):
        imported(mqsc, written(each), name=name)
    steps = [(step["qmgr"], step["kind"]) for step in events(mqsc, "--msg-id", MSG_ID)]
    assert steps == [("SHOP", "PUT"), ("BANK", "PUT"), ("BANK", "GET")]
    lines = "\n".join(mqsc("trace", MSG_ID).lines)
    assert "put on TO.BANK" in lines
    assert "got from ORDERS" in lines


def test_i54_a_backout_says_how_much_it_undid(mqsc: Command) -> None:
    plain = {**PUT, "putOptions": "0x00000004 "}
    browse = {**GET, "getOptions": 0x12}
    calls = [
        call("Put", 1, **PUT),
        call("Back", 2),
        call("Put1", 3, **plain),
        call("Callback", 4, **GET),
        call("Get", 5, **browse),
    ]
    imported(mqsc, written(trace(*calls)), name="trace.json")
    found = events(mqsc)
    assert short(found) == ["PUT ORDERS", "BACKOUT application", "PUT ORDERS", "GET ORDERS"]
    assert found[1]["detail"]["ORDERS"] == {"puts": 1, "gets": 0}
    assert (found[0]["unit"] == found[1]["unit"], found[2]["unit"], found[3]["unit"] is None) == (
        True,
        None,
        False,
    )


TEXT = """**** Message #1 (220 Bytes) on Queue SYSTEM.ADMIN.QMGR.EVENT ****
{head}Event Type{gap}: Queue Mgr Event [44]
{head}Reason{gap}: Unknown Object Name [2085]
{head}Event created{gap}: 2026/03/01 09:00:00.12 GMT
  Queue Mgr Name{gap}: SHOP
  Appl Type{gap}: Unix
  Appl Name{gap}: billing
  Queue Name{gap}: NOPE
  Context
    Event User Id{gap}: a: b

"""


@pytest.mark.parametrize("gap", ["    ", "  ", " \t"])
def test_i55_text_has_its_colons_in_some_column(mqsc: Command, gap: str) -> None:
    imported(mqsc, "Sample AMQSEVT start\n\n" + TEXT.format(head="", gap=gap), name="events.txt")
    (found,) = events(mqsc)
    assert (short([found]), found["application"], found["reason"]) == (
        ["LOG NOPE"],
        "billing",
        2085,
    )
    assert (found["at"], found["detail"]["event"]) == (
        "2026-03-01T09:00:00.120000Z",
        "MQRC_UNKNOWN_OBJECT_NAME (2085)",
    )
    assert found["detail"]["inserts"] == {"applType": "Unix", "context": {"eventUserId": "a: b"}}


def test_what_history_prints_as_amqsevt_is_read(mqsc: Command) -> None:
    mqsc("qmgr", "create", "OWN")
    for format in ("amqsevt", "amqsevt-json"):
        Path("own.txt").write_text(
            mqsc("history", "--format", format, "--kind", "START", "-m", "OWN").out,
        )
        assert (
            mqsc("import", "own.txt", "--rename", f"OWN={format.upper().replace('-', '.')}").code
            == 0
        )
        assert short(events(mqsc, "-m", format.upper().replace("-", "."))) == ["START"]


REFUSED = {
    "MH05": (
        "-----[01/22/2011-17:56:31]---\n     ReasonCode: 2222\n      EventName: Queue Manager "
        "Active\n"
    ),
    "amqsmon": "MonitoringType: QueueStatistics\nQueueManager: 'SHOP'\n",
    "dspmqrte": (
        "AMQ8653I: DSPMQRTE command started with options '-q ORDERS'.\nActivity:\n ApplName: "
        "'billing'\n"
    ),
    "dmpmqlog": "AMQ7701I: DMPMQLOG command is starting.\nLOG FILE HEADER\n***************\n",
    "dmpmqaut": (
        "profile:     ORDERS\nobject type: queue\nentity:      shop\ntype:        "
        "group\nauthority:   get\n"
    ),
    "dspmqaut": "Entity shop has the following authorizations for object ORDERS:\n\tget\n",
    "FFST": (
        "+----+\n| IBM MQ First Failure Symptom Report |\n| Date/Time :- Sun March 01 2026 "
        "10:00:00 CET |\n"
    ),
    "ffstsummary": (
        "AMQ4711.0.FDC 2026/03/01 10:00:00.123456+60 amqzlaa0 4711 1 XC034255 xcsWaitEventSem\n"
    ),
    "REST": '{"commandResponse": [{"completionCode": 0, "parameters": {"queue": "ORDERS"}}]}\n',
}


@pytest.mark.parametrize("text", REFUSED.values(), ids=list(REFUSED))
def test_i57_what_other_programs_print_is_refused_by_name(mqsc: Command, text: str) -> None:
    ended = imported(mqsc, text, name="other.txt")
    assert (ended.code, "is not read" in ended.err) == (20, True)


def pcf(
    command: int,
    reason: int,
    *parameters: Parameter,
    encoding: int = 546,
    control: int = int(MQCFC.LAST),
) -> bytes:
    """An event message in PCF."""
    return pack(
        CommandHeader(int(MQCFT.EVENT), command, 1, reason, control=control),
        parameters,
        encoding,
    )


@pytest.mark.parametrize("encoding", [546, 273])
def test_i21_messages_in_pcf(mqsc: Command, encoding: int) -> None:
    name = Parameter(2015, "SHOP", 48)
    depth = pcf(
        int(MQCMD.PERFM_EVENT),
        int(MQRC.Q_DEPTH_HIGH),
        name,
        Parameter(2002, "ORDERS", 48),
        Parameter(int(MQIA.TIME_SINCE_RESET), 2),
        Parameter(int(MQIACF.OBJECT_TYPE), 1),
        encoding=encoding,
    )
    stopped = pcf(
        int(MQCMD.Q_MGR_EVENT),
        int(MQRC.Q_MGR_NOT_ACTIVE),
        name,
        Parameter(1020, 5),
        encoding=encoding,
    )
    assert imported(mqsc, depth + stopped, name="events.bin").code == 0
    found = events(mqsc)
    assert short(found) == ["OBSERVE ORDERS", "END immediate"]
    assert {each["detail"]["precision"] for each in found} == {"unknown"}
    ended = imported(mqsc, depth[:-4] + stopped, name="bad.bin")
    assert (ended.code, "not PCF" in ended.err) == (10, True)


def test_i21_messages_in_pcf_in_a_file_of_dmpmqmsg(mqsc: Command) -> None:
    started = pcf(
        int(MQCMD.Q_MGR_EVENT),
        int(MQRC.Q_MGR_ACTIVE),
        Parameter(2015, "SHOP", 48),
        encoding=273,
    )
    described = MessageDescriptor(
        format="MQEVENT",
        encoding=273,
        put_date="20260301",
        put_time="09593012",
    )
    plain = MessageDescriptor(format="MQSTR", put_date="20260301", put_time="09593012")
    messages = [Message(started, described), Message(b"hello", plain)]
    lines = [
        *heading("SHOP", "E", "Sun Mar  1 10:00:05 2026"),
        *(line for each in messages for line in qload_lines(each)),
    ]
    ended = imported(
        mqsc,
        "\n".join(lines) + "\n",
        "--format",
        "pcf",
        "--keep-going",
        name="events.qload",
    )
    assert (ended.code, "events.qload:39: not PCF" in ended.err) == (10, True)
    (event,) = events(mqsc)
    assert (event["kind"], event["at"], event["detail"]["precision"]) == (
        "START",
        "2026-03-01T09:59:30.120000Z",
        "hundredth",
    )


def test_i66_secrets_are_asterisks(mqsc: Command) -> None:
    secret = {
        "channelName": "A",
        "objectType": "Channel",
        "channelType": "Sender",
        "password": "geheim1",
    }
    given = {
        "commandContext": {"command": "Change Channel"},
        "commandData": {"commandMqsc": "ALTER CHL(A) PASSWORD('geheim2')"},
    }
    imported(
        mqsc,
        written(message(43, 2367, secret), message(99, 2412, given), message(44, 2085, secret)),
        name="events.json",
    )
    assert len(events(mqsc)) == 3
    assert b"geheim" not in Path("store.db").read_bytes()
    assert "PASSWORD(********)" in events(mqsc)[1]["detail"]["text"].replace("'", "")


def test_own_history_is_kept_apart(mqsc: Command) -> None:
    mqsc("qmgr", "create", "QM1")
    mqsc("run", "-c", "DEFINE QLOCAL(ORDERS)")
    mqsc("put", "ORDERS", "own")
    before = mqsc("depth", "ORDERS", "--format", "jsonl").rows
    cleared = message(
        99,
        2412,
        {"commandContext": {"command": "Clear Queue"}, "commandData": {"queueName": "ORDERS"}},
    )
    put = trace(call("Put", 1, **{**PUT, "putOptions": 4}), call("Put", 2, **PUT))
    imported(
        mqsc,
        written(put, cleared, message(43, 2369, CHANGE), message(44, 2222, {})),
        name="events.json",
    )
    ended = mqsc("reconcile")
    assert (ended.code, "SHOP" in ended.out) == (0, False)
    assert mqsc("depth", "ORDERS", "--format", "jsonl").rows == before
    assert [
        row["body"]["text"]
        for row in mqsc("browse", "ORDERS", "--as-of", "0s", "--format", "jsonl").rows
    ] == [
        "own",
    ]

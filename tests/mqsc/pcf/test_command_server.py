"""The command server, by the scenarios F01-F40 of the specification."""

from __future__ import annotations

from typing import Any

import pytest

import mqsc
from mqsc import Message, MessageDescriptor, PutMessageOptions
from mqsc.store.admin.peeking import peek
from mqsc.store.constants import MQMT, MQOO, MQOP, MQPMO, MQRO
from mqsc.store.environment import Environment, FrozenClock
from mqsc.store.headers import pcf
from mqsc.store.headers.pcf import Filter, Parameter
from tests.mqsc.pcf.conftest import (
    COMMANDS,
    LOCAL,
    NAME,
    REPLIES,
    TYPE,
    Administrator,
    named,
    request,
)
from tests.rows import rows

FAILED = (2, 3008)
INQUIRE_Q, CREATE_Q, CHANGE_Q, COPY_Q, DELETE_Q, CLEAR_Q = 13, 11, 8, 10, 12, 9
Q_ATTRS, DEPTH, MAX_DEPTH, HIGH_EVENT, ALL = 1002, 3, 15, 43, 1009
PARAMETER, SELECTOR = 1012, 1014

P1 = bytes.fromhex(
    """1000000024000000030000000d0000000100000001000000000000000000000002000000
    040000001c000000e007000000000000060000004f52444552530000
    0500000018000000ea03000002000000030000000f000000""",
)
P1_RESPONSE = bytes.fromhex(
    f"""0200000024000000030000000d0000000100000001000000000000000000000004000000
    0400000044000000e0070000b8040000300000004f5244455253{"20" * 42}
    03000000100000001400000001000000 03000000100000000300000007000000 03000000100000000f00000088130000""",
)
P2 = bytes.fromhex(
    """1000000024000000030000000b0000000100000001000000000000000000000002000000
    040000001c000000e007000000000000060000004f52444552530000 03000000100000001400000001000000""",
)
P2_RESPONSES = [
    bytes.fromhex("0200000024000000030000000b000000010000000000000002000000a10f000000000000"),
    bytes.fromhex("0200000024000000030000000b000000020000000100000002000000c00b000000000000"),
]
P3 = bytes.fromhex("010000002400000001000000280000000100000001000000000000000000000000000000")
P3_RESPONSE = bytes.fromhex(
    "020000002400000001000000280000000100000001000000000000000000000000000000",
)
P3_BIG = bytes.fromhex("000000010000002400000001000000280000000100000001000000000000000000000000")


def put(admin: Administrator, queue: str, count: int) -> None:
    handle = admin.connection.open(queue, int(MQOO.OUTPUT))
    handle.put([Message(b"x") for _ in range(count)])
    handle.close()


@pytest.fixture
def orders(admin: Administrator) -> Administrator:
    admin.run("DEFINE QLOCAL(ORDERS)")
    put(admin, "ORDERS", 7)
    return admin


@pytest.mark.parametrize(
    ("data", "expected"),
    [(P1, [P1_RESPONSE]), (P2, P2_RESPONSES), (P3, [P3_RESPONSE])],
    ids=["P1", "P2", "P3"],
)
def test_f01_exact_bytes(orders: Administrator, data: bytes, expected: list[bytes]) -> None:
    sent = orders.put(data)
    received = list(orders.messages())
    assert [each.body for each in received] == expected
    d = received[0].descriptor
    assert (d.msg_type, d.format, d.correl_id, d.put_appl_name) == (
        MQMT.REPLY,
        "MQADMIN",
        sent.msg_id,
        "amqpcsea",
    )
    assert (d.encoding, d.coded_char_set_id, d.expiry, d.report) == (546, 1208, -1, 0)


def test_f02_big_endian(admin: Administrator) -> None:
    admin.put(P3_BIG, encoding=273)
    assert [each.body for each in admin.messages()] == [P3_RESPONSE]


@pytest.mark.parametrize("ccsid", [500, 273])
def test_f03_ebcdic(orders: Administrator, ccsid: int) -> None:
    data = request(
        INQUIRE_Q,
        Parameter(NAME, "ORDERS"),
        Parameter(Q_ATTRS, [3, 15]),
        encoding=273,
        ccsid=ccsid,
    )
    orders.put(data, encoding=273, coded_char_set_id=ccsid)
    assert [each.body for each in orders.messages()] == [P1_RESPONSE]
    orders.put(P1, coded_char_set_id=99)
    refused, _ = orders.responses()
    assert (refused.outcome, refused.parameters) == ((2, 3049), {2: 1208}), (
        "a character set that is not supported"
    )


@rows(
    ([Parameter(NAME, "NONE")], 2085),
    ([Parameter(NAME, "X*")], 2085),
    (
        [Parameter(NAME, "*"), Parameter(DEPTH, Filter(4, 0)), Parameter(MAX_DEPTH, Filter(4, 0))],
        3248,
    ),
    ([Parameter(NAME, "*"), Parameter(DEPTH, Filter(18, 0))], 3242),
    ([Parameter(NAME, "*"), Parameter(HIGH_EVENT, Filter(2, 1))], 3243),
    ([Parameter(NAME, "*"), Parameter(TYPE, 3), Parameter(TYPE, Filter(2, 3))], 3243),
)
def test_f04_f06_f13_f14_f41_f42_no_such_queue_and_wrong_filters(
    admin: Administrator,
    parameters: list[Parameter],
    reason: int,
) -> None:
    assert admin.outcomes(INQUIRE_Q, *parameters) == [(2, reason), FAILED]


@rows((Parameter(3554, "L"), 31, 142, 3249, 3234), (Parameter(2077, "S"), 155, 156, 3251, 3253))
def test_f43_listeners_and_services_are_started_once(
    admin: Administrator,
    name: Parameter,
    start: int,
    stop: int,
    running: int,
    stopped: int,
) -> None:
    ignore_state = Parameter(1423, 1)
    admin.run(
        "DEFINE LISTENER(L) TRPTYPE(TCP)\nDEFINE SERVICE(S) SERVTYPE(SERVER) STARTCMD('x') "
        "STOPCMD('x')",
    )
    assert admin.outcomes(stop, name) == [(2, stopped), FAILED]
    assert admin.outcomes(stop, name, ignore_state) == [(0, 0)]
    assert admin.outcomes(start, name) == [(0, 0)]
    assert admin.outcomes(start, name) == [(2, running), FAILED]
    assert admin.outcomes(start, name, ignore_state) == [(0, 0)]


def test_the_status_of_a_listener(admin: Administrator) -> None:
    admin.run("DEFINE LISTENER(L) TRPTYPE(TCP)\nSTART LISTENER(L)")
    (status,) = admin.ask(98, Parameter(3554, "*"))
    assert (status.parameters[3554], status.parameters[1599]) == ("L", 2)


def test_f05_f08_a_response_for_each_queue(admin: Administrator) -> None:
    """Attributes of another type are passed over."""
    admin.run("DEFINE QLOCAL(A2)\nDEFINE QALIAS(A1) TARGET(A2)")
    found = admin.ask(INQUIRE_Q, Parameter(NAME, "A*"))
    assert [(each.parameters[NAME], each.sequence, each.control) for each in found] == [
        ("A1", 1, 0),
        ("A2", 2, 1),
    ]
    (alias,) = admin.ask(INQUIRE_Q, Parameter(NAME, "A1"), Parameter(Q_ATTRS, [3, 2002]))
    assert alias.parameters == {NAME: "A1", TYPE: 3, 2002: "A2"}


def test_f07_names(admin: Administrator) -> None:
    (empty,) = admin.ask(18, Parameter(NAME, "X*"))
    assert (empty.outcome, empty.parameters) == ((0, 0), {3011: [], 1261: []})
    admin.run("DEFINE QLOCAL(X2)\nDEFINE QALIAS(X1) TARGET(X2)")
    (found,) = admin.ask(18, Parameter(NAME, "X*"))
    assert found.parameters == {3011: ["X1", "X2"], 1261: [3, 1]}
    (found,) = admin.ask(18, Parameter(NAME, "X*"), Parameter(TYPE, 3))
    assert found.parameters[3011] == ["X1"]


@pytest.mark.parametrize(
    ("asked", "reason", "wrong"),
    [([3, 1501], 2067, 1501), ([3, 3], 3026, 3)],
    ids=["F09", "F10"],
)
def test_f09_f10_wrong_selectors(
    admin: Administrator,
    asked: list[int],
    reason: int,
    wrong: int,
) -> None:
    refused, failed = admin.ask(INQUIRE_Q, Parameter(NAME, "*"), Parameter(Q_ATTRS, asked))
    assert (refused.outcome, refused.parameters) == ((2, reason), {SELECTOR: wrong})
    assert (failed.outcome, failed.control) == (FAILED, 1)


def test_f11_f12_filters(orders: Administrator) -> None:
    orders.run("DEFINE QLOCAL(OTHER)\nDEFINE QLOCAL(EMPTY) DESCR('IBM MQ of ours')")
    found = orders.ask(
        INQUIRE_Q,
        Parameter(NAME, "O*"),
        Parameter(DEPTH, Filter(4, 0)),
        Parameter(Q_ATTRS, [2013]),
    )
    assert [each.parameters for each in found] == [{NAME: "ORDERS", TYPE: 1, DEPTH: 7, 2013: ""}]
    unlike = Parameter(2013, Filter(21, "IBM MQ*"))
    found = orders.ask(INQUIRE_Q, Parameter(NAME, "*"), Parameter(Q_ATTRS, [3]), unlike)
    names = [each.parameters[NAME] for each in found]
    assert "ORDERS" in names
    assert "EMPTY" not in names
    assert all(2013 in each.parameters for each in found)


def test_f15_connections(admin: Administrator) -> None:
    asked = (
        Parameter(7007, b""),
        Parameter(1110, 1111),
        Parameter(1107, [3506, 3501]),
        Parameter(1, Filter(2, 25)),
    )
    found = admin.ask(85, *asked)
    assert {(each.parameters[3501], each.parameters[3506]) for each in found} == {("", "")}
    identifier = found[0].parameters[7006]
    (again,) = admin.ask(85, Parameter(7006, identifier))
    assert (len(identifier), again.parameters[7006]) == (24, identifier)
    assert len(admin.ask(85, Parameter(7007, identifier[:16]))) >= 1


def test_the_state_of_asynchronous_consumption(admin: Administrator) -> None:
    started, active = 1, 6
    admin.run("DEFINE QLOCAL(Q)")
    with admin.qmgr.connect() as consuming:
        queue = consuming.open("Q", int(MQOO.INPUT_SHARED))
        consuming.callback(MQOP.REGISTER, print, handle=queue)
        consuming.control(MQOP.START)
        identifier = consuming.number.to_bytes(8, "big")
        (found,) = admin.ask(
            85,
            Parameter(7007, b""),
            Parameter(1107, [1308]),
            Parameter(1308, Filter(2, started)),
        )
        assert (found.parameters[1308], found.parameters[7006][-8:]) == (started, identifier)
        (found,) = admin.ask(
            41,
            Parameter(NAME, "Q"),
            Parameter(1103, 1104),
            Parameter(1026, [1308]),
        )
        assert found.parameters[1308] == active


@rows(
    *((P3, 0, 2, 3001), (P3, 4, 35, 3002), (P3, 8, 9, 3003), (P3, 16, 2, 3004), (P3, 20, 0, 3005)),
    *((P3, 12, 9999, 3007), (P3, 32, -1, 3006), (P1, 32, 3, 3016), (P1, 32, 1, 3016)),
)
def test_f16_f17_f18_wrong_headers(
    admin: Administrator,
    command: bytes,
    at: int,
    value: int,
    reason: int,
) -> None:
    data = bytearray(command)
    data[at : at + 4] = value.to_bytes(4, "little", signed=True)
    admin.put(bytes(data))
    assert [each.outcome for each in admin.responses()] == [(2, reason), FAILED]


def test_f19_short_message_and_another_format(admin: Administrator) -> None:
    admin.put(b"x" * 20)
    found = admin.responses()
    assert [(each.outcome, each.command) for each in found] == [((2, 3016), 0), (FAILED, 0)]
    admin.put(P3, format="MQSTR")
    assert [each.outcome for each in admin.responses()] == [(2, 3023), FAILED]


@rows(
    ([Parameter(TYPE, LOCAL), Parameter(NAME, "Q")], 3014, {PARAMETER: TYPE}),
    ([Parameter(NAME, "Q")], 3019, {}),
    (named("Q", Parameter(MAX_DEPTH, 1), Parameter(MAX_DEPTH, 2)), 3017, {PARAMETER: MAX_DEPTH}),
    (named("Q", Parameter(MAX_DEPTH, -1)), 4005, {PARAMETER: MAX_DEPTH}),
    (named("Q", Parameter(4711, 1)), 3014, {PARAMETER: 4711}),
    (named("Q", Parameter(4711, "x")), 3015, {PARAMETER: 4711}),
    (named("Q", Parameter(4711, [1, 2])), 3047, {PARAMETER: 4711}),
    (named("Q", Parameter(4711, ["x", "y"], 4)), 3033, {PARAMETER: 4711}),
    (named("Q", Parameter(4711, b"x")), 3256, {PARAMETER: 4711}),
    (named("Q", Parameter(4711, (Parameter(1, 2),))), 3240, {PARAMETER: 4711}),
    (named("Q", Parameter(MAX_DEPTH, "10")), 3015, {PARAMETER: MAX_DEPTH}),
    (named("Q", Parameter(1006, 7)), 3025, {PARAMETER: 1006}),
    (named("Q", Parameter(10, 7)), 4005, {PARAMETER: 10}),
    (named("Q", Parameter(2013, "x" * 65)), 3011, {PARAMETER: 2013}),
    (named("BAD NAME"), 4008, {}),
    ([Parameter(NAME, "Q"), Parameter(TYPE, 9)], 3022, {PARAMETER: TYPE}),
    (named("Q", Parameter(2002, "TARGET")), 3015, {PARAMETER: 2002}),
)
def test_f20_f21_f22_f23_wrong_parameters(
    admin: Administrator,
    parameters: list[Parameter],
    reason: int,
    wrong: dict[int, int],
) -> None:
    refused, failed = admin.ask(CREATE_Q, *parameters)
    assert (refused.outcome, refused.parameters, failed.outcome) == ((2, reason), wrong, FAILED)
    assert admin.run("DISPLAY QLOCAL(Q)") == ["AMQ8147E"]


def test_f24_f25_words_as_numbers_and_replace(orders: Administrator) -> None:
    assert orders.outcomes(
        CREATE_Q,
        *named("Q", Parameter(10, 1), Parameter(24, 1), Parameter(28, 1)),
    ) == [(0, 0)]
    (row,) = mqsc.run(orders.qmgr, "DISPLAY QLOCAL(Q) PUT TRIGGER TRIGTYPE")[0].rows
    assert (row["PUT"], row["TRIGGER"], row["TRIGTYPE"]) == ("DISABLED", "TRIGGER", "FIRST")
    assert orders.outcomes(CREATE_Q, *named("ORDERS", Parameter(1006, 1))) == [(0, 0)]
    assert orders.outcomes(CREATE_Q, *named("ORDERS", Parameter(1006, 0))) == [(2, 4001), FAILED]


def test_f26_f27_copy_and_change(admin: Administrator) -> None:
    admin.run("DEFINE QLOCAL(A) MAXDEPTH(77)")
    assert admin.outcomes(
        COPY_Q,
        Parameter(3001, "A"),
        Parameter(3002, "B"),
        Parameter(TYPE, LOCAL),
    ) == [(0, 0)]
    (found,) = admin.ask(INQUIRE_Q, Parameter(NAME, "B"), Parameter(Q_ATTRS, [MAX_DEPTH]))
    assert found.parameters[MAX_DEPTH] == 77
    assert admin.outcomes(CHANGE_Q, *named("B", Parameter(MAX_DEPTH, 78))) == [(0, 0)]
    assert admin.outcomes(CHANGE_Q, Parameter(NAME, "A"), Parameter(TYPE, 3)) == [(2, 4002), FAILED]


def test_f28_f29_delete_and_clear(orders: Administrator) -> None:
    assert orders.outcomes(DELETE_Q, Parameter(NAME, "ORDERS")) == [(2, 2055), FAILED]
    handle = orders.connection.open("ORDERS", int(MQOO.OUTPUT))
    assert orders.outcomes(CLEAR_Q, Parameter(NAME, "ORDERS")) == [(2, 4004), FAILED]
    handle.close()
    assert orders.outcomes(DELETE_Q, Parameter(NAME, "ORDERS"), Parameter(1007, 1)) == [(0, 0)]
    orders.run("DEFINE QALIAS(ALIAS) TARGET(X)")
    assert orders.outcomes(DELETE_Q, Parameter(NAME, "ALIAS")) == [(0, 0)]


@pytest.mark.parametrize("names", [["ONE", "TWO"], ["ONE"], []])
def test_f30_namelist(admin: Administrator, names: list[str]) -> None:
    assert admin.outcomes(34, Parameter(2010, "NL"), Parameter(2020, names, 48)) == [(0, 0)]
    admin.put(request(36, Parameter(2010, "NL"), Parameter(1004, [2020, 19])))
    (message,) = admin.messages()
    _, (name, count, found) = pcf.unpack(message.body)
    assert (name.value, count, found) == (
        "NL",
        Parameter(19, len(names)),
        Parameter(2020, names, 48),
    )


def test_f31_queue_manager(admin: Administrator) -> None:
    admin.put(request(2, Parameter(1001, [ALL])))
    (message,) = admin.messages()
    _, parameters = pcf.unpack(message.body)
    assert parameters[0] == Parameter(2015, "QM1", 48)
    (shown,) = mqsc.run(admin.qmgr, "DISPLAY QMGR ALL")[0].rows
    assert len(parameters) == len({each.number for each in parameters}) == len(shown)
    (events,) = admin.ask(2, Parameter(1001, [1123]))
    assert 48 in events.parameters
    assert 13 not in events.parameters


def test_f32_f33_reset_statistics_and_monitoring_that_is_off(admin: Administrator) -> None:
    admin.run("DEFINE QLOCAL(A) MONQ(OFF)")
    put(admin, "A", 3)
    admin.connection.open("A", int(MQOO.INPUT_SHARED)).get()
    (found,) = admin.ask(17, Parameter(NAME, "A"))
    assert found.parameters == {NAME: "A", 36: 3, 38: 1, 37: 3, 35: 0}
    (found,) = admin.ask(41, Parameter(NAME, "A"))
    assert [found.parameters[number] for number in (1227, 1226, 1103, 3128)] == [
        -1,
        [-1, -1],
        1105,
        "",
    ]


def test_f34_f35_units_of_work(admin: Administrator) -> None:
    admin.put(request(CREATE_Q, *named("Q")), unit=True)
    admin.connection.back()
    assert admin.responses() == []
    admin.put(request(CREATE_Q, *named("BAD NAME")), unit=True)
    admin.put(request(CREATE_Q, *named("Q2")), unit=True)
    assert admin.responses() == []
    admin.connection.commit()
    assert [each.outcome for each in admin.responses()] == [(2, 4008), FAILED, (0, 0)]
    assert admin.run("DISPLAY QLOCAL(Q)\nDISPLAY QLOCAL(Q2)") == ["AMQ8147E", "AMQ8409I"]
    admin.put(P3, unit=True)
    admin.connection.prepare("A.B", "1")
    assert admin.responses() == [], "while it is in doubt"
    admin.connection.resolve("A.B", "1", commit=True)
    assert [each.outcome for each in admin.responses()] == [(0, 0)]


def test_an_alias_and_the_end_of_a_program(admin: Administrator) -> None:
    admin.run(f"DEFINE QALIAS(COMMANDS) TARGET({COMMANDS})")
    descriptor = MessageDescriptor(msg_type=1, format="MQADMIN", reply_to_q=REPLIES)
    admin.connection.put1("COMMANDS", Message(P3, descriptor))
    assert [each.outcome for each in admin.responses()] == [(0, 0)]
    with admin.qmgr.connect() as ending:
        ending.put1("COMMANDS", Message(P3, descriptor), PutMessageOptions(int(MQPMO.SYNCPOINT)))
    assert [each.outcome for each in admin.responses()] == [(0, 0)]


def test_more_responses_than_maxumsgs(admin: Administrator) -> None:
    admin.run("ALTER QMGR MAXUMSGS(5)")
    found = admin.ask(INQUIRE_Q, Parameter(NAME, "SYSTEM.*"), Parameter(TYPE, LOCAL))
    assert len(found) > 5
    assert [each.sequence for each in found] == [*range(1, len(found) + 1)]


def test_f36_stopped_server_and_expired_commands(
    admin: Administrator,
    environment: Environment[FrozenClock],
) -> None:
    admin.run("STOP CMDSERV")
    status = mqsc.run(admin.qmgr, ["DISPLAY CMDSERV", "DISPLAY QMSTATUS CMDSERV"])
    assert (status[0].rows[0]["STATUS"], status[1].rows[0]["CMDSERV"]) == ("STOPPED", "STOPPED")
    admin.put(request(CREATE_Q, *named("Q")), expiry=5)
    admin.put(request(CREATE_Q, *named("Q2")))
    assert admin.responses() == []
    environment.clock.advance(seconds=1)
    admin.run("START CMDSERV")
    assert [each.outcome for each in admin.responses()] == [(0, 0)]
    assert admin.run("DISPLAY QLOCAL(Q)\nDISPLAY QLOCAL(Q2)") == ["AMQ8147E", "AMQ8409I"]
    assert mqsc.run(admin.qmgr, "DISPLAY CMDSERV")[0].rows == [{"STATUS": "RUNNING"}]


@rows(
    (f"ALTER QLOCAL({COMMANDS}) GET(DISABLED)", f"ALTER QLOCAL({COMMANDS}) GET(ENABLED)", False),
    ("STOP CMDSERV", "", True),
    ("ALTER QMGR SCMDSERV(MANUAL)", "START CMDSERV", True),
)
def test_commands_wait_until_the_server_may_perform_them(
    admin: Administrator,
    first: str,
    then: str,
    restarts: bool,
) -> None:
    """When its queue is enabled again, when it starts with the queue manager, or when it is
    started by hand.
    """
    admin.run(first)
    if not then:
        admin.put(P3, persistence=1)
    if restarts:
        admin.connection.disconnect()
        admin.qmgr.end()
        admin.qmgr.start()
        admin = Administrator(admin.qmgr)
    if then:
        admin.put(P3)
        assert admin.responses() == []
        admin.run(then)
    assert [each.outcome for each in admin.responses()] == [(0, 0)]


def test_f37_report_options(admin: Administrator) -> None:
    admin.put(P3, expiry=100, report=int(MQRO.PASS_DISCARD_AND_EXPIRY | MQRO.DISCARD_MSG))
    (message,) = admin.messages()
    assert 0 < message.descriptor.expiry <= 100
    assert message.descriptor.report == MQRO.DISCARD_MSG
    sent = admin.put(P3, correl_id=b"c" * 24, report=int(MQRO.PASS_CORREL_ID | MQRO.PASS_MSG_ID))
    (message,) = admin.messages()
    assert (message.descriptor.msg_id, message.descriptor.correl_id) == (sent.msg_id, b"c" * 24)


def dead_letters(admin: Administrator) -> list[tuple[int, bytes]]:
    """The reasons and the data of all dead letters, which are removed."""
    found = [each.body for each in peek(admin.qmgr, "DLQ")]
    admin.run("CLEAR QLOCAL(DLQ)")
    return [(int.from_bytes(body[8:12], "little"), body[172:]) for body in found]


@pytest.fixture
def dlq(admin: Administrator) -> Administrator:
    admin.run("DEFINE QLOCAL(DLQ)\nALTER QMGR DEADQ(DLQ)")
    return admin


def test_f38_responses_that_cannot_be_put(dlq: Administrator) -> None:
    dlq.run(f"ALTER QLOCAL({REPLIES}) MAXDEPTH(0)")
    dlq.put(request(CREATE_Q, *named("Q")))
    assert dead_letters(dlq) == [(2053, request(CREATE_Q, type=2, msg_seq_number=1))]
    dlq.put(request(CREATE_Q, *named("Q2")), report=int(MQRO.DISCARD_MSG))
    assert (dead_letters(dlq), dlq.run("DISPLAY QLOCAL(Q)\nDISPLAY QLOCAL(Q2)")) == (
        [],
        ["AMQ8409I", "AMQ8409I"],
    )


@rows(
    ({"reply_to_q": "NOWHERE"}, [2085]),
    # On a dynamic queue the responses would be lost when the server closes it.
    ({"reply_to_q": "SYSTEM.DEFAULT.MODEL.QUEUE"}, [2057]),
    ({"msg_type": 8}, [2029]),
    ({"msg_type": 8, "report": int(MQRO.DISCARD_MSG)}, []),
)
def test_f38_messages_that_cannot_be_answered(
    dlq: Administrator,
    fields: dict[str, Any],
    reasons: list[int],
) -> None:
    dlq.put(P3, **fields)
    assert [reason for reason, _ in dead_letters(dlq)] == reasons


def test_a_dead_letter_queue_that_is_the_command_queue(admin: Administrator) -> None:
    admin.run(f"ALTER QMGR DEADQ({COMMANDS})")
    admin.put(b"x", msg_type=8)
    admin.put(P3, reply_to_q="NOWHERE")
    assert [*peek(admin.qmgr, COMMANDS)] == []


def escape(text: str, kind: int = 1) -> list[Parameter]:
    return [Parameter(1017, kind), Parameter(3014, text)]


def test_f39_escape(admin: Administrator) -> None:
    for text, command, outcome, says in (
        ("PING QMGR", 40, (0, 0), "AMQ8415I"),
        ("DISPLAY QLOCAL(NONE)", 13, (2, 2085), "AMQ8147E"),
        ("DEFINE QLOCAL(X) NOPE(1)", 0, (-1, 0), "AMQ8405I"),
    ):
        (found,) = admin.ask(38, *escape(text))
        assert (found.command, found.outcome, found.parameters[3014][:8]) == (
            command,
            outcome,
            says,
        )
    found_all = admin.ask(38, *escape("DISPLAY QUEUE(SYSTEM.DEFAULT*) TYPE"))
    assert [each.control for each in found_all] == [0] * (len(found_all) - 1) + [1]
    assert "QUEUE(SYSTEM.DEFAULT.ALIAS.QUEUE)" in found_all[0].parameters[3014]
    for wrong, reason in (
        (escape("PING QMGR\nPING QMGR"), 3097),
        (escape(""), 3097),
        (escape("PING QMGR", 2), 3054),
    ):
        assert admin.outcomes(38, *wrong) == [(2, reason), FAILED]

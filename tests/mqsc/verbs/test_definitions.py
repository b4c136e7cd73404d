"""DEFINE, ALTER, DELETE and SET, the commands on messages, and the longest values that options
accept.
"""

from __future__ import annotations

import mqsc
from mqsc import run
from mqsc.store import Message, PutMessageOptions
from mqsc.store.client.api import QueueManager, Store
from mqsc.store.constants import MQOO, MQPMO, MQRC, MQRCCF
from tests.mqsc.verbs.asking import answer, bodies, check, last_line, names, put, set_up, values
from tests.rows import rows


def test_attributes_come_from_the_command_then_like_then_the_default_object(
    qmgr: QueueManager,
) -> None:
    set_up(
        qmgr,
        "ALTER QLOCAL(SYSTEM.DEFAULT.LOCAL.QUEUE) MAXMSGL(77) MAXDEPTH(50)\n"
        "DEFINE QLOCAL(A)\n"
        "ALTER QLOCAL(A) MAXDEPTH(5) DESCR('a')\n"
        "DEFINE QLOCAL(B) LIKE(A) DESCR('b')",
    )
    assert names(qmgr, "DISPLAY QLOCAL(*) WHERE(MAXMSGL EQ 77)") == [
        "A",
        "B",
        "SYSTEM.DEFAULT.LOCAL.QUEUE",
    ]
    assert values(qmgr, "DISPLAY QLOCAL(B)", "DESCR", "MAXDEPTH", "MAXMSGL") == [("b", 5, 77)]


def test_an_existing_object_needs_replace_and_keeps_its_messages(qmgr: QueueManager) -> None:
    set_up(qmgr, "DEFINE QLOCAL(A) DESCR('old')")
    put(qmgr, "A", b"kept")
    wanted = {
        "DEFINE QLOCAL(A)": ("AMQ8150E", MQRCCF.OBJECT_ALREADY_EXISTS),
        "DEFINE QLOCAL(A) NOREPLACE": ("AMQ8150E", MQRCCF.OBJECT_ALREADY_EXISTS),
        "DEFINE QLOCAL(A) MAXDEPTH(9) REPLACE": ("AMQ8006I", 0),
    }
    check(qmgr, wanted)
    assert (values(qmgr, "DISPLAY QLOCAL(A)", "MAXDEPTH"), bodies(qmgr, "A")) == ([(9,)], [b"kept"])


def test_refused_definitions_and_alterations(qmgr: QueueManager) -> None:
    set_up(qmgr, "DEFINE QALIAS(A) TARGET(B)")
    wanted = {
        "DEFINE QLOCAL(A)": ("AMQ8150E", MQRCCF.OBJECT_ALREADY_EXISTS),
        "DEFINE QLOCAL(A) REPLACE": ("AMQ8151E", MQRCCF.OBJECT_WRONG_TYPE),
        "DEFINE QLOCAL(C) LIKE(NONE)": ("AMQ8147E", MQRC.UNKNOWN_OBJECT_NAME),
        "DEFINE CHANNEL(C) CHLTYPE(SDR) XMITQ(X)": ("AMQ8214E", MQRCCF.MISSING_CONN_NAME),
        "DEFINE BUFFPOOL(1)": ("MQSC0003E", 0),
        "ALTER QLOCAL(NONE) MAXDEPTH(1)": ("AMQ8147E", MQRC.UNKNOWN_OBJECT_NAME),
        "ALTER QLOCAL(A) MAXDEPTH(1)": ("AMQ8151E", MQRCCF.OBJECT_WRONG_TYPE),
    }
    check(qmgr, wanted)


def test_every_kind_of_object_has_its_own_message(qmgr: QueueManager) -> None:
    commands = {
        "DEFINE QLOCAL(X)": "AMQ8006I",
        "DEFINE PROCESS(X)": "AMQ8010I",
        "DEFINE CHANNEL(X) CHLTYPE(SVRCONN)": "AMQ8014I",
        "DEFINE NAMELIST(X)": "AMQ8552I",
        "DEFINE AUTHINFO(X) AUTHTYPE(IDPWOS)": "AMQ8563I",
        "DEFINE LISTENER(X) TRPTYPE(TCP)": "AMQ8626I",
        "DEFINE SERVICE(X)": "AMQ8625I",
        "DEFINE COMMINFO(X)": "AMQ8858I",
        "ALTER COMMINFO(X) PORT(1500)": "MQSC0051I",
        "DISPLAY COMMINFO(X) PORT": "MQSC0002I",
        "DELETE COMMINFO(X) IGNSTATE(YES)": "MQSC0052I",
        "DEFINE TOPIC(X) TOPICSTR('x')": "AMQ8690I",
        "DEFINE SUB('X') TOPICSTR('x') DEST(X)": "AMQ8094I",
        "DEFINE STGCLASS(X) PSID(1)": "MQSC0009I",
        "DEFINE CFSTRUCT(X)": "MQSC0012I",
    }
    assert {command: answer(qmgr, command)[0] for command in commands} == commands


def test_only_the_given_attributes_change(qmgr: QueueManager) -> None:
    """The queue manager has no name."""
    set_up(
        qmgr,
        "DEFINE QLOCAL(A) DESCR('kept') MAXDEPTH(5)\nALTER QLOCAL(A) MAXDEPTH(7) NOTRIGGER",
    )
    assert values(qmgr, "DISPLAY QLOCAL(A)", "DESCR", "MAXDEPTH") == [("kept", 7)]
    assert answer(qmgr, "ALTER QMGR DESCR('ours') MAXUMSGS(9)") == ("AMQ8005I", 0)
    assert values(qmgr, "DISPLAY QMGR DESCR MAXUMSGS", "DESCR", "MAXUMSGS") == [("ours", 9)]


def test_a_subscription_is_found_by_its_identifier(qmgr: QueueManager) -> None:
    set_up(qmgr, "DEFINE QLOCAL(A)\nDEFINE SUB('s') TOPICSTR('t') DEST(A)")
    ((identifier,),) = values(qmgr, "DISPLAY SUB('s') SUBID", "SUBID")
    wanted = {
        f"ALTER SUB SUBID({identifier}) USERDATA('x')": ("AMQ8095I", 0),
        f"ALTER SUB SUBID({'F' * 48})": ("AMQ8147E", MQRC.UNKNOWN_OBJECT_NAME),
        "ALTER SUB": ("AMQ8421E", MQRCCF.PARM_MISSING),
    }
    check(qmgr, wanted)
    assert values(qmgr, "DISPLAY SUB('s') USERDATA", "USERDATA") == [("x",)]


def test_an_open_queue_needs_force(qmgr: QueueManager) -> None:
    set_up(qmgr, "DEFINE QLOCAL(A)")
    with qmgr.connect() as connection:
        connection.open("A", MQOO.INPUT_SHARED)
        assert answer(qmgr, "ALTER QLOCAL(A) USAGE(XMITQ)") == (
            "AMQ8148E",
            MQRCCF.OBJECT_OPEN_FORCE,
        )
        assert answer(qmgr, "ALTER QLOCAL(A) USAGE(XMITQ) FORCE") == ("AMQ8008I", 0)
    assert values(qmgr, "DISPLAY QLOCAL(A) USAGE", "USAGE") == [("XMITQ",)]


@rows(
    ("M", "2057 MQRC_Q_TYPE_ERROR"),
    ("SYSTEM.DEFAULT.MODEL.QUEUE", "2057 MQRC_Q_TYPE_ERROR"),
    ("A", "2082 MQRC_UNKNOWN_ALIAS_BASE_Q"),
    ("LATER", ""),
    ("Q", ""),
    ("", ""),
)
def test_a_dead_letter_queue_that_takes_no_messages(
    qmgr: QueueManager,
    name: str,
    detail: str,
) -> None:
    set_up(qmgr, "DEFINE QMODEL(M)\nDEFINE QALIAS(A) TARGET(NONE)\nDEFINE QLOCAL(Q)")
    (reply,) = run(qmgr, f"ALTER QMGR DEADQ('{name}')")
    warned = (
        [f"MQSC0047W: The dead-letter queue {name} takes no messages: {detail}."] if detail else []
    )
    assert (reply.completion, reply.text.splitlines()[1:]) == (0, warned)


RECORD = "SET AUTHREC PROFILE(A) OBJTYPE(QUEUE) PRINCIPAL('joe') AUTHADD(GET)"
RECORDS = "DISPLAY AUTHREC PROFILE(A) OBJTYPE(QUEUE)"


def test_a_queue_with_messages_needs_purge(qmgr: QueueManager) -> None:
    set_up(qmgr, "DEFINE QLOCAL(A)")
    put(qmgr, "A", b"x")
    wanted = {
        "DELETE QLOCAL(A) NOPURGE": ("AMQ8143E", MQRC.Q_NOT_EMPTY),
        "DELETE QLOCAL(A) PURGE": ("AMQ8007I", 0),
        "DELETE QLOCAL(A)": ("AMQ8147E", MQRC.UNKNOWN_OBJECT_NAME),
    }
    check(qmgr, wanted)


def test_an_open_queue_and_another_type_are_not_deleted(qmgr: QueueManager) -> None:
    set_up(qmgr, "DEFINE QLOCAL(A)\nDEFINE QALIAS(B) TARGET(A)")
    with qmgr.connect() as connection:
        connection.open("A", MQOO.OUTPUT)
        assert answer(qmgr, "DELETE QLOCAL(A)") == ("AMQ8148E", MQRC.OBJECT_IN_USE)
    assert answer(qmgr, "DELETE QLOCAL(B)") == ("AMQ8151E", MQRCCF.OBJECT_WRONG_TYPE)
    assert names(qmgr, "DISPLAY QUEUE(*) WHERE(QUEUE NL 'SYSTEM*')") == ["A", "B"]


def test_the_authority_records_of_a_queue_are_deleted_with_it(qmgr: QueueManager) -> None:
    for option, left in (("", 0), ("AUTHREC(YES)", 0), ("AUTHREC(NO)", 1)):
        set_up(qmgr, f"DEFINE QLOCAL(A)\n{RECORD}\nDELETE QLOCAL(A) {option}")
        assert (option, len(values(qmgr, RECORDS, "PROFILE"))) == (option, left)


def test_the_authority_records_of_copies_go_or_stay_with_those_of_the_group_object(
    store: Store,
) -> None:
    master, member = (store.create_queue_manager(name, group="QSG1") for name in ("QM1", "QM2"))
    for option, left in (("AUTHREC(YES)", 0), ("AUTHREC(NO)", 1)):
        set_up(master, "DEFINE QLOCAL(A) QSGDISP(GROUP)")
        set_up(member, RECORD)
        set_up(master, f"DELETE QLOCAL(A) QSGDISP(GROUP) {option}")
        assert names(member, "DISPLAY QUEUE(A)") == []
        assert (option, len(values(member, RECORDS, "PROFILE"))) == (option, left)


def test_authority_records_can_be_deleted_alone(qmgr: QueueManager) -> None:
    deleting = "DELETE AUTHREC PROFILE(A) OBJTYPE(QUEUE)"
    set_up(qmgr, f"DEFINE QLOCAL(A)\n{RECORD}")
    wanted = {
        deleting: ("AMQ8421E", MQRCCF.ENTITY_NAME_MISSING),
        f"{deleting} PRINCIPAL('ann')": ("AMQ8958E", MQRCCF.PROFILE_NAME_ERROR),
        f"{deleting} PRINCIPAL('joe')": ("AMQ8863I", 0),
    }
    check(qmgr, wanted)
    assert (values(qmgr, RECORDS, "PROFILE"), names(qmgr, "DISPLAY QLOCAL(A)")) == ([], ["A"])


def test_ignstate_accepts_that_the_object_is_missing_or_of_another_type(qmgr: QueueManager) -> None:
    set_up(qmgr, "DEFINE QLOCAL(FULL)\nDEFINE QALIAS(B)")
    put(qmgr, "FULL", b"x")
    wanted = {
        "DELETE QLOCAL(A) IGNSTATE(YES)": ("AMQ8007I", 0),
        "DELETE CHANNEL(A) IGNSTATE(YES)": ("AMQ8015I", 0),
        "DELETE AUTHREC PROFILE(A) OBJTYPE(QUEUE) GROUP('g') IGNSTATE(YES)": ("AMQ8863I", 0),
        "DELETE QLOCAL(A) IGNSTATE(NO)": ("AMQ8147E", MQRC.UNKNOWN_OBJECT_NAME),
        "DELETE QLOCAL(FULL) IGNSTATE(YES)": ("AMQ8143E", MQRC.Q_NOT_EMPTY),
        "DELETE QLOCAL(B)": ("AMQ8151E", MQRCCF.OBJECT_WRONG_TYPE),
        "DELETE QLOCAL(B) IGNSTATE(YES)": ("AMQ8007I", 0),
    }
    check(qmgr, wanted)
    success = "IGNSTATE(YES) counts this as success."
    assert last_line(qmgr, "DELETE QLOCAL(A) IGNSTATE(YES)") == f"A did not exist; {success}"
    assert last_line(qmgr, "DELETE QMODEL(B) IGNSTATE(YES)") == f"B was not a QMODEL; {success}"
    assert names(qmgr, "DISPLAY QALIAS(B)") == ["B"]


def test_chltable_selects_the_client_connection(qmgr: QueueManager) -> None:
    set_up(
        qmgr,
        "DEFINE CHANNEL(A) CHLTYPE(SVRCONN)\nDEFINE CHANNEL(A) CHLTYPE(CLNTCONN) CONNAME('h')",
    )
    assert answer(qmgr, "DELETE CHANNEL(A) CHLTABLE(CLNTTBL)") == ("AMQ8015I", 0)
    assert values(qmgr, "DISPLAY CHANNEL(A) CHLTYPE", "CHLTYPE") == [("SVRCONN",)]


def test_the_messages_go_and_the_queue_stays(qmgr: QueueManager) -> None:
    set_up(qmgr, "DEFINE QLOCAL(A)\nDEFINE QLOCAL(B)")
    put(qmgr, "A", b"1", b"2")
    put(qmgr, "B", b"3")
    assert answer(qmgr, "CLEAR QLOCAL(A)") == ("AMQ8022I", 0)
    assert values(qmgr, "DISPLAY QLOCAL(B) CURDEPTH", "QUEUE", "CURDEPTH") == [("B", 1)]
    assert values(qmgr, "DISPLAY QLOCAL(A) CURDEPTH", "CURDEPTH") == [(0,)]


def test_a_queue_in_use_is_not_cleared(qmgr: QueueManager) -> None:
    set_up(qmgr, "DEFINE QLOCAL(A)")
    assert answer(qmgr, "CLEAR QLOCAL(NONE)") == ("AMQ8147E", MQRC.UNKNOWN_OBJECT_NAME)
    with qmgr.connect() as connection:
        handle = connection.open("A", MQOO.OUTPUT)
        assert answer(qmgr, "CLEAR QLOCAL(A)") == ("AMQ8148E", MQRC.OBJECT_IN_USE)
        handle.put(Message(b"x"), PutMessageOptions(MQPMO.SYNCPOINT))
        handle.close()
        assert answer(qmgr, "CLEAR QLOCAL(A)") == ("AMQ8143E", MQRC.Q_NOT_EMPTY)
        assert last_line(qmgr, "CLEAR QLOCAL(A)").startswith(
            "A has uncommitted messages; DISPLAY CONN(*)",
        )
        connection.commit()
        assert answer(qmgr, "CLEAR QLOCAL(A)") == ("AMQ8022I", 0)


def test_a_topic_string_has_nothing_to_clear(qmgr: QueueManager) -> None:
    assert answer(qmgr, "CLEAR TOPICSTR('t') CLRTYPE(RETAINED)") == ("MQSC0004I", 0)
    assert last_line(qmgr, "CLEAR TOPICSTR('t') CLRTYPE(RETAINED)").startswith(
        "Publications are not delivered",
    )
    qmgr.end(immediate=True)
    assert answer(qmgr, "CLEAR TOPICSTR('t') CLRTYPE(RETAINED)") == (
        "AMQ8146E",
        MQRC.Q_MGR_NOT_AVAILABLE,
    )


def test_the_messages_are_moved_and_counted(qmgr: QueueManager) -> None:
    set_up(qmgr, "DEFINE QLOCAL(A)\nDEFINE QLOCAL(B)")
    put(qmgr, "A", b"1", b"2", b"3")
    (reply,) = mqsc.run(qmgr, "MOVE QLOCAL(A) TOQLOCAL(B)")
    assert (reply.message_id, reply.text) == ("MQSC0007I", "Messages moved from A: 3 to B.")
    assert reply.rows == [{"QUEUE": "A", "TOQLOCAL": "B", "MOVED": 3}]
    assert (bodies(qmgr, "A"), bodies(qmgr, "B")) == ([], [b"1", b"2", b"3"])


def test_the_target_must_be_empty_unless_type_add(qmgr: QueueManager) -> None:
    set_up(qmgr, "DEFINE QLOCAL(A)\nDEFINE QLOCAL(B)")
    put(qmgr, "A", b"1")
    put(qmgr, "B", b"0")
    for type in ("", "TYPE(MOVE)"):
        assert answer(qmgr, f"MOVE QLOCAL(A) TOQLOCAL(B) {type}") == ("AMQ8143E", MQRC.Q_NOT_EMPTY)
    assert (values(qmgr, "MOVE QLOCAL(A) TOQLOCAL(B) TYPE(ADD)", "MOVED"), bodies(qmgr, "B")) == (
        [(1,)],
        [b"0", b"1"],
    )


def test_refused_moves(qmgr: QueueManager) -> None:
    set_up(qmgr, "DEFINE QLOCAL(A)\nDEFINE QLOCAL(B) MAXDEPTH(1)")
    put(qmgr, "A", b"1", b"2")
    wanted = {
        "MOVE QLOCAL(A) TOQLOCAL(NONE)": ("AMQ8147E", MQRC.UNKNOWN_OBJECT_NAME),
        "MOVE QLOCAL(NONE) TOQLOCAL(A)": ("AMQ8147E", MQRC.UNKNOWN_OBJECT_NAME),
        "MOVE QLOCAL(A)": ("AMQ8421E", 3228),
    }
    check(qmgr, wanted)
    assert answer(qmgr, "MOVE QLOCAL(A) TOQLOCAL(B)")[1] == MQRC.Q_FULL
    with qmgr.connect() as connection:
        connection.open("B", MQOO.OUTPUT)
        assert answer(qmgr, "MOVE QLOCAL(A) TOQLOCAL(B)") == ("AMQ8148E", MQRC.OBJECT_IN_USE)
    assert bodies(qmgr, "A") == [b"1", b"2"]


AUTHORITIES = "DISPLAY AUTHREC PROFILE(A) OBJTYPE(QUEUE)"
ON_A = "SET AUTHREC PROFILE(A) OBJTYPE(QUEUE)"


def test_authorities_are_added_and_removed(qmgr: QueueManager) -> None:
    set_up(
        qmgr,
        f"{ON_A} PRINCIPAL('joe') GROUP('g') AUTHADD(GET,PUT)\n{ON_A} GROUP('g') AUTHRMV(GET)",
    )
    found = sorted(values(qmgr, AUTHORITIES, "ENTTYPE", "ENTITY", "AUTHLIST"))
    assert found == [("GROUP", "g", ["PUT"]), ("PRINCIPAL", "joe", ["GET", "PUT"])]


def test_refused_authorities(qmgr: QueueManager) -> None:
    wanted = {
        f"{ON_A} PRINCIPAL('joe')": ("AMQ8421E", MQRCCF.AUTH_VALUE_MISSING),
        f"{ON_A} AUTHADD(GET)": ("AMQ8421E", MQRCCF.ENTITY_NAME_MISSING),
        f"{ON_A} PRINCIPAL('joe') AUTHADD(CONNECT)": ("AMQ8425E", MQRCCF.AUTH_VALUE_ERROR),
        f"{ON_A} PRINCIPAL('joe') AUTHADD(GET) SERVCOMP('x')": (
            "AMQ8101S",
            MQRC.UNKNOWN_COMPONENT_NAME,
        ),
        "SET AUTHREC OBJTYPE(QUEUE) PRINCIPAL('joe') AUTHADD(GET)": (
            "AMQ8421E",
            MQRCCF.PROFILE_NAME_MISSING,
        ),
        "SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('joe') AUTHADD(CONNECT)": ("AMQ8862I", 0),
        "SET LOG ARCHIVED('S0000001.LOG')": ("MQSC0003E", 0),
    }
    check(qmgr, wanted)
    assert values(qmgr, AUTHORITIES, "ENTITY") == []


def test_channel_records_are_added_replaced_and_removed(qmgr: QueueManager) -> None:
    mapping = "SET CHLAUTH(C) TYPE(USERMAP) CLNTUSER('joe')"
    wanted = {
        f"{mapping} MCAUSER('a')": ("AMQ8877I", 0),
        f"{mapping} MCAUSER('b')": ("AMQ8883E", MQRCCF.CHLAUTH_ALREADY_EXISTS),
        f"{mapping} MCAUSER('c') ACTION(REPLACE)": ("AMQ8877I", 0),
    }
    check(qmgr, wanted)
    assert values(qmgr, "DISPLAY CHLAUTH(C)", "CLNTUSER", "MCAUSER") == [("joe", "c")]
    assert answer(qmgr, f"{mapping} ACTION(REMOVE)") == ("AMQ8877I", 0)
    for command in (f"{mapping} ACTION(REMOVE)", "DISPLAY CHLAUTH(C)"):
        assert answer(qmgr, command) == ("AMQ8884E", MQRCCF.CHLAUTH_NOT_FOUND)


def test_addresses_of_channel_rules_are_checked(qmgr: QueueManager) -> None:
    wrong = "SET CHLAUTH(A) TYPE(ADDRESSMAP) USERSRC(CHANNEL) ADDRESS('10.5-0.*')"
    listed = "SET CHLAUTH(*) TYPE(BLOCKADDR) ADDRLIST('www.example.com')"
    check(
        qmgr,
        {wrong: ("AMQ8425E", MQRCCF.IPADDR_RANGE_ERROR), listed: ("AMQ8425E", MQRCCF.IPADDR_ERROR)},
    )
    assert (
        last_line(qmgr, wrong) == "10.5-0.*: the first number of a range must be below the second."
    )


TOO_LONG = ("AMQ8413E", MQRCCF.CFST_STRING_LENGTH_ERR)
OUT_OF_RANGE = ("AMQ8412E", MQRCCF.ATTR_VALUE_ERROR)


# As in MQ's structures: MQ_Q_NAME_LENGTH, MQ_IP_ADDRESS_LENGTH and so on.
@rows(
    ("DEFINE QLOCAL(A) LIKE({})", 48),
    ("DISPLAY CHLAUTH(A) MATCH(RUNCHECK) ADDRESS('{}')", 48),
    ("DISPLAY CHLAUTH(A) MATCH(RUNCHECK) ADDRESS('10.1.1.1') CLNTUSER('{}')", 64),
    ("DISPLAY CHLAUTH(A) MATCH(RUNCHECK) ADDRESS('10.1.1.1') QMNAME('{}')", 48),
    ("DISPLAY CHSTATUS(*) CONNAME('{}')", 264),
    ("DISPLAY CHSTATUS(*) XMITQ({})", 48),
    ("DISPLAY CLUSQMGR(*) CHANNEL({})", 20),
    ("DISPLAY QUEUE(*) CFSTRUCT({})", 12),
    ("DISPLAY QUEUE(*) CLUSTER({})", 48),
    ("DISPLAY QUEUE(*) STGCLASS({})", 8),
    ("MOVE QLOCAL(A) TOQLOCAL({})", 48),
    ("RESET CLUSTER(A) ACTION(FORCEREMOVE) QMID('{}')", 48),
    ("RESET CLUSTER(A) ACTION(FORCEREMOVE) QMNAME({})", 48),
    ("RESET QMGR TYPE(PUBSUB) CHILD({})", 48),
    ("RESET QMGR TYPE(PUBSUB) PARENT({})", 48),
    ("START CHINIT INITQ({})", 48),
    ("START LISTENER IPADDR('{}')", 48),
    ("START LISTENER LUNAME('{}')", 8),
    ("STOP CHANNEL(A) CLIENTID('{}')", 23),
    ("STOP CHANNEL(A) CONNAME('{}')", 264),
    ("STOP CHANNEL(A) QMNAME({})", 48),
    ("STOP LISTENER IPADDR('{}')", 48),
    ("SUSPEND QMGR CLUSTER({})", 48),
    ("SUSPEND QMGR CLUSNL({})", 48),
)
def test_the_longest_text_and_one_byte_more(qmgr: QueueManager, command: str, longest: int) -> None:
    assert answer(qmgr, command.format("A" * longest)) != TOO_LONG
    assert answer(qmgr, command.format("A" * (longest + 1))) == TOO_LONG


@rows(
    ("DISPLAY QUEUE(*) PSID({})", 0, 99),
    ("PING CHANNEL(A) DATALEN({})", 16, 32_768),
    ("REFRESH QMGR TYPE(CONFIGEV) INCLINT({})", 0, 999_999),
    ("RESET CHANNEL(A) SEQNUM({})", 1, 999_999_999),
    ("START LISTENER PORT({})", 1, 65_535),
    ("STOP LISTENER PORT({})", 1, 65_535),
)
def test_the_smallest_and_the_largest_number(
    qmgr: QueueManager,
    command: str,
    smallest: int,
    largest: int,
) -> None:
    for number, fits in (
        (smallest - 1, False),
        (smallest, True),
        (largest, True),
        (largest + 1, False),
    ):
        if number >= 0:
            assert (answer(qmgr, command.format(number)) != OUT_OF_RANGE) is fits

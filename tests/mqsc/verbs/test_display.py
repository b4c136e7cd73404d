"""DISPLAY: rows selected by type, identifier and filter; accepted words."""

from __future__ import annotations

from typing import Any

import pytest

import mqsc
from store import Message, PutMessageOptions
from store.catalog.status import STATUS_KINDS
from store.catalog.types import Items, Number, Type
from store.client.api import QueueManager
from store.constants import MQOO, MQPMO, MQRCCF
from tests.mqsc.verbs.asking import answers, set_up

SET_UP = """
DEFINE QLOCAL(A) STGCLASS(FAST)
DEFINE QLOCAL(B)
DEFINE CHANNEL(IN) CHLTYPE(SVRCONN)
DEFINE CHANNEL(OUT) CHLTYPE(SDR) CONNAME('host(1414)') XMITQ(X)
DEFINE AUTHINFO(USERS) AUTHTYPE(IDPWOS)
DEFINE AUTHINFO(ANSWERS) AUTHTYPE(OCSP) OCSPURL('http://host')
DEFINE TOPIC(T) TOPICSTR('t') CLUSTER(SALES)
DEFINE SUB('once') TOPICSTR('t') DEST(A)
"""


def shown(qmgr: QueueManager, command: str, word: str) -> list[Any]:
    (reply,) = mqsc.run(qmgr, command)
    return [row[word] for row in reply.rows]


@pytest.mark.parametrize(
    ("command", "word", "values"),
    [
        ("DIS CHL(*) TYPE(SVRCONN) WHERE(CHANNEL NL 'SYSTEM*')", "CHANNEL", ["IN"]),
        ("DIS CHL(*) CHLTYPE(SDR) WHERE(CHANNEL NL 'SYSTEM*')", "CHANNEL", ["OUT"]),
        ("DIS Q(*) QTYPE(QLOCAL) WHERE(QUEUE NL 'SYSTEM*')", "QUEUE", ["A", "B"]),
        ("DIS QL(*) STGCLASS(FA*)", "QUEUE", ["A"]),
        ("DIS QL(A) STGCLASS", "STGCLASS", ["FAST"]),
        ("DIS QL(*) PSID(4)", "QUEUE", []),
        ("DIS AUTHINFO(*) AUTHTYPE(OCSP) WHERE(AUTHINFO NL 'SYSTEM*')", "AUTHINFO", ["ANSWERS"]),
        ("DIS AUTHINFO(U*) AUTHTYPE(ALL)", "AUTHINFO", ["USERS"]),
        ("DIS TOPIC(*) CLUSTER(SA*)", "TOPIC", ["T"]),
        ("DIS TOPIC(T) CLUSINFO", "TOPIC", ["T"]),
        ("DIS SBSTATUS(*) SUBTYPE(PROXY)", "SUB", []),
        ("DIS SBSTATUS(once) SUBTYPE(ALL) DURABLE(YES)", "SUB", []),
        ("DIS SBSTATUS('once') SUBTYPE(ADMIN) DURABLE(YES)", "SUB", ["once"]),
        ("DIS TPSTATUS('')", "TOPICSTR", [""]),
        ("DIS TPSTATUS('t') WHERE(DEFPRTY LT 1)", "DEFPRTY", [0]),
        ("DIS TPSTATUS('t') WHERE(DEFPRTY GT 0)", "DEFPRTY", []),
    ],
)
def test_rows_are_chosen(qmgr: QueueManager, command: str, word: str, values: list[object]) -> None:
    assert {reply.completion for reply in mqsc.run(qmgr, SET_UP)} == {0}
    assert shown(qmgr, command, word) == values


def test_a_subscription_is_found_by_its_identifier(qmgr: QueueManager) -> None:
    mqsc.run(qmgr, SET_UP)
    (identifier,) = shown(qmgr, "DISPLAY SUB('once') SUBID", "SUBID")
    assert shown(qmgr, f"DISPLAY SBSTATUS SUBID({identifier}) NUMMSGS", "SUB") == ["once"]
    assert mqsc.run(qmgr, "DISPLAY SBSTATUS NUMMSGS")[0].completion == 2


def test_connections_are_found_by_the_extended_identifier_that_is_shown(qmgr: QueueManager) -> None:
    with qmgr.connect(application="billing"):
        (extended,) = shown(qmgr, "DISPLAY CONN(*)", "EXTCONN")
        assert shown(qmgr, f"DISPLAY CONN(*) EXTCONN({extended}) APPLTAG", "APPLTAG") == ["billing"]
        (absent,) = mqsc.run(qmgr, f"STOP CONN EXTCONN({extended[:-1]}F)")
        assert absent.message_id == "AMQ8155E"


def test_a_filter_chooses_connections_with_all_their_handles(qmgr: QueueManager) -> None:
    mqsc.run(qmgr, SET_UP)
    found = {}
    with qmgr.connect(application="billing") as connection:
        connection.open("A", MQOO.OUTPUT)
        connection.open("B", MQOO.OUTPUT)
        for where in ("OBJNAME EQ A", "APPLTAG EQ 'billing'", "OBJNAME EQ C", "APPLTAG EQ 'other'"):
            found[where] = [
                "".join(type[0] for type in shown(qmgr, f"DISPLAY CONN(*) {type} WHERE({where})", "TYPE"))
                for type in ("", "TYPE(CONN)", "TYPE(HANDLE)", "TYPE(ALL)")
            ]
    assert found == {
        "OBJNAME EQ A": ["C", "C", "H", "CH"],
        "APPLTAG EQ 'billing'": ["C", "C", "HH", "CHH"],
        "OBJNAME EQ C": ["", "", "", ""],
        "APPLTAG EQ 'other'": ["", "", "", ""],
    }


def test_the_log_can_be_asked_for_as_a_whole(qmgr: QueueManager) -> None:
    (reply,) = mqsc.run(qmgr, "DISPLAY QMSTATUS LOG")
    assert reply.rows == [{"QMNAME": "QM1", "TYPE": "QMGR", "LOGTYPE": "CIRCULAR"}]


def test_the_authority_to_create_has_a_profile_of_its_own(qmgr: QueueManager) -> None:
    for type in ("QUEUE", "QMGR"):
        replies = mqsc.run(
            qmgr,
            f"SET AUTHREC PROFILE('@class') OBJTYPE({type}) GROUP('admins') AUTHADD(CRT)\n"
            f"DISPLAY AUTHREC PROFILE('@CLASS') OBJTYPE({type})\n"
            f"DELETE AUTHREC PROFILE('@class') OBJTYPE({type}) GROUP('admins')",
        )
        assert [reply.completion for reply in replies] == [0, 0, 0]
        assert [(row["PROFILE"], row["AUTHLIST"]) for row in replies[1].rows] == [("@class", ["CRT"])]


def test_every_status_has_values_of_the_types_it_is_filtered_by(qmgr: QueueManager) -> None:
    mqsc.run(qmgr, f"{SET_UP}\nALTER QLOCAL(A) MONQ(HIGH)\nALTER TOPIC(T) CAPEXPRY(600)")
    with qmgr.connect(application="billing") as connection:
        queue = connection.open("A", MQOO.INPUT_SHARED | MQOO.OUTPUT)
        queue.put(Message(b"kept"))
        queue.put(Message(b"pending"), PutMessageOptions(MQPMO.SYNCPOINT))
        for command in STATUS:
            (reply,) = mqsc.run(qmgr, f"{command} ALL")
            kind = STATUS_KINDS[command.split()[1].partition("(")[0]]
            values = [(word, value) for row in reply.rows for word, value in row.items() if word in kind.attributes]
            assert values
            assert [(word, value) for word, value in values if not fits(kind.attributes[word].type, value)] == []
        found = [shown(qmgr, f"DISPLAY QSTATUS(*) WHERE({where})", "QUEUE") for where in FILTERS]
        connection.back()
    assert found == [["A"], [], ["A"], ["A"], []]


STATUS = (
    "DISPLAY QSTATUS(*)",
    "DISPLAY QSTATUS(*) TYPE(HANDLE)",
    "DISPLAY CONN(*) TYPE(ALL)",
    "DISPLAY APSTATUS(*)",
    "DISPLAY APSTATUS(*) TYPE(LOCAL)",
    "DISPLAY TPSTATUS('#')",
    "DISPLAY TPSTATUS('#') TYPE(SUB)",
    "DISPLAY SBSTATUS(*)",
    "DISPLAY PUBSUB",
    "DISPLAY QMSTATUS",
)
FILTERS = ("MSGAGE GE 0", "MSGAGE GT 0", "UNCOM EQ YES", "UNCOM NE NO", "UNCOM GT 1")


def fits(type: Type, value: object) -> bool:
    """Return whether a filter can compare a value. Instead of a number it may be a word, or blank if unknown."""
    if isinstance(type, Items):
        return isinstance(value, list)
    if isinstance(type, Number):
        return isinstance(value, int) or value in ("", *type.words)
    return isinstance(value, str)


def test_channel_records_are_shown_narrow_first_with_what_counts_in_them(qmgr: QueueManager) -> None:
    mqsc.run(
        qmgr,
        "SET CHLAUTH(A) TYPE(BLOCKUSER) USERLIST('joe')\n"
        "SET CHLAUTH(A) TYPE(USERMAP) CLNTUSER('joe') MCAUSER('jim')\n"
        "SET CHLAUTH(A*) TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(NOACCESS)\n"
        "SET CHLAUTH(A*) TYPE(QMGRMAP) QMNAME(QM2) USERSRC(CHANNEL)",
    )
    (reply,) = mqsc.run(qmgr, "DISPLAY CHLAUTH(*) WHERE(CHLAUTH LK A*) ALL")
    counting = {"MCAUSER", "CHCKCLNT", "WARN"}
    assert [(row["CHLAUTH"], row["TYPE"], counting & row.keys()) for row in reply.rows] == [
        ("A", "USERMAP", {"MCAUSER", "CHCKCLNT"}),
        ("A", "BLOCKUSER", {"WARN"}),
        ("A*", "ADDRESSMAP", {"WARN"}),
        ("A*", "QMGRMAP", {"CHCKCLNT"}),
    ]


def test_a_channel_without_a_matching_rule_runs_as_its_user(qmgr: QueueManager) -> None:
    set_up(qmgr, "DEFINE CHANNEL(A) CHLTYPE(SVRCONN) MCAUSER('app')\nDEFINE CHANNEL(B) CHLTYPE(SVRCONN)")
    found = [
        reply
        for name in "AB"
        for reply in mqsc.run(qmgr, f"DISPLAY CHLAUTH({name}) MATCH(RUNCHECK) ADDRESS('10.1.1.1') CLNTUSER('joe')")
    ]
    assert [(reply.message_id, reply.text, reply.completion) for reply in found] == [
        ("AMQ9783I", "Channel will run using MCAUSER('app').", 0),
        ("AMQ9783I", "Channel will run using MCAUSER('joe').", 0),
    ]


def test_runcheck_shows_what_decides_and_all_with_all(qmgr: QueueManager) -> None:
    set_up(qmgr, "SET CHLAUTH(A) TYPE(ADDRESSMAP) ADDRESS('10.1.*') USERSRC(MAP) MCAUSER('app') DESCR('x')")
    command = "DISPLAY CHLAUTH(A) MATCH(RUNCHECK) ADDRESS('10.1.1.1')"
    assert words_shown(qmgr, command) == [("CHLAUTH", "TYPE", "ADDRESS", "MCAUSER")]
    ((*_, last),) = words_shown(qmgr, f"{command} ALL")
    assert last == "ALTTIME"


def words_shown(qmgr: QueueManager, command: str) -> list[tuple[str, ...]]:
    """Return the words in each row that a command displays."""
    (reply,) = mqsc.run(qmgr, command, check=True)
    return [tuple(row) for row in reply.rows]


def test_runcheck_takes_one_channel_and_one_address_and_the_other_matches_take_no_client(qmgr: QueueManager) -> None:
    wanted = {
        "DISPLAY CHLAUTH(A) MATCH(RUNCHECK) ADDRESS('10.1.1.1') CLNTUSER('joe')": ("AMQ9783I", 0),
        "DISPLAY CHLAUTH(A*) MATCH(RUNCHECK) ADDRESS('10.1.1.1')": ("AMQ8425E", MQRCCF.CHLAUTH_RUNCHECK_ERROR),
        "DISPLAY CHLAUTH(A) MATCH(RUNCHECK)": ("AMQ8425E", MQRCCF.CHLAUTH_RUNCHECK_ERROR),
        "DISPLAY CHLAUTH(A) MATCH(RUNCHECK) ADDRESS('10.1.1.*')": ("AMQ8425E", MQRCCF.CHLAUTH_RUNCHECK_ERROR),
        "DISPLAY CHLAUTH(A) ADDRESS('10.1.1.1')": ("AMQ8425E", MQRCCF.WRONG_CHLAUTH_MATCH),
        "DISPLAY CHLAUTH(A) MATCH(EXACT) CLNTUSER('joe')": ("AMQ8425E", MQRCCF.WRONG_CHLAUTH_MATCH),
    }
    assert answers(qmgr, *wanted) == wanted


def test_the_authorities_of_a_user_are_asked_for_by_a_type_of_object(qmgr: QueueManager) -> None:
    set_up(qmgr, "SET AUTHREC PROFILE(A) OBJTYPE(QUEUE) PRINCIPAL('joe') AUTHADD(GET)")
    wanted = {
        "DISPLAY ENTAUTH PRINCIPAL('joe') OBJNAME(A) OBJTYPE(QUEUE)": ("AMQ8865I", 0),
        "DISPLAY ENTAUTH PRINCIPAL('joe') OBJTYPE(QMGR)": ("AMQ8865I", 0),
        "DISPLAY ENTAUTH PRINCIPAL('joe') OBJNAME(A) OBJTYPE(NONE)": ("AMQ8405I", 0),
        "DISPLAY ENTAUTH PRINCIPAL('joe') OBJNAME(A)": ("AMQ8421E", MQRCCF.PARM_MISSING),
    }
    assert answers(qmgr, *wanted) == wanted


def test_the_status_of_a_queue_has_the_words_of_mq(qmgr: QueueManager) -> None:
    set_up(qmgr, "DEFINE QLOCAL(STATUS.A)")
    (whole,) = words_shown(qmgr, "DISPLAY QSTATUS(STATUS.A)")
    assert {"CURFSIZE", "CURMAXFS"} <= {*whole}
    assert "EXPIRED" not in whole
    assert words_shown(qmgr, "DISPLAY QSTATUS(STATUS.*)") == [("QUEUE", "TYPE", "CURDEPTH")]
    assert words_shown(qmgr, "DISPLAY QSTATUS(STATUS.*) EXPIRED") == [("QUEUE", "TYPE", "EXPIRED")]
    assert words_shown(qmgr, "DISPLAY QSTATUS(STATUS.*) IPPROCS") == [("QUEUE", "TYPE", "IPPROCS")]


def test_requested_words_without_a_value_are_blank(qmgr: QueueManager) -> None:
    set_up(qmgr, "DEFINE QLOCAL(STATUS.A)")
    with qmgr.connect() as connection:
        connection.open("STATUS.A", MQOO.INPUT_SHARED)
        handles = "DISPLAY QSTATUS(STATUS.A) TYPE(HANDLE) HSTATE TID QMURID URID"
        assert words_shown(qmgr, handles) == [("QUEUE", "TYPE", "HSTATE", "QMURID", "TID", "URID")]
        (words,) = words_shown(
            qmgr, "DISPLAY CONN(*) TID CONNTAG CLIENTID CONNOPTS UOWLOG UOWSTDA UOWSTTI UOWLOGDA UOWLOGTI"
        )
        assert {"TID", "CONNTAG", "CLIENTID", "CONNOPTS", "UOWLOG", "UOWSTDA", "UOWSTTI"} <= {*words}


def test_values_that_mq_prints_for_the_queue_manager(qmgr: QueueManager) -> None:
    (reply,) = mqsc.run(qmgr, "DISPLAY QMSTATUS UNICLUS")
    assert reply.rows[0]["UNICLUS"] == ""
    (reply,) = mqsc.run(qmgr, "DISPLAY QMGR DISTL")
    assert reply.rows[0]["DISTL"] == "YES"

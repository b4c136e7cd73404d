"""DISPLAY: rows selected by type, identifier and filter; accepted words."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any

import mqsc
from mqsc.store import Message, PutMessageOptions
from mqsc.store.catalog.status import STATUS_KINDS
from mqsc.store.catalog.types import Items, Number, Type
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQOO, MQPMO, MQRCCF
from tests.mqsc.verbs.asking import check, set_up, values
from tests.rows import rows

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
    return [value for (value,) in values(qmgr, command, word)]


@rows(
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
    ("DIS SBSTATUS(*) SUBTYPE(USER) WHERE(SUB EQ 'once')", "SUB", ["once"]),
    ("DIS SUB('once') SUBTYPE(USER)", "SUB", ["once"]),
    ("DIS TPSTATUS('')", "TOPICSTR", [""]),
    ("DIS TPSTATUS('t') WHERE(DEFPRTY LT 1)", "DEFPRTY", [0]),
    ("DIS TPSTATUS('t') WHERE(DEFPRTY GT 0)", "DEFPRTY", []),
)
def test_rows_are_chosen(qmgr: QueueManager, command: str, word: str, values: list[object]) -> None:
    assert ({reply.completion for reply in mqsc.run(qmgr, SET_UP)}, shown(qmgr, command, word)) == (
        {0},
        values,
    )


def test_subscriptions_and_connections_are_found_by_their_identifiers(qmgr: QueueManager) -> None:
    set_up(qmgr, SET_UP)
    (identifier,) = shown(qmgr, "DISPLAY SUB('once') SUBID", "SUBID")
    assert shown(qmgr, f"DISPLAY SBSTATUS SUBID({identifier}) NUMMSGS", "SUB") == ["once"]
    assert mqsc.run(qmgr, "DISPLAY SBSTATUS NUMMSGS")[0].completion == 2
    with qmgr.connect(application="billing"):
        (extended,) = shown(qmgr, "DISPLAY CONN(*)", "EXTCONN")
        assert shown(qmgr, f"DISPLAY CONN(*) EXTCONN({extended}) APPLTAG", "APPLTAG") == ["billing"]
        (absent,) = mqsc.run(qmgr, f"STOP CONN EXTCONN({extended[:-1]}F)")
        assert absent.message_id == "AMQ8155E"


# The types of the rows that DISPLAY CONN shows with no TYPE, TYPE(CONN), TYPE(HANDLE) and
# TYPE(ALL).
@rows(
    ("OBJNAME EQ A", ["C", "C", "H", "CH"]),
    ("APPLTAG EQ 'billing'", ["C", "C", "HH", "CHH"]),
    ("OBJNAME EQ C", ["", "", "", ""]),
    ("APPLTAG EQ 'other'", ["", "", "", ""]),
)
def test_a_filter_chooses_connections_with_all_their_handles(
    qmgr: QueueManager,
    where: str,
    types: list[str],
) -> None:
    set_up(qmgr, SET_UP)
    with qmgr.connect(application="billing") as connection:
        for queue in ("A", "B"):
            connection.open(queue, MQOO.OUTPUT)
        asked = [
            f"DISPLAY CONN(*) {type} WHERE({where})"
            for type in ("", "TYPE(CONN)", "TYPE(HANDLE)", "TYPE(ALL)")
        ]
        assert [
            "".join(type[0] for type in shown(qmgr, command, "TYPE")) for command in asked
        ] == types


def test_values_that_mq_prints_for_the_queue_manager(qmgr: QueueManager) -> None:
    (reply,) = mqsc.run(qmgr, "DISPLAY QMSTATUS LOG")
    assert reply.rows == [{"QMNAME": "QM1", "TYPE": "QMGR", "LOGTYPE": "CIRCULAR"}]
    assert shown(qmgr, "DISPLAY QMSTATUS UNICLUS", "UNICLUS") == [""]
    assert shown(qmgr, "DISPLAY QMGR DISTL", "DISTL") == ["YES"]


@rows("QUEUE", "QMGR")
def test_the_authority_to_create_has_a_profile_of_its_own(qmgr: QueueManager, type: str) -> None:
    set_up(qmgr, f"SET AUTHREC PROFILE('@class') OBJTYPE({type}) GROUP('admins') AUTHADD(CRT)")
    found = values(
        qmgr,
        f"DISPLAY AUTHREC PROFILE('@CLASS') OBJTYPE({type})",
        "PROFILE",
        "AUTHLIST",
    )
    assert found == [("@class", ["CRT"])]
    set_up(qmgr, f"DELETE AUTHREC PROFILE('@class') OBJTYPE({type}) GROUP('admins')")


def test_every_status_has_values_of_the_types_it_is_filtered_by(qmgr: QueueManager) -> None:
    mqsc.run(qmgr, f"{SET_UP}\nALTER QLOCAL(A) MONQ(HIGH)\nALTER TOPIC(T) CAPEXPRY(600)")
    with qmgr.connect(application="billing") as connection:
        queue = connection.open("A", MQOO.INPUT_SHARED | MQOO.OUTPUT)
        queue.put(Message(b"kept"))
        queue.put(Message(b"pending"), PutMessageOptions(MQPMO.SYNCPOINT))
        for command in STATUS:
            (reply,) = mqsc.run(qmgr, f"{command} ALL")
            kind = STATUS_KINDS[command.split()[1].partition("(")[0]]
            values = [
                (word, value)
                for row in reply.rows
                for word, value in row.items()
                if word in kind.attributes
            ]
            assert values
            assert [
                (word, value)
                for word, value in values
                if not fits(kind.attributes[word].type, value)
            ] == []
        found = [shown(qmgr, f"DISPLAY QSTATUS(*) WHERE({where})", "QUEUE") for where in FILTERS]
        connection.back()
    assert found == [["A"], [], ["A"], ["A"], []]


STATUS = (
    *(
        "DISPLAY QSTATUS(*)",
        "DISPLAY QSTATUS(*) TYPE(HANDLE)",
        "DISPLAY CONN(*) TYPE(ALL)",
        "DISPLAY APSTATUS(*)",
    ),
    *(
        "DISPLAY APSTATUS(*) TYPE(LOCAL)",
        "DISPLAY TPSTATUS('#')",
        "DISPLAY TPSTATUS('#') TYPE(SUB)",
    ),
    *("DISPLAY SBSTATUS(*)", "DISPLAY PUBSUB", "DISPLAY QMSTATUS"),
)
FILTERS = ("MSGAGE GE 0", "MSGAGE GT 0", "UNCOM EQ YES", "UNCOM NE NO", "UNCOM GT 1")


def fits(type: Type, value: object) -> bool:
    """Return whether a filter can compare a value. Instead of a number it may be a word, or
    blank if unknown.
    """
    if isinstance(type, Items):
        return isinstance(value, list)
    if isinstance(type, Number):
        return isinstance(value, int) or value in ("", *type.words)
    return isinstance(value, str)


def test_channel_records_are_shown_narrow_first_with_what_counts_in_them(
    qmgr: QueueManager,
) -> None:
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


@rows(("A", "app"), ("B", "joe"))
def test_a_channel_without_a_matching_rule_runs_as_its_user(
    qmgr: QueueManager,
    name: str,
    user: str,
) -> None:
    set_up(
        qmgr,
        "DEFINE CHANNEL(A) CHLTYPE(SVRCONN) MCAUSER('app')\nDEFINE CHANNEL(B) CHLTYPE(SVRCONN)",
    )
    (reply,) = mqsc.run(
        qmgr,
        f"DISPLAY CHLAUTH({name}) MATCH(RUNCHECK) ADDRESS('10.1.1.1') CLNTUSER('joe')",
    )
    assert (reply.message_id, reply.completion) == ("AMQ9783I", 0)
    assert reply.text == f"Channel will run using MCAUSER('{user}')."


def test_runcheck_shows_what_decides_and_all_with_all(qmgr: QueueManager) -> None:
    set_up(
        qmgr,
        "SET CHLAUTH(A) TYPE(ADDRESSMAP) ADDRESS('10.1.*') USERSRC(MAP) MCAUSER('app') DESCR('x')",
    )
    command = "DISPLAY CHLAUTH(A) MATCH(RUNCHECK) ADDRESS('10.1.1.1')"
    assert words_shown(qmgr, command) == [("CHLAUTH", "TYPE", "ADDRESS", "MCAUSER")]
    ((*_, last),) = words_shown(qmgr, f"{command} ALL")
    assert last == "ALTTIME"


def words_shown(qmgr: QueueManager, command: str) -> list[tuple[str, ...]]:
    """Return the words in each row that a command displays."""
    (reply,) = mqsc.run(qmgr, command, check=True)
    return [tuple(row) for row in reply.rows]


def test_what_runcheck_and_the_authorities_of_a_user_take(qmgr: QueueManager) -> None:
    set_up(qmgr, "SET AUTHREC PROFILE(A) OBJTYPE(QUEUE) PRINCIPAL('joe') AUTHADD(GET)")
    wanted = {
        "DISPLAY CHLAUTH(A) MATCH(RUNCHECK) ADDRESS('10.1.1.1') CLNTUSER('joe')": ("AMQ9783I", 0),
        "DISPLAY CHLAUTH(A*) MATCH(RUNCHECK) ADDRESS('10.1.1.1')": (
            "AMQ8425E",
            MQRCCF.CHLAUTH_RUNCHECK_ERROR,
        ),
        "DISPLAY CHLAUTH(A) MATCH(RUNCHECK)": ("AMQ8425E", MQRCCF.CHLAUTH_RUNCHECK_ERROR),
        "DISPLAY CHLAUTH(A) MATCH(RUNCHECK) ADDRESS('10.1.1.*')": (
            "AMQ8425E",
            MQRCCF.CHLAUTH_RUNCHECK_ERROR,
        ),
        "DISPLAY CHLAUTH(A) ADDRESS('10.1.1.1')": ("AMQ8425E", MQRCCF.WRONG_CHLAUTH_MATCH),
        "DISPLAY CHLAUTH(A) MATCH(EXACT) CLNTUSER('joe')": ("AMQ8425E", MQRCCF.WRONG_CHLAUTH_MATCH),
        "DISPLAY ENTAUTH PRINCIPAL('joe') OBJNAME(A) OBJTYPE(QUEUE)": ("AMQ8865I", 0),
        "DISPLAY ENTAUTH PRINCIPAL('joe') OBJTYPE(QMGR)": ("AMQ8865I", 0),
        "DISPLAY ENTAUTH PRINCIPAL('joe') OBJNAME(A) OBJTYPE(NONE)": ("AMQ8405I", 0),
        "DISPLAY ENTAUTH PRINCIPAL('joe') OBJNAME(A)": ("AMQ8421E", MQRCCF.PARM_MISSING),
    }
    check(qmgr, wanted)


def test_the_status_of_a_queue_has_the_words_of_mq(qmgr: QueueManager) -> None:
    """Requested words without a value are blank; the depth is always shown."""
    set_up(qmgr, "DEFINE QLOCAL(STATUS.A)")
    (whole,) = words_shown(qmgr, "DISPLAY QSTATUS(STATUS.A)")
    assert {"CURFSIZE", "CURMAXFS"} <= {*whole}
    assert "EXPIRED" not in whole
    monitoring = ("LGETDATE", "LGETTIME", "LPUTDATE", "LPUTTIME", "MONQ", "MSGAGE", "QTIME")
    for asked, words in {
        "": (),
        "CURDEPTH": (),
        "EXPIRED": ("EXPIRED",),
        "IPPROCS": ("IPPROCS",),
        "MONITOR": monitoring,
    }.items():
        for name in ("STATUS.*", "STATUS.A"):
            if asked or name == "STATUS.*":
                shown = words_shown(qmgr, f"DISPLAY QSTATUS({name}) {asked}")
                assert shown == [("QUEUE", "TYPE", "CURDEPTH", *words)]
    with qmgr.connect() as connection:
        connection.open("STATUS.A", MQOO.INPUT_SHARED)
        handles = "DISPLAY QSTATUS(STATUS.A) TYPE(HANDLE) HSTATE TID QMURID URID"
        assert words_shown(qmgr, handles) == [("QUEUE", "TYPE", "HSTATE", "QMURID", "TID", "URID")]
        asked = "TID CONNTAG CLIENTID CONNOPTS UOWLOG UOWSTDA UOWSTTI"
        (words,) = words_shown(qmgr, f"DISPLAY CONN(*) {asked} UOWLOGDA UOWLOGTI")
        assert {*asked.split()} <= {*words}


@rows(
    ("ALL", ["browser", "consumer", "producer"]),
    ("INPUT", ["consumer"]),
    ("OUTPUT", ["producer"]),
)
def test_opentype_chooses_handles_by_what_they_are_for(
    qmgr: QueueManager,
    type: str,
    applications: list[str],
) -> None:
    set_up(qmgr, "DEFINE QLOCAL(Q)")
    uses = {"browser": MQOO.BROWSE, "consumer": MQOO.INPUT_SHARED, "producer": MQOO.OUTPUT}
    with ExitStack() as connected:
        for application, use in uses.items():
            connection = connected.enter_context(qmgr.connect(application=application))
            connection.open("Q", use)
        command = f"DISPLAY QSTATUS(Q) TYPE(HANDLE) OPENTYPE({type}) APPLTAG"
        assert sorted(shown(qmgr, command, "APPLTAG")) == applications

"""`mqsc auth`, `mqsc user groups` and `--user`: explanations, refusals, the matrix, modes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mqsc.store.admin.user_accounts import add_user, set_mode
from mqsc.store.client.store import open_store
from mqsc.store.environment import Environment
from tests.mqsc.conftest import Command
from tests.mqsc.session import Session

DEFINITIONS = """
DEFINE QLOCAL(ORDERS)
DEFINE QLOCAL(PAY.IN.RETRY)
DEFINE QALIAS(ORDERS.ALIAS) TARGET(ORDERS)
DEFINE QLOCAL(TO.QM2) USAGE(XMITQ)
ALTER QMGR DEFXMITQ(TO.QM2)
DEFINE CHANNEL(DEV.APP) CHLTYPE(SVRCONN)
SET AUTHREC OBJTYPE(QMGR) GROUP('apps') AUTHADD(CONNECT)
SET AUTHREC OBJTYPE(QMGR) PRINCIPAL(WEB) AUTHADD(CONNECT)
SET AUTHREC PROFILE(ORDERS) OBJTYPE(QUEUE) GROUP('apps') AUTHADD(GET,BROWSE,INQ)
SET AUTHREC PROFILE(PAY.**) OBJTYPE(QUEUE) PRINCIPAL('app') AUTHADD(GET)
SET AUTHREC PROFILE(PAY.IN.*) OBJTYPE(QUEUE) PRINCIPAL('app') AUTHADD(PUT)
SET AUTHREC PROFILE(QM2) OBJTYPE(RQMNAME) PRINCIPAL('app') AUTHADD(PUT)
SET AUTHREC PROFILE(SYSTEM.DEFAULT.MODEL.QUEUE) OBJTYPE(QUEUE) PRINCIPAL('app') AUTHADD(GET)
"""


@pytest.fixture(autouse=True)
def prepared(mqsc: Command, tmp_path: Path) -> None:
    (tmp_path / "set-up.mqsc").write_text(DEFINITIONS)
    assert mqsc("run", "set-up.mqsc").code == 0
    with open_store(f"sqlite:///{tmp_path}/store.db", environment=Environment.system()) as store:
        add_user(store, "app", "x", groups=["apps"])
        set_mode(store.queue_manager("QM1"), "enforce")


# Dialogue of Z101, arguments, exit code and lines that the answer has.
DIALOGUES: list[tuple[int, str, int, list[str]]] = [
    (
        1,
        "app ORDERS put",
        10,
        [
            "REFUSED 2035: app may not put on ORDERS.",
            "  who    app, in the groups apps and nobody; not an administrator",
            "  asked  +put on queue ORDERS: missing",
            "  held   browse get inq, by GROUP(apps) PROFILE(ORDERS)",
            "  cure   SET AUTHREC PROFILE(ORDERS) OBJTYPE(QUEUE) GROUP('apps') AUTHADD(PUT)",
            "         setmqaut -m QM1 -t queue -n ORDERS -g apps +put",
        ],
    ),
    (
        2,
        "app PAY.IN.RETRY get",
        10,
        [
            "REFUSED 2035: app may not get from PAY.IN.RETRY.",
            "  note   PRINCIPAL(app) PROFILE(PAY.**) has get, but is hidden: of one entity only "
            "the most specific record"
            " counts.",
            "  cure   SET AUTHREC PROFILE(PAY.IN.*) OBJTYPE(QUEUE) PRINCIPAL('app') AUTHADD(GET)",
        ],
    ),
    (
        3,
        "web --connect",
        10,
        [
            "REFUSED 2035: web may not connect to QM1.",
            "  held   nothing",
            "  note   PRINCIPAL(WEB) PROFILE(self) has connect. Names are case-sensitive, and MQSC "
            "folds what is not quoted"
            " to upper case.",
            "  cure   SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('web') AUTHADD(CONNECT)",
        ],
    ),
    (
        4,
        "app ORDERS.ALIAS get",
        10,
        [
            "  asked  +get on queue ORDERS.ALIAS: missing",
            "  note   ORDERS.ALIAS is an alias: its target ORDERS is not asked, only the name that "
            "is opened.",
        ],
    ),
    (
        5,
        "app ANSWERS put --object-qmgr QM2",
        10,
        [
            "REFUSED 2035: app may not put on ANSWERS at QM2.",
            "  asked  +put on queue TO.QM2: missing",
            "  note   messages to another queue manager go to the transmission queue TO.QM2, so it "
            "is asked",
        ],
    ),
    (
        6,
        "app SYSTEM.DEFAULT.MODEL.QUEUE get",
        10,
        [
            "  asked  +get on queue SYSTEM.DEFAULT.MODEL.QUEUE: held",
            "  asked  +dsp on queue SYSTEM.DEFAULT.MODEL.QUEUE: missing",
        ],
    ),
    (
        7,
        "mqm --connect --channel DEV.APP --address 10.0.0.9",
        10,
        [
            "REFUSED 2035: the channel DEV.APP is blocked for mqm (BLOCKUSER).",
            "  rule   CHLAUTH(*) TYPE(BLOCKUSER)",
        ],
    ),
    (
        9,
        "app ORDERS setall",
        10,
        [
            "  asked  +setall on the queue manager: missing",
            "  note   setting context is asked twice: on the queue and on the queue manager.",
        ],
    ),
    (
        12,
        "app ORDERS get browse",
        0,
        [
            "ALLOWED: app may get from and browse ORDERS.",
            "  held   browse get inq, by GROUP(apps) PROFILE(ORDERS)",
        ],
    ),
    (
        0,
        "web ORDERS 16",
        10,
        [
            "  then   web may not connect either: SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('web') "
            "AUTHADD(CONNECT)",
        ],
    ),
    (0, "root ORDERS put", 0, ["ALLOWED: root may put on ORDERS."]),
    (0, "app NOSUCH put", 20, []),
    (0, "app ORDERS", 20, []),
    (0, "app ORDERS frob", 20, []),
]


def test_z101_explanations(mqsc: Command) -> None:
    for number, words, code, lines in DIALOGUES:
        ended = mqsc("auth", "explain", *words.split())
        assert (ended.code, [line for line in lines if line not in ended.lines]) == (code, []), (
            number,
            ended,
        )


def test_a_command_is_explained(mqsc: Command) -> None:
    """Dialogue 10."""
    ended = mqsc("auth", "explain", "app", "DEFINE QLOCAL(NEW)")
    assert ended.code == 10
    assert (
        "  cure   SET AUTHREC PROFILE('@class') OBJTYPE(QUEUE) GROUP('apps') AUTHADD(CRT)"
        in ended.lines
    )
    assert mqsc("auth", "explain", "app", "DEFINE QLOKAL(NEW)").code == 20


def test_z09_a_command_acts_as_another_user(mqsc: Command) -> None:
    refused = mqsc("--user", "app", "put", "ORDERS", "x")
    assert (refused.code, refused.err) == (
        10,
        "mqsc: 2035 MQRC_NOT_AUTHORIZED (ORDERS): app lacks +put on queue ORDERS.\n",
    )
    last = mqsc("auth", "explain", "--last")
    assert last.lines[0].startswith("REFUSED 2035 at ")
    assert last.lines[0].endswith(": mqsc as app: MQOPEN ORDERS")
    cures = mqsc("auth", "refused", "--format", "mqsc").lines
    assert cures == ["SET AUTHREC PROFILE(ORDERS) OBJTYPE(QUEUE) GROUP('apps') AUTHADD(PUT)"]
    # The word of an earlier version.
    assert mqsc("auth", "refused", "--as", "mqsc").lines == cures
    assert mqsc("run", "-c", cures[0]).code == 0
    assert mqsc("put", "ORDERS", "x", "--user", "app").code == 0
    assert "  now    all of it is granted" in mqsc("auth", "refused", "--since", "1h").lines


def test_z78_what_only_administrators_may_do(mqsc: Command) -> None:
    refused = (10, "mqsc: AMQ7077E: only administrators may do this, and app is none\n")
    for words in (
        "user list",
        "qmgr list",
        "auth status",
        "export",
        "history",
        "trace 414d",
        "doctor",
        "user remove app",
        "user groups",
    ):
        ended = mqsc("--user", "app", *words.split())
        assert (ended.code, ended.err) == refused, words
    assert mqsc("--user", "app", "client", "--print-env").code == 20


def test_a_store_is_restored_by_administrators_alone(mqsc: Command, tmp_path: Path) -> None:
    assert mqsc("backup", "copy.db").code == 0
    refused = mqsc("--user", "app", "restore", "copy.db")
    assert (refused.code, refused.err) == (
        10,
        "mqsc: AMQ7077E: only administrators may do this, and app is none\n",
    )
    assert [*tmp_path.glob("store.db.before-*")] == []
    assert mqsc("--user", "root", "restore", "copy.db").code == 0


def test_an_export_says_how_to_add_the_users(mqsc: Command) -> None:
    assert mqsc("export").lines[-3:] == [
        "* Users, groups and modes have no MQSC commands. These are for a shell, and ask for "
        "passwords:",
        "* mqsc user add --group apps app",
        "* mqsc auth mode enforce",
    ]


@pytest.mark.parametrize("chosen", ["--types queue", "--include ORDERS", "--exclude ORDERS"])
def test_an_export_of_some_objects_has_no_users(mqsc: Command, chosen: str) -> None:
    written = mqsc("export", *chosen.split())
    assert (written.code, [line for line in written.lines if "* mqsc" in line]) == (0, [])


def test_z111_replies_and_reports_that_readers_may_not_put(mqsc: Command) -> None:
    """Advice ZL10 and ZL19."""
    grant = "SET AUTHREC PROFILE(ORDERS) OBJTYPE(QUEUE) GROUP('apps') AUTHADD"
    assert mqsc("put", "PAY.IN.RETRY", "x", "--reply-to-q", "ORDERS").code == 0
    assert not any("messages on" in line for line in mqsc("auth", "check").lines)
    assert mqsc("put", "ORDERS", "x", "--reply-to-q", "ORDERS", "--report", "cod").code == 0
    (found,) = [line for line in mqsc("auth", "check").lines if "messages on ORDERS" in line]
    asks = "may not reply to, or get with a report on delivery, messages on ORDERS"
    assert found == f"note: GROUP('apps') {asks}; {grant}(PUT,PASSID)"
    assert mqsc("run", "-c", f"{grant}(PUT,PASSID)").code == 0
    assert not any("messages on ORDERS" in line for line in mqsc("auth", "check").lines)


def test_a_user_may_ask_about_itself_alone(mqsc: Command) -> None:
    assert mqsc("--user", "app", "auth", "explain", "app", "ORDERS", "get").code == 0
    assert "AMQ7077E" in mqsc("--user", "app", "auth", "explain", "web", "ORDERS", "get").err
    assert "AMQ7077E" in mqsc("--user", "app", "auth", "explain", "--last").err


def test_z106_what_was_used_in_mode_warn_becomes_grants(mqsc: Command) -> None:
    assert mqsc("auth", "mode", "warn").code == 0
    assert mqsc("--user", "web", "put", "ORDERS", "x").code == 0
    grants = mqsc("auth", "learn").lines
    assert grants == [
        "SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('web') AUTHADD(CONNECT)",
        "SET AUTHREC PROFILE(ORDERS) OBJTYPE(QUEUE) PRINCIPAL('web') AUTHADD(PUT)",
    ]
    assert mqsc("run", "-c", grants[0], "-c", grants[1]).code == 0
    mqsc("auth", "mode", "enforce")
    assert mqsc("--user", "web", "put", "ORDERS", "x").code == 0


def test_z105_the_matrix(mqsc: Command) -> None:
    assert mqsc("auth", "matrix", "--queue", "ORDERS*").lines == [
        "administrators: "
        f"{mqsc('auth', 'status', '--format', 'json').rows[0]['administrators'][0]}",
        "              WEB       app",
        "QM1           c         c",
        "ORDERS        -         gbi",
        "ORDERS.ALIAS  -         -",
        "c connect, g get, p put, b browse, i inquire, s set, d display, x context, A "
        "administration, - nothing",
    ]
    assert mqsc("auth", "matrix", "--queue", "ORDERS", "--who", "get").lines == [
        "QM1: nobody",
        "ORDERS: app",
    ]
    (_, row) = mqsc("auth", "matrix", "--queue", "ORDERS", "--by", "group", "--format", "json").rows
    assert row == {"type": "QUEUE", "name": "ORDERS", "apps": ["BROWSE", "GET", "INQ"]}


def test_groups_and_the_first_user(mqsc: Command) -> None:
    assert mqsc("user", "groups", "app", "--add", "test", "--remove", "apps").code == 0
    assert mqsc("user", "groups").lines[1:] == ["test   app"]
    assert (
        mqsc("user", "groups", "app", "--remove", "apps").err
        == "mqsc: the user app is not in the group apps\n"
    )
    assert mqsc("user", "groups", "nobody", "--add", "x").code == 10


def test_z03_the_first_user_says_what_begins(mqsc: Command, tmp_path: Path) -> None:
    new = ("--store", str(tmp_path / "new.db"))
    mqsc("run", "-c", "DISPLAY QMGR", *new)
    assert "mqsc auth mode warn" in mqsc("user", "add", "bob", *new, stdin=b"pw\n").err
    assert "mqsc auth mode warn" not in mqsc("user", "add", "eve", *new, stdin=b"pw\n").err


def test_z105_what_a_user_reaches(mqsc: Command) -> None:
    mqsc(
        "run",
        "-c",
        "SET AUTHREC PROFILE(ORDERS.*) OBJTYPE(QUEUE) PRINCIPAL('app') AUTHADD(PUT,BROWSE)",
    )
    mqsc("run", "-c", "DEFINE QREMOTE(FAR) RNAME(ORDERS) RQMNAME(QM2) XMITQ(TO.QM2)")
    mqsc("run", "-c", "SET AUTHREC PROFILE(FAR) OBJTYPE(QUEUE) PRINCIPAL('app') AUTHADD(PUT)")
    mqsc("run", "-c", "SET AUTHREC PROFILE(TO.QM2) OBJTYPE(QUEUE) PRINCIPAL('app') AUTHADD(SETALL)")
    assert mqsc("auth", "matrix", "--reach", "app").lines == [
        "app can put: ORDERS at QM2 through FAR",
        "app can browse, get: ORDERS",
        "app can browse, put: ORDERS through ORDERS.ALIAS",
        "app can put: PAY.IN.RETRY",
        "app can setall: TO.QM2, and so every queue of a partner",
    ]
    assert mqsc("auth", "matrix", "--reach", "ghost").err == "mqsc: ghost reaches no queue\n"


def test_z106_what_was_not_used_can_be_taken_away(mqsc: Command) -> None:
    assert mqsc("--user", "app", "browse", "ORDERS").code == 0
    assert mqsc("auth", "unused").lines == [
        "SET AUTHREC PROFILE(ORDERS) OBJTYPE(QUEUE) GROUP('apps') AUTHRMV(GET,INQ)",
        "SET AUTHREC PROFILE(PAY.**) OBJTYPE(QUEUE) PRINCIPAL('app') AUTHRMV(GET)",
        "SET AUTHREC PROFILE(PAY.IN.*) OBJTYPE(QUEUE) PRINCIPAL('app') AUTHRMV(PUT)",
        "SET AUTHREC PROFILE(SYSTEM.DEFAULT.MODEL.QUEUE) OBJTYPE(QUEUE) PRINCIPAL('app') "
        "AUTHRMV(GET)",
    ]


def test_commands_and_holders_are_rows_too(mqsc: Command) -> None:
    held = mqsc("auth", "matrix", "--queue", "ORDERS", "--who", "get", "--format", "json").rows
    assert held == [
        {"type": "QMGR", "name": "self", "holders": []},
        {"type": "QUEUE", "name": "ORDERS", "holders": ["app"]},
    ]
    wide = mqsc("auth", "matrix", "--queue", "ORDERS", "--who", "get", "--format", "csv").lines
    assert wide[0] == "type,name,holders"
    mqsc("auth", "mode", "warn")
    mqsc("--user", "web", "put", "ORDERS", "x")
    grant = "SET AUTHREC PROFILE(ORDERS) OBJTYPE(QUEUE) PRINCIPAL('web') AUTHADD(PUT)"
    (_, learnt) = mqsc("auth", "learn", "--format", "json").rows
    assert learnt == {
        "type": "QUEUE",
        "profile": "ORDERS",
        "entity_type": "PRINCIPAL",
        "entity": "web",
        "words": ["PUT"],
        "command": grant,
    }
    (_, line) = mqsc("auth", "learn", "--format", "jsonl").lines
    assert json.loads(line) == learnt
    heading = "type,profile,entity_type,entity,words,command"
    assert mqsc("auth", "learn", "--format", "csv").lines[0] == heading
    taken = mqsc("auth", "unused", "--format", "json").rows
    assert [row["command"] for row in taken] == mqsc("auth", "unused").lines


def test_z111_a_store_is_checked_as_a_script_and_for_records_without_effect(mqsc: Command) -> None:
    mqsc("run", "-c", "SET AUTHREC PROFILE(GONE) OBJTYPE(QUEUE) GROUP('ghosts') AUTHADD(PUT)")
    mqsc("run", "-c", "SET AUTHREC PROFILE(ORDERS) OBJTYPE(QUEUE) PRINCIPAL('app') AUTHADD(NONE)")
    found = mqsc("auth", "check", "--format", "json")
    texts = [row["text"] for row in found.rows if not row["rule"]]
    assert found.code == 10
    assert texts == [
        "PROFILE(GONE) OBJTYPE(QUEUE) GROUP('ghosts') has no effect: nobody is in the group ghosts",
        "PROFILE(ORDERS) OBJTYPE(QUEUE) PRINCIPAL('app') has no effect: NONE takes nothing away "
        "that a group of the"
        " user has",
        "PROFILE(PAY.**) OBJTYPE(QUEUE) PRINCIPAL('app') has no effect: more specific records of "
        "the same user or group"
        " hide it in all that it covers",
        "PROFILE(self) OBJTYPE(QMGR) PRINCIPAL('WEB') counts only for programs that say they are "
        "WEB: there is no such"
        " user",
    ]
    rules = {row["rule"] for row in found.rows}
    assert {"MQSC-C48", "MQSC-C51", "MQSC-C59", "MQSC-C60"} <= rules


def test_a_refusal_is_explained_by_its_number(mqsc: Command) -> None:
    mqsc("--user", "app", "put", "ORDERS", "x")
    (row,) = mqsc("auth", "refused", "--format", "json").rows
    found = mqsc("auth", "explain", "--refusal", str(row["seq"]))
    assert (found.code, "as app: MQOPEN ORDERS" in found.lines[0]) == (10, True)
    assert mqsc("auth", "explain", "--refusal", "1").err == "mqsc: event 1 is no refusal\n"


def test_an_identity_that_fails_is_refused(session: Session) -> None:
    """Records alone do not let a user in: it must be able to connect, with a password if one is
    asked for.
    """
    session("""
        qmgr create QM9
        QM9: DEFINE QLOCAL(ORDERS)
        QM9: DEFINE CHANNEL(C) CHLTYPE(SVRCONN)
        user add ann << secret
        QM9: SET AUTHREC PROFILE(ORDERS) OBJTYPE(QUEUE) PRINCIPAL('ann') AUTHADD(BROWSE)
        QM9: auth explain ann ORDERS browse => 10
            = ALLOWED: ann may browse ORDERS.
            >   but    ann may not connect: SET AUTHREC
        QM9: auth explain ann ORDERS browse --format json => 10 .allowed [true]
        QM9: SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('ann') AUTHADD(CONNECT)
        QM9: SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('nobody.here') AUTHADD(CONNECT)
        QM9: auth explain ann ORDERS browse
        QM9: auth explain nobody.here --connect
        QM9: ALTER AUTHINFO(SYSTEM.DEFAULT.AUTHINFO.IDPWOS) AUTHTYPE(IDPWOS) CHCKLOCL(REQUIRED)
        QM9: auth explain ann --connect
            > CHCKLOCL(REQUIRED) asks for the password of ann
        QM9: auth explain nobody.here --connect => 10
            = REFUSED 2035: nobody.here may not connect to QM9.
            > CHCKLOCL(REQUIRED) asks for a password, and the store does not know nobody.here
        QM9: auth explain nobody.here --connect --format jsonl => 10
            .refused ["password"]
        QM9: auth explain nobody.here --connect --channel C
        QM9: SET CHLAUTH(C) TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(CHANNEL) CHCKCLNT(REQUIRED)
        QM9: auth explain nobody.here --connect --channel C => 10
            > CHCKCLNT(REQUIRED) of the record asks for a password
        QM9: ALTER QMGR CONNAUTH(NONE)
        QM9: auth explain ann --connect => 10
            > CONNAUTH names no AUTHINFO object
    """)

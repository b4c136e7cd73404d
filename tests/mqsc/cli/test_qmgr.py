"""`mqsc qmgr`, `mqsc clock` and `mqsc user`."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.mqsc.conftest import Command
from tests.mqsc.session import Session

SESSIONS = {
    "a life": """
        qmgr create QM1
            | AMQ8001I: IBM MQ queue manager 'QM1' created.
            | AMQ8003I: IBM MQ queue manager 'QM1' started.
        qmgr create QM2 --clock manual
        qmgr list --format json => .name ["QM1", "QM2"]
            .state ["RUNNING", "RUNNING"]
            .default [true, false]
            .clock ["system", "manual"]
        qmgr end QM2 => | AMQ8004I: IBM MQ queue manager 'QM2' ended.
        qmgr list => > QM2   ENDED    no       manual
        qmgr start QM2 => | AMQ8003I: IBM MQ queue manager 'QM2' started.
        qmgr start QM2 => !| mqsc: QM2 is already running
        qmgr end QM2 --immediate
        qmgr delete QM2 => | AMQ8002I: IBM MQ queue manager 'QM2' deleted.
        qmgr delete QM2 => 10
    """,
    "another default": """
        qmgr create QM1
        qmgr create QM2 --default
        run -c 'PING QMGR' => = Starting MQSC for queue manager QM2.
    """,
    "the objects of developers": """
        qmgr create QM1 --dev
            | AMQ8001I: IBM MQ queue manager 'QM1' created.
            | AMQ8003I: IBM MQ queue manager 'QM1' started.
        qmgr create QM2
        QM1: DISPLAY QLOCAL(DEV.*) => >    QUEUE(DEV.QUEUE.3)                      TYPE(QLOCAL)
        QM1: DISPLAY QMODEL(DEV.APP.MODEL.QUEUE) DEFTYPE => =    DEFTYPE(TEMPDYN)
        QM1: DISPLAY QMGR DEADQ CONNAUTH => > CONNAUTH(DEV.AUTHINFO)
        QM2: DISPLAY QLOCAL(DEV.*) => 10 = AMQ8147E: IBM MQ object DEV.* not found.
        qmgr create QM1 --dev => 10 ! AMQ8110E: IBM MQ queue manager 'QM1' already exists.
    """,
    "a queue-sharing group": """
        qmgr create QM1
        qmgr create QM2 --group QSG1
        qmgr end QM1
        qmgr join QM1 QSG1 => | QM1 is a member of QSG1.
        qmgr start QM1
        qmgr list --format json => .name ["QM1", "QM2"]
            .group ["QSG1", "QSG1"]
        QM2: DISPLAY QMGR QSGNAME => =    QMNAME(QM2)                             QSGNAME(QSG1)
        qmgr end QM1
        qmgr leave QM1 => | QM1 has left QSG1.
        QSG1: PING QMGR => = Starting MQSC for queue manager QM2.
        qmgr end QM2
        QSG1: put Q text => 20 ! mqsc: AMQ8146E: no member of QSG1 is running; start one w
    """,
    "refusals": """
        qmgr create QM1
        qmgr ...
        create QM1 => 10 ! AMQ8110E: IBM MQ queue manager 'QM1' already exists.
        create 'no good' => 20 ! is not a valid queue manager name
        delete QM1 => 10 ! QM1 is running; end it first with `mqsc qmgr end QM1`
        end QM9 => 10 ! AMQ8118E
        creat QM3 => 20 ! No such command 'creat'; did you mean create?
        frobnicate => 20 ! No such command 'frobnicate'; there is create, start, end
        define => 20 ! No such command 'define'; there is create
        list --store . => 20 ! is a folder, not a file
        list --store /dev/null => 20 ! /dev/null is a device or pipe, not a file
        list --store sqlite:a.db => 20 ! 'sqlite:a.db' is not the address of a store
    """,
    "refusals of groups": """
        qmgr create QM1 --group QSG1
        qmgr ...
        create QM4 --group QSG2 => 10 ! MQSC0035E: The rules of queue-sharing groups do not allow this: the
        create QM4 --group bad => 10 ! use 1 to 4 of A-Z
        create QSG1 => 10 ! QSG1 is the name of the queue-sharing group of the store
        create QM4 --group '' => 20 ! --group: the name is empty
        delete QM1 => 10 ! take it out first with `mqsc qmgr leave QM1`
        leave QM1 => 10 ! QM1 has not ended; end it first with `mqsc qmgr end QM1`, with --immediate if
        join QM1 QSG1 => 10 ! QM1 belongs to QSG1 already
        join QM9 QSG1 => 10 ! AMQ8118E
        end QSG1 => 20 ! QSG1 is a queue-sharing group; name one of its members: QM1
        list --format json => .name ["QM1"]
    """,
    "a group none of whose members runs": """
        qmgr create QM1 --group QSG1
        qmgr end QM1
        put -m QSG1 SQ x => 20 ! AMQ8146E: no member of QSG1 is running; start one with `mqsc qmgr start`: QM1
        serve QSG1 => 20 ! QSG1 is a queue-sharing group; name one of its members: QM1
        qmgr leave QM1
        put -m QSG1 SQ x => 20 ! AMQ8146E: QSG1 has no members; `mqsc qmgr join` adds one
    """,
    "a start names the copies that could not follow": """
        qmgr create QM1 --group QSG1
        qmgr create QM2 --group QSG1
        QM2: DEFINE QLOCAL(G)
        qmgr end QM2
        QM1: DEFINE QLOCAL(G) QSGDISP(GROUP)
        qmgr start QM2 => !| MQSC0032W: QM2: G not refreshed: it has one of its own.
        qmgr end QM2
        strmqm QM2 => !| MQSC0032W: QM2: G not refreshed: it has one of its own.
    """,
    "clock: refusals": """
        qmgr create QM1
        clock advance 90s => 10 ! QM1 follows real time
        clock advance 90x => 20 ! 90s, 15m, 1h30m, 2d, 250ms
        clock advance -5s => 20 ! '-5s' is not a length of time
        clock set yesterday => 20 ! 2026-03-01T09:00:00
    """,
    "clock: it is moved by hand": """
        qmgr create QM1 --clock manual
        clock set 2026-03-02T09:00:00 => | 2026-03-02T09:00:00Z manual
        clock advance 90s => | 2026-03-02T09:01:30Z manual
        clock advance 1h30m => | 2026-03-02T10:31:30Z manual
        clock advance 2d => | 2026-03-04T10:31:30Z manual
        clock advance 250ms => | 2026-03-04T10:31:30.250000Z manual
        clock advance 0.75s => | 2026-03-04T10:31:31Z manual
        clock set 2026-03-02T09:00:00+02:00
        clock show --format jsonl => | {"qmgr": "QM1", "now": "2026-03-02T07:00:00Z", "clock": "manual"}
    """,
    "clock: messages expire when it is moved": """
        qmgr create QM1 --clock manual
        DEFINE QLOCAL(QUOTES)
        put QUOTES old --expiry 600
        put QUOTES kept
        clock advance 90s
        REFRESH QMGR TYPE(EXPIRY) NAME(QUO*)
            = MQSC0001I: Expired messages discarded: 1 from 1 queue (QUOTES 1).
        DISPLAY QLOCAL(QUOTES) CURDEPTH => =    CURDEPTH(1)
    """,
    "user: refusals": r"""
        qmgr create QM1
        user add alice << s3cret\n
        user ...
        add alice << x\n => 10 ! there is a user alice already
        add bob << \n => 10 ! the password is empty
        add bob => 20 ! standard input has no password; its first line is taken
        add averylongname << x\n => 10 ! at most 12 bytes
        password bob << x\n => 10 ! there is no user bob
        remove bob => 10 ! there is no user bob
        add bob secret => 20 ! unexpected extra argument
    """,
    "user: the commands of mqsc need no password": """
        qmgr create QM1
        ALTER AUTHINFO(SYSTEM.DEFAULT.AUTHINFO.IDPWOS) AUTHTYPE(IDPWOS) CHCKLOCL(REQUIRED) CHCKCLNT(REQUIRED)
        DEFINE QLOCAL(Q)
        put Q text
        get Q
    """,
}


@pytest.mark.parametrize("name", SESSIONS)
def test_sessions(session: Session, name: str) -> None:
    session(SESSIONS[name])


def test_a_command_for_all_members(mqsc: Command) -> None:
    for name in ("QM1", "QM2"):
        mqsc("qmgr", "create", name, "--group", "QSG1")
    command = "DISPLAY QMGR MAXHANDS CMDSCOPE(*)"
    lines = [
        line
        for line in mqsc("run", "-c", command).lines
        if "MQSC0030I" in line or "MAXHANDS(" in line
    ]
    assert lines == [
        "MQSC0030I: Reply of queue manager QM1.",
        "   QMNAME(QM1)                             MAXHANDS(256)",
        "MQSC0030I: Reply of queue manager QM2.",
        "   QMNAME(QM2)                             MAXHANDS(256)",
    ]
    quiet = mqsc("--quiet", "run", "-c", f"{command}\nALTER QMGR DESCR(X) CMDSCOPE(*)").out
    assert (quiet.count("MAXHANDS(256)"), quiet.count("AMQ8005I")) == (2, 0)
    [reply] = mqsc("run", "--format", "json", "-c", command).rows
    assert [(row["qmgr"], row["MAXHANDS"]) for row in reply["rows"]] == [("QM1", 256), ("QM2", 256)]


def test_the_members_of_a_group(mqsc: Command) -> None:
    for name in ("QM2", "QM1"):
        mqsc("qmgr", "create", name, "--group", "QSG1")
    assert mqsc("-m", "QM2", "run", "-c", "DISPLAY GROUP").lines[5:12] == [
        "MQSC0034I: Display queue-sharing group details.",
        "   QSGNAME(QSG1)                           QMNAME(QM2)",
        "   NUMBER(1)                               STATUS(ACTIVE)",
        "   CMDLEVEL(942)                           EXPSCAN(NO)",
        "MQSC0034I: Display queue-sharing group details.",
        "   QSGNAME(QSG1)                           QMNAME(QM1)",
        "   NUMBER(2)                               STATUS(ACTIVE)",
    ]
    assert mqsc("qmgr", "list").lines[0].split() == [
        "NAME",
        "STATE",
        "DEFAULT",
        "CLOCK",
        "GROUP",
        "CREATED",
    ]


def test_users_are_added_listed_changed_and_removed(session: Session, tmp_path: Path) -> None:
    session(r"""
        qmgr create QM1
        user add alice << s3cret\nnot this\n => | The user alice was added.
        user add root --administrator << s3cret\r\n
        user list --format json => .name ["alice", "root"]
            .administrator [false, true]
        user password alice << other\n => | The password of alice was changed.
        user remove root => | The user root was removed.
        user list --format json => .name ["alice"]
    """)
    assert session("user list").lines[0].split() == [
        "NAME",
        "ADMINISTRATOR",
        "GROUPS",
        "CREATED",
        "CHANGED",
    ]
    with closing(sqlite3.connect(tmp_path / "store.db")) as store:
        assert b"s3cret" not in "".join(store.iterdump()).encode()


def test_shared_queues_are_exported_and_compared(session: Session, tmp_path: Path) -> None:
    exported = session(r"""
        qmgr create QM1 --group QSG1
        cat > shared.mqsc << DEFINE CFSTRUCT(APPL1)\nDEFINE QLOCAL(SQ) QSGDISP(SHARED) CFSTRUCT(APPL1) MAXDEPTH(7)\n
        check shared.mqsc
        run --plan shared.mqsc => 2 > SQ
        run shared.mqsc
        export => > DEFINE QLOCAL('SQ') CFSTRUCT('APPL1') MAXDEPTH(7) QSGDISP(SHARED)
    """)
    (tmp_path / "exported.mqsc").write_text(exported.out, encoding="utf-8")
    session("""
        diff exported.mqsc
        run --plan exported.mqsc
        DELETE QLOCAL(SQ) QSGDISP(SHARED)
        diff exported.mqsc => 2 > SQ
        run exported.mqsc
        DISPLAY QLOCAL(SQ) => > QSGDISP(SHARED)
    """)

"""Output of runmqsc: scenarios I64 and I65 of the specification, and the definitions that it
shows.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.mqsc.conftest import Command
from tests.mqsc.imports.history import events, imported, short
from tests.mqsc.imports.test_definitions import HEADING, QUEUE
from tests.rows import rows

SHOWN = """\
Starting MQSC for queue manager SHOP.


     1 : DISPLAY QLOCAL(ORDERS) ALL
AMQ8409I: Display Queue details.
   QUEUE(ORDERS)                           TYPE(QLOCAL)
   CURDEPTH(2)                             DEFTYPE(PREDEFINED)
   DESCR(a) MAXDEPTH(b)                    MAXDEPTH(10)
   NOTRIGGER                               PUT(ENABLED)
     2 : DISPLAY NAMELIST(ALL)
AMQ8550I: Display namelist details.
   NAMELIST(ALL)                           NAMES(A
                                           ,B)
     3 : DISPLAY QLOCAL(NONE)
AMQ8147E: IBM MQ object NONE not found.
3 MQSC commands read.
"""


def test_i64_the_state_that_a_transcript_shows(mqsc: Command, corpus: Path) -> None:
    path = str(
        corpus
        / "transcripts"
        / "Checkmk__checkmk__tests__unit__checks__test_ibm_mq_queues.py#test_parse.txt",
    )
    assert (
        mqsc("import", path).lines[-1]
        == f"{path} (transcript): 4 OBSERVE events imported into MY.TEST"
    )
    assert "4 records already there" in mqsc("import", path).out
    last = events(mqsc, "MY.QUEUE.TWO", "--kind", "OBSERVE")[-1]
    detail = last["detail"]
    assert (last["at"], last["qmgr"], detail["class"]) == (
        "2020-04-03T15:27:02Z",
        "MY.TEST",
        "queue status",
    )
    assert (detail["CURDEPTH"], detail["IPPROCS"]) == ("1400", "5")
    # 2201 seconds before, and 08.49.13 two hours east of UTC.
    assert (detail["oldest_at"], detail["last_get"]) == (1585925421000000, 1489042153000000)
    assert "last_put" not in detail


def test_i65_a_transcript_without_a_time_has_that_of_its_file(mqsc: Command) -> None:
    Path("out.txt").write_text(SHOWN, encoding="utf-8")
    os.utime("out.txt", (1_772_359_205, 1_772_359_205))
    ended = mqsc("import", "out.txt")
    assert (ended.code, ended.lines) == (
        0,
        [
            "out.txt: from 2026-03-01T10:00:05Z to 2026-03-01T10:00:05Z",
            "out.txt: 2 records without a time have that of the file",
            "out.txt (transcript): 2 OBSERVE events imported into SHOP",
        ],
    )
    queue, namelist = events(mqsc, "--kind", "OBSERVE")
    assert (queue["at"], queue["queue"], queue["target"]) == (
        "2026-03-01T10:00:05Z",
        "ORDERS",
        "QLOCAL",
    )
    assert (queue["detail"]["precision"], queue["detail"]["DESCR"]) == ("unknown", "a) MAXDEPTH(b")
    assert namelist["detail"]["NAMES"] == "A,B"


def test_the_time_of_a_transcript_can_be_given(mqsc: Command) -> None:
    ended = imported(mqsc, SHOWN, "--taken-at", "2026-03-02T08:00", name="out.txt")
    assert ended.lines[1:] == ["out.txt (transcript): 2 OBSERVE events imported into SHOP"]
    found = events(mqsc, "--kind", "OBSERVE")
    assert {(each["at"], each["detail"]["precision"]) for each in found} == {
        ("2026-03-02T08:00:00Z", "second"),
    }


@pytest.mark.parametrize(
    ("printed", "at"),
    [
        ("Sun Mar  1 10:00:00 UTC 2026", "2026-03-01T10:00:00Z"),
        ("Sun Mar  1 10:00:00 PM GMT 2026", "2026-03-01T22:00:00Z"),
        ("Sun  1 Mar 2026 10:00:00 AM UTC", "2026-03-01T10:00:00Z"),
        ("Sun Mar  1 10:00:00 +03 2026", "2026-03-01T07:00:00Z"),
        # Letters name no offset: the zone that was given counts.
        ("Sun Mar  1 10:00:00 CET 2026", "2026-03-01T09:00:00Z"),
        ("2026-03-01T10:00:00+02:00", "2026-03-01T08:00:00Z"),
        ("2026-03-01 10:00:00", "2026-03-01T09:00:00Z"),
        (
            "Sun Mar  1 10:00:00 UTC 2026\nSun Mar  1 10:00:00 +99 2026\nSun Mar 99 10:00:00 UTC "
            "2026",
            "2026-03-01T10:00:00Z",
        ),
    ],
)
def test_the_time_that_date_has_printed(mqsc: Command, printed: str, at: str) -> None:
    imported(mqsc, f"{SHOWN}{printed}\n{SHOWN}", "--timezone", "Europe/Berlin", name="out.txt")
    found = [
        each
        for each in events(mqsc, "ORDERS", "--kind", "OBSERVE")
        if each["detail"]["precision"] == "second"
    ]
    assert [each["at"] for each in found] == [at]


STATUS = """\
Starting MQSC for queue manager SHOP.
AMQ8417I: Display Channel Status details.
   CHANNEL(TO.BANK)                        CHLTYPE(SDR)
   CHSTADA(2026-03-01)                     CHSTATI(09.30.00)
   STATUS(RUNNING)                         INDOUBT(YES)
AMQ8417I: Display Channel Status details.
   CHANNEL(TO.TAX)                         CHSTADA(2026-03-01)
   CHSTATI(09.31.00)                       STATUS(RETRYING)
AMQ8705I: Display Queue Manager Status Details.
   QMNAME(SHOP)                            STATUS(RUNNING)
   STARTDA(2026-03-01)                     STARTTI(09.00.00)
"""


def test_what_is_running_has_started(mqsc: Command) -> None:
    given = ("--timezone", "Europe/Berlin", "--taken-at", "2026-03-02T08:00")
    ended = imported(mqsc, STATUS, *given, name="out.txt")
    counts = "1 CHANNEL event, 3 OBSERVE events, 1 START event"
    assert ended.lines == [
        "out.txt: from 2026-03-01T08:00:00Z to 2026-03-02T08:00:00Z",
        f"out.txt (transcript): {counts} imported into SHOP",
    ]
    started = [each for each in events(mqsc) if each["kind"] != "OBSERVE"]
    assert short(started) == ["CHANNEL bound TO.BANK", "START"]
    assert [each["at"] for each in started] == ["2026-03-01T08:30:00Z", "2026-03-01T08:00:00Z"]
    later = imported(
        mqsc,
        STATUS,
        "--timezone",
        "Europe/Berlin",
        "--taken-at",
        "2026-03-02T09:00",
        name="out.txt",
    )
    assert later.lines[-1] == "out.txt (transcript): 3 OBSERVE events imported into SHOP"


def test_i58_what_is_displayed_was_defined_and_altered(mqsc: Command) -> None:
    pairs = ("CRDATE(2025-11-03)", "CRTIME(09.00.00)"), ("ALTDATE(2026-02-27)", "ALTTIME(18.02.11)")
    times = "".join(f"   {first:<40}{second}\n" for first, second in pairs)
    shown = SHOWN.replace("   NOTRIGGER", f"{times}   NOTRIGGER")
    given = ("--timezone", "Europe/Berlin")
    assert imported(mqsc, shown, *given, "--taken-at", "2026-03-01T10:00", name="out.txt").code == 0
    found = [each for each in events(mqsc) if each["kind"] != "OBSERVE"]
    assert short(found) == ["DEFINE ORDERS QLOCAL", "ALTER ORDERS QLOCAL"]
    assert [each["at"] for each in found] == ["2025-11-03T08:00:00Z", "2026-02-27T17:02:11Z"]
    # Shown again, also by a dump, they are the same events.
    imported(mqsc, shown, *given, "--taken-at", "2026-03-02T10:00", name="out.txt")
    imported(mqsc, HEADING + QUEUE, *given, name="dump.mqsc")
    assert [each for each in events(mqsc, "-m", "SHOP") if each["kind"] != "OBSERVE"] == found


def test_a_transcript_of_no_queue_manager_needs_its_name(mqsc: Command) -> None:
    content = SHOWN.partition("\n\n\n")[2]
    refused = imported(mqsc, content, name="out.txt")
    assert refused.code == 10
    assert "out.txt: 2 records of no queue manager; name it with -m" in refused.err
    assert imported(mqsc, content, "-m", "SHOP", name="out.txt").code == 0


def test_lost_indentation(mqsc: Command) -> None:
    lines = [" ".join(line.split()) for line in SHOWN.splitlines() if "DESCR" not in line]
    imported(mqsc, "\n".join(lines), name="out.txt")
    (queue,) = events(mqsc, "ORDERS", "--kind", "OBSERVE")
    assert (queue["detail"]["CURDEPTH"], queue["detail"]["PUT"]) == ("2", "ENABLED")


def test_replies_of_zos(mqsc: Command) -> None:
    content = (
        "CSQN205I COUNT= 3\nCSQM401I +CSQ1 QUEUE(A                  ) TYPE(QLOCAL  ) "
        "QSGDISP(QMGR)\nCSQ9022I +CSQ1\n"
    )
    imported(mqsc, content, name="out.txt")
    (event,) = events(mqsc, "--kind", "OBSERVE")
    found = event["qmgr"], event["queue"], event["target"], event["detail"]["QSGDISP"]
    assert found == ("CSQ1", "A", "QLOCAL", "QMGR")


def test_replies_on_the_console_of_zos(mqsc: Command) -> None:
    content = (
        " CSQM293I !MQD1 CSQMDRTC 2 QLOCAL FOUND MATCHING REQUEST CRITERIA\n"
        " CSQM201I !MQD1 CSQMDRTC  DIS QLOCAL DETAILS 204\n 204   QUEUE(TILLS)      \n "
        "TYPE(QLOCAL)\n DESCR(a (b))\n"
        " END QLOCAL DETAILS\n CSQM201I !MQD1 CSQMDRTC  DISPLAY CHSTATUS DETAILS\n "
        "CHSTATUS(TO.MILL)\n CURRENT\n"
    )
    imported(mqsc, content, name="out.txt")
    queue, channel = events(mqsc, "--kind", "OBSERVE")
    assert (queue["qmgr"], queue["queue"], queue["target"]) == ("MQD1", "TILLS", "QLOCAL")
    assert (queue["detail"]["class"], queue["detail"]["DESCR"]) == ("qlocal", "a (b)")
    assert (channel["queue"], channel["target"], channel["detail"]["class"]) == (
        "TO.MILL",
        "CHSTATUS",
        "chstatus",
    )


@rows(
    "MQSC für Warteschlangenmanager MILL1 wird gestartet.",
    "Démarrage de MQSC pour le gestionnaire de files d'attente MILL1.",
)
def test_transcripts_in_other_languages(mqsc: Command, banner: str) -> None:
    content = (
        f"{banner}\n     1 : DIS CHS(*)\nAMQ8417I: Überschrift.\n   CHANNEL(TO.X)\n   "
        "CHLTYPE(SDR)\n"
        "AMQ8409: En-tête.\n   QUEUE(Q)\n   TYPE(QLOCAL)\n2 MQSC-Befehle gelesen.\n   "
        "QUEUE(NOT.SHOWN)\n"
    )
    imported(mqsc, content, name="out.txt")
    assert [
        (each["qmgr"], each["queue"], each["detail"]["class"])
        for each in events(mqsc, "--kind", "OBSERVE")
    ] == [
        ("MILL1", "TO.X", "channel status"),
        ("MILL1", "Q", "queue"),
    ]


def test_replies_with_other_headings(mqsc: Command) -> None:
    """Of subscriptions, whose identifier comes first, and of CHLAUTH while that is disabled."""
    content = (
        "AMQ8096I: IBM MQ subscription inquired.\n   SUBID(414D)\n   SUB(shop "
        f"sub){' ' * 60}TOPICSTR(a)\n   DEST(Q)\n"
        "AMQ8099I: IBM MQ subscription status inquired.\n   SUB(shop sub)\n   SUBID(414D)\n   "
        "NUMMSGS(3)\n"
        "AMQ8096: WebSphere MQ subscription inquired.\n   SUBID(415E)\n   SUB(made by a program)\n "
        "  SUBTYPE(API)\n"
        "AMQ8898I: Display channel authentication record details - currently disabled.\n   "
        "CHLAUTH(*)\n"
        "   TYPE(BLOCKUSER)\n   USERLIST(nobody)\nAMQ8409I: Display Queue details.\n   QUEUE(Q)\n  "
        " TYPE(QLOCAL)\n"
    )
    imported(mqsc, content, "-m", "SHOP", name="out.txt")
    found = events(mqsc, "--kind", "OBSERVE")
    assert [(each["queue"], each["target"], each["detail"]["class"]) for each in found][:4] == [
        ("shop sub", "SUB", "subscription"),
        ("shop sub", "SUB", "subscription status"),
        ("made by a program", "SUB", "subscription"),
        ("*", "CHLAUTH", "channel authentication record"),
    ]
    mqsc("qmgr", "create", "TILL")
    ended = imported(mqsc, content, "-m", "TILL", "--apply", name="out.txt")
    assert (
        ended.code,
        "DEFINE SUB('shop sub')" in mqsc("dmpmqcfg", "-m", "TILL", "-o", "1line").out,
    ) == (0, True)
    assert "left out: 2 records that show a state" in ended.out


def test_secrets_are_not_kept(mqsc: Command) -> None:
    content = "AMQ8414: Display Channel details.\n   CHANNEL(C)\n   PASSWORD(s3cr3t)\n"
    imported(mqsc, content, "-m", "SHOP", name="out.txt")
    assert [each["detail"]["PASSWORD"] for each in events(mqsc, "--kind", "OBSERVE")] == [
        "********",
    ]


def test_secrets_are_not_kept_where_columns_are_lost(mqsc: Command) -> None:
    content = (
        "AMQ8414: Display Channel details.\n   CHANNEL(C)  USERID(u)  PASSWORD(s3cr3t)  "
        "DESCR(PASSWORD(s3cr3t))\n"
    )
    imported(mqsc, content, "-m", "SHOP", name="out.txt")
    (event,) = events(mqsc, "--kind", "OBSERVE")
    assert (event["queue"], event["detail"]["PASSWORD"], event["detail"]["USERID"]) == (
        "C",
        "********",
        "u",
    )
    assert "s3cr3t" not in str(event)


@rows(
    # Not padded, also where a column happens to be where it should.
    ("   QUEUE(ORDERS)    TYPE(QLOCAL)    CURDEPTH(7)", {"CURDEPTH": "7"}),
    ("   QUEUE(ORDERS)  TYPE(QLOCAL)             CURDEPTH(7)", {"CURDEPTH": "7"}),
    ("QUEUE(ORDERS) TYPE(QLOCAL) NOTRIGGER CURDEPTH(7)", {"CURDEPTH": "7", "NOTRIGGER": ""}),
    # A parenthesis in a text is no end where it closes another one.
    (
        "   QUEUE(ORDERS) TYPE(QLOCAL) DESCR(see (x) MAXDEPTH(5) there) PUT(ENABLED)",
        {"DESCR": "see (x) MAXDEPTH(5) there", "PUT": "ENABLED"},
    ),
    # In whole columns, a text has what it likes.
    (
        f"   QUEUE(ORDERS)\n{'   TYPE(QLOCAL)':<43}PUT(ENABLED)\n{'   DESCR(a) MAXDEPTH(b)':<43}MAXDEPTH(10)",
        {"DESCR": "a) MAXDEPTH(b", "MAXDEPTH": "10"},
    ),
)
def test_columns_of_any_layout(mqsc: Command, line: str, expected: dict[str, str]) -> None:
    ended = imported(
        mqsc,
        f"AMQ8409I: Display Queue details.\n{line}\n",
        "-m",
        "SHOP",
        name="out.txt",
    )
    (event,) = events(mqsc, "--kind", "OBSERVE")
    assert (ended.code, event["queue"], event["target"]) == (0, "ORDERS", "QLOCAL")
    assert {word: event["detail"].get(word) for word in expected if expected[word]} == {
        word: value for word, value in expected.items() if value
    }


@rows("QUEUE(ORDERS) and(more))", "CHANNEL(TWO NAMES)", "PROCESS(it's)")
def test_what_is_no_name_is_left_out(mqsc: Command, shown: str) -> None:
    content = (
        f"AMQ8409I: Display Queue details.\n   {shown}\nAMQ8409I: Display Queue details.\n   "
        "QUEUE(A)\n"
    )
    for option in ((), ("--apply",)):
        ended = imported(mqsc, content, "-m", "SHOP", *option, name="out.txt")
        assert (
            ended.code,
            "out.txt:1: left out: " in ended.err,
            "which is no name" in ended.err,
        ) == (10, True, True)
    assert [each["queue"] for each in events(mqsc, "--kind", "OBSERVE")] == ["A"]


def test_the_definitions_in_a_transcript(mqsc: Command) -> None:
    ended = imported(mqsc, SHOWN, "--apply", name="out.txt")
    assert (
        ended.lines[-1]
        == "out.txt (transcript): 1 queue manager created, 2 created imported into SHOP"
    )
    assert mqsc("dmpmqcfg", "-o", "1line").lines[1:-1] == [
        "DEFINE NAMELIST('ALL') NAMES('A','B') REPLACE",
        "DEFINE QLOCAL('ORDERS') DESCR('a) MAXDEPTH(b') MAXDEPTH(10) REPLACE",
    ]
    assert (
        imported(mqsc, SHOWN, "--apply", name="out.txt")
        .lines[-1]
        .endswith("2 unchanged imported into SHOP")
    )


DISPLAYS = (
    "QMGR ALL;QUEUE(*) ALL;NAMELIST(*) ALL;CHANNEL(*) ALL;PROCESS(*) ALL;TOPIC(*) ALL;AUTHINFO(*) "
    "ALL;"
    "LISTENER(*) ALL;CHLAUTH(*) ALL;AUTHREC ALL"
)


def test_all_that_displays_of_here_show_makes_the_same_definitions(mqsc: Command) -> None:
    mqsc("qmgr", "create", "SHOP")
    mqsc(
        "run",
        "-c",
        """DEFINE QLOCAL(A) DESCR('it''s') TRIGGER PROCESS(P) INITQ(I)
        DEFINE PROCESS(P) APPLICID('run (this)')
        DEFINE CHANNEL(C) CHLTYPE(SDR) CONNAME('h(1),i(2)') XMITQ(X)
        DEFINE TOPIC(T) TOPICSTR('a/b')
        SET CHLAUTH(C) TYPE(ADDRESSMAP) ADDRESS('*') MCAUSER('x')
        SET AUTHREC PROFILE(A) OBJTYPE(QUEUE) GROUP('g') AUTHADD(GET,PUT)""",
    )
    first = mqsc("dmpmqcfg", "-o", "1line").lines
    shown = mqsc("run", "-c", "\n".join(f"DISPLAY {each}" for each in DISPLAYS.split(";"))).out
    mqsc("qmgr", "create", "SECOND")
    assert imported(mqsc, shown, "--apply", "-m", "SECOND", name="out.txt").code == 0
    second = mqsc("dmpmqcfg", "-m", "SECOND", "-o", "1line").lines
    assert [line for line in second if "ALTER QMGR" not in line] == first


@pytest.mark.parametrize("option", [(), ("--apply",)])
def test_every_transcript_of_the_corpus_is_read(
    mqsc: Command,
    corpus: Path,
    option: tuple[str, ...],
) -> None:
    if option:
        mqsc("qmgr", "create", "X")
    codes = [
        mqsc("import", str(path), "--format", "transcript", "-m", "X", "--keep-going", *option).code
        for path in sorted((corpus / "transcripts").iterdir())
    ]
    # Without all attributes, a channel cannot be defined.
    assert set(codes) <= {0, 10}
    assert codes.count(0) >= len(codes) - 1


@pytest.mark.parametrize("age", ["9" * 5000, "\u00b2", "-5"])
def test_an_age_that_is_no_number_of_seconds_stays_a_text(mqsc: Command, age: str) -> None:
    shown = (
        "Starting MQSC for queue manager SHOP.\nAMQ8450I: Display queue status details.\n   "
        "QUEUE(A)\n   MSGAGE({})\n"
    )
    assert imported(mqsc, shown.format(age), name="shown.txt").code == 0
    (event,) = mqsc("history", "-m", "SHOP", "--format", "jsonl").rows
    assert (event["detail"]["MSGAGE"], "oldest_at" in event["detail"]) == (age, False)

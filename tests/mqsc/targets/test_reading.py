"""The state of a queue manager elsewhere as a store: definitions and what is not known of them."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from mqsc.console.options import Choices
from mqsc.language.secrets import HIDDEN
from mqsc.store.catalog import KINDS
from mqsc.targets.facts import Facts, facts_of
from mqsc.targets.levels import levels
from mqsc.targets.reading import read_target
from mqsc.targets.target import Target, TargetError
from tests.mqsc.conftest import Command, Ended
from tests.mqsc.targets.far_end import FarEnd

HEADING = """\
* Script generated on 2026-03-01   at 10.00.00
* Queue manager name: PROD
* Queue manager platform: UNIX
* Queue manager command level: ({level}/{level})
* Command issued: dmpmqcfg -m PROD -a -x all -o 1line
"""
END = "* Script ended on 2026-03-01   at 10.00.01\n"
# What the catalog does not know: attributes, a value, and a command.
NEW = """\
ALTER QMGR DESCR('production') NEWQMGR(ON)
DEFINE QLOCAL('A') MAXDEPTH(5) NEWATTR('Some ''text''') REPLACE
DEFINE QLOCAL('B') MAXDEPTH(5) NEWATTR(YES) DEFPSIST(MAYBE) REPLACE
DEFINE QALIAS('C') TARGET('A') REPLACE
SET CHLAUTH('*') TYPE(BLOCKUSER) USERLIST('*MQADMIN') NEWREC(3) ACTION(ADD)
SET NEWKIND NAME('x') FOO(1) TOKEN('********')
"""
UNKNOWN = (
    "mqsc: kept as it is written: dump:11:5: SET takes no object 'NEWKIND'; "
    "it takes ARCHIVE, AUTHREC, CHLAUTH, LOG, POLICY, SYSTEM\n"
)


def dump(folder: Path, commands: str = NEW, level: int = 950) -> Path:
    file = folder / "dump"
    file.write_text(f"{HEADING.format(level=level)}{commands}{END}", "utf-8")
    return file


def test_an_export_is_that_of_the_store_elsewhere(mqsc: Command, far: FarEnd) -> None:
    """N01: also with everything, as data, and in part. dmpmqcfg is called once, runmqsc not."""
    for options in ((), ("--all",), ("--format", "json"), ("--include", "O*")):
        there = mqsc("--store", str(far.store), "export", *options)
        assert mqsc("export", "--on", "far", *options) == there
        assert "ORDERS" in there.out
    assert far.calls == ["dmpmqcfg -m QM1 -a -x all -o 1line"] * 4
    assert not Path("store.db").exists()


def test_the_copy_has_the_defaults_of_the_target(mqsc: Command, far: FarEnd) -> None:
    mqsc(
        "--store",
        str(far.store),
        "run",
        "-c",
        "ALTER QLOCAL(SYSTEM.DEFAULT.LOCAL.QUEUE) MAXDEPTH(9)",
    )
    Path("new.mqsc").write_text("DEFINE QLOCAL(NEW)\n")
    (row,) = mqsc(
        *("diff", "--on", "far", "--only-defined", "new.mqsc", "--format", "json"),
    ).rows
    assert row["changes"]["MAXDEPTH"] == {"old": None, "new": 9}


def test_what_the_catalog_does_not_know_is_kept(mqsc: Command, tmp_path: Path) -> None:
    """N02: exported as it is, and compared as text. Records that the dump does not have are gone."""
    dump(tmp_path)
    exported = mqsc("export", "--from-file", "dump")
    assert (exported.code, exported.err) == (0, UNKNOWN)
    text = re.sub(r"\+\n *", "", exported.out)
    for kept in (
        "ALTER QMGR DESCR('production') NEWQMGR(ON)",
        "MAXDEPTH(5) REPLACE NEWATTR('Some ''text''')",
        "MAXDEPTH(5) REPLACE NEWATTR(YES) DEFPSIST(MAYBE)",
        "ACTION(REPLACE) NEWREC(3)",
        "SET NEWKIND NAME('x') FOO(1) TOKEN('********')",
        "SET CHLAUTH('SYSTEM.*') TYPE(ADDRESSMAP) ADDRESS('*') ACTION(REMOVE)",
    ):
        assert kept in text
    Path("same.mqsc").write_text(exported.out)
    same = mqsc("diff", "--from-file", "dump", "same.mqsc")
    assert (same.code, same.out) == (0, "")
    rows = mqsc("export", "--from-file", "dump", "--format", "json", "--include", "A").rows
    assert rows[0]["unknown"] == {"NEWATTR": "NEWATTR('Some ''text''')"}


def compared(mqsc: Command, text: str, *options: str) -> Ended:
    Path("files.mqsc").write_text(text)
    return mqsc("diff", "--from-file", "dump", "--only-defined", "files.mqsc", *options)


def test_unknown_attributes_are_compared_as_text(mqsc: Command, tmp_path: Path) -> None:
    """N02: only where a file gives them, and only those that the target has."""
    dump(tmp_path)
    unrelated = compared(mqsc, "DEFINE QLOCAL(B) MAXDEPTH(6) REPLACE", "--format", "json")
    assert [row["changes"] for row in unrelated.rows] == [{"MAXDEPTH": {"old": 5, "new": 6}}]
    changed = compared(mqsc, "ALTER QLOCAL(B) NEWATTR(NO) MAXDEPTH(6)", "--format", "json")
    assert [row["changes"] for row in changed.rows] == [
        {
            "MAXDEPTH": {"old": 5, "new": 6},
            "NEWATTR": {"old": "NEWATTR(YES)", "new": "NEWATTR(NO)"},
        },
    ]
    alone = compared(mqsc, "ALTER QLOCAL(B) NEWATTR(NO)", "--format", "json")
    assert [(row["action"], row["name"]) for row in alone.rows] == [("UPDATE", "B")]
    created = compared(mqsc, "DEFINE QLOCAL(NEW) NEWATTR(NO)", "--format", "json")
    assert [row["action"] for row in created.rows] == ["CREATE"]
    assert created.rows[0]["changes"]["NEWATTR"] == {"old": None, "new": "NEWATTR(NO)"}
    short = compared(mqsc, "alt ql(B) newattr(no)", "--format", "json")
    assert [row["name"] for row in short.rows] == ["B"]
    misspelt = compared(mqsc, "ALTER QLOCAL(B) NEWATR(NO)")
    assert misspelt.code == 10
    assert "NEWATR" in misspelt.out


def test_an_identifier_that_the_queue_manager_made_is_no_definition(
    mqsc: Command,
    far: FarEnd,
) -> None:
    """Dumps have a DESTCORL for every subscription. One that was chosen stays."""
    made, chosen = "414D5120514D31", "C1"
    text = (
        "* Script generated by dmpmqcfg\n"
        "DEFINE QLOCAL('Q') REPLACE\n"
        f"DEFINE SUB('M') TOPICSTR('a') DEST('Q') DESTCORL('{made:0<48}') REPLACE\n"
        f"DEFINE SUB('C') TOPICSTR('a') DEST('Q') DESTCORL('{chosen:0<48}') REPLACE\n"
        "* Script ended on 2026-11-29\n"
    )
    far.writes("dmpmqcfg", text.encode())
    found = mqsc("export", "--on", "far").out
    assert "DEFINE SUB('M')" in found
    assert made not in found
    assert f"{chosen:0<48}" in found


@pytest.mark.parametrize("lines", [0, 3, 7, 11])
def test_a_dump_that_was_cut_is_refused(mqsc: Command, tmp_path: Path, lines: int) -> None:
    """N03: nothing is compared, wherever it was cut."""
    file = dump(tmp_path)
    content = file.read_text().splitlines(keepends=True)
    file.write_text("".join(content[:lines]) + content[lines][:8])
    for command in ("export", "check"):
        refused = mqsc(command, "--from-file", "dump")
        assert (refused.code, refused.out) == (20, "")
        assert "the dump was cut" in refused.err
    assert compared(mqsc, "DEFINE QLOCAL(X)").code == 20


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"DEFINE QLOCAL(A)\nDEFINE QLOCAL(B", "file:2:16: the parenthesis that opens"),
        (b"\x7fELF\n\0\0\n", "file:1:1: U+007F"),
        (b"DEFINE QLOCAL(A)\n\0\n", "file:2:1: X'00' is a NUL byte"),
        (b"\x1b[2Jhello\n", "file:1:1: "),
    ],
)
def test_what_cannot_be_read_in_a_file_that_nobody_dumped_is_an_error(
    mqsc: Command,
    content: bytes,
    says: str,
) -> None:
    """N03, N09: it may be cut, or something else altogether."""
    Path("file").write_bytes(content)
    refused = mqsc("export", "-m", "QM1", "--from-file", "file")
    assert (refused.code, refused.out) == (20, "")
    assert says in refused.err
    assert "\x1b" not in refused.err


def test_a_program_that_writes_half_of_a_dump_is_refused(mqsc: Command, far: FarEnd) -> None:
    """N03."""
    far.writes("dmpmqcfg", b"DEFINE QLOCAL(A) REPLACE\nDEFINE QLO")
    refused = mqsc("export", "--on", "far")
    assert (refused.code, refused.out) == (20, "")
    assert refused.err == (
        "mqsc: far: the dump was cut, or is none: its last lines (* Script ended) are missing\n"
    )


SECRET = "DEFINE AUTHINFO('L') AUTHTYPE(IDPWLDAP) CONNAME('ldap') LDAPPWD('********') REPLACE\n"


def test_secrets_are_not_compared(mqsc: Command, tmp_path: Path) -> None:
    """N04: asterisks are no password; that a file gives one is said, and is no difference. So it is
    with attributes that are not known.
    """
    unknown = "NEWPASSWORD('s3cret') NEWKEY('********')"
    dump(tmp_path, f"{SECRET}DEFINE QLOCAL('A') {unknown} REPLACE\n")
    exported = mqsc("export", "--from-file", "dump")
    assert "NEW" not in exported.out + exported.err
    assert "* LDAPPWD of AUTHINFO(L) is not shown. Set it by hand." in exported.lines
    assert HIDDEN not in exported.out
    without = compared(mqsc, exported.out)
    assert (without.code, without.out) == (0, "")
    given = compared(mqsc, "ALTER AUTHINFO(L) AUTHTYPE(IDPWLDAP) LDAPPWD(s3cret)")
    assert (given.code, given.out) == (0, "")
    assert "mqsc: AUTHINFO(L): secret, cannot be compared" in given.err
    assert "s3cret" not in given.err


def test_a_hostile_dump_is_read_as_by_an_import(mqsc: Command, tmp_path: Path) -> None:
    """N09: escape sequences, quotes in names, a line of 10 MB, bytes that are no text."""
    commands = (
        "DEFINE QLOCAL('A') DESCR('\x1b[2Jred') REPLACE\n"
        "DEFINE QLOCAL('it''s') REPLACE\n"
        f"DEFINE QLOCAL('LONG') DESCR('{'x' * 10_000_000}') REPLACE\n"
        "DEFINE QLOCAL('B') DESCR('a;b$(id)') REPLACE\n"
    )
    file = dump(tmp_path, commands)
    file.write_bytes(file.read_bytes().replace(b"a;b", b"a\xff\0b"))
    exported = mqsc("export", "--from-file", "dump")
    assert exported.code == 0
    assert "\x1b" not in exported.err
    assert "DEFINE QLOCAL('A')" in exported.out
    kept = [line for line in exported.err.splitlines() if line.startswith("mqsc: kept")]
    assert [line.split(":")[3] for line in kept] == ["7", "8", "9"]
    assert all(len(line) < 400 for line in kept)


LEVELS = ("DEFINE QLOCAL(A) STREAMQ(B) REPLACE", "ALTER QMGR CONNAUTH(' ')")


@pytest.mark.parametrize(("level", "refused"), [(910, 1), (923, 0), (710, 2)])
def test_an_attribute_of_a_newer_level_is_an_error(
    mqsc: Command,
    tmp_path: Path,
    level: int,
    refused: int,
) -> None:
    """N21: with the level that it needs and the one that the target has."""
    dump(tmp_path, "DEFINE QLOCAL('A') REPLACE\nDEFINE QLOCAL('B') REPLACE\n", level)
    ended = compared(mqsc, "\n".join(LEVELS))
    assert ended.code == (10 if refused else 2)
    assert ended.out.count("needs command level") == refused
    if refused:
        assert f"STREAMQ needs command level 923, and dump has {level}" in ended.out


def test_without_a_level_newer_attributes_are_named(mqsc: Command, tmp_path: Path) -> None:
    """N21."""
    file = dump(tmp_path, "DEFINE QLOCAL('A') REPLACE\n")
    file.write_text(re.sub(r".*command level.*\n", "", file.read_text()))
    ended = compared(mqsc, "ALTER QLOCAL(A) MAXFSIZE(50)")
    assert ended.code == 2
    assert "the level of dump is not known; these need one: MAXFSIZE (915)" in ended.err


def test_the_level_is_asked_for_where_the_dump_does_not_say_it(mqsc: Command, far: FarEnd) -> None:
    """N21: only if a file has an attribute of which the level matters."""
    Path("files.mqsc").write_text("ALTER QLOCAL(ORDERS) MAXDEPTH(8)\n")
    mqsc("diff", "--on", "far", "--only-defined", "files.mqsc")
    assert [call.split()[0] for call in far.calls] == ["dmpmqcfg"]
    Path("files.mqsc").write_text("ALTER QLOCAL(ORDERS) STREAMQ(DLQ)\n")
    assert mqsc("diff", "--on", "far", "--only-defined", "files.mqsc").code == 2
    assert [call.split()[0] for call in far.calls] == ["dmpmqcfg", "dmpmqcfg", "runmqsc"]


def test_levels_are_those_of_attributes() -> None:
    assert all(word in KINDS[kind].attributes for kind, word in levels())


def test_another_queue_manager_is_refused(mqsc: Command, tmp_path: Path, far: FarEnd) -> None:
    """N08."""
    far.writes("dmpmqcfg", dump(tmp_path).read_bytes())
    assert mqsc("export", "--on", "far").err == ("mqsc: far: the dump is of PROD, not of QM1\n")
    assert mqsc("-m", "OTHER", "export", "--from-file", "dump").code == 20
    (tmp_path / "dump").write_text(END)
    assert "name it with -m" in mqsc("export", "--from-file", "dump").err
    assert mqsc("-m", "OTHER", "export", "--from-file", "dump").code == 0
    assert "No such file" in mqsc("export", "--from-file", "none").err


# As runmqsc shows it, in two columns and in one, in English and not.
SHOWN = """\
Starting MQSC for queue manager QM1.


     1 : DISPLAY QMGR CMDLEVEL VERSION PLATFORM DEADQ
AMQ8408I: Details für Warteschlangenmanager anzeigen.
   QMNAME(QM1)                             CMDLEVEL(930)
   DEADQ(DLQ)                              PLATFORM(UNIX)
   VERSION(09030015)
     2 : DISPLAY QLOCAL(*) CURDEPTH IPPROCS OPPROCS
AMQ8409I: Display Queue details.
   QUEUE(DLQ)                              TYPE(QLOCAL)
   CURDEPTH(12)                            IPPROCS(1)
   OPPROCS(2)
AMQ8409I: Display Queue details.
   QUEUE(A)                                TYPE(QLOCAL)
   CURDEPTH(0)                             IPPROCS(0)
   OPPROCS(0)
     3 : DISPLAY CHSTATUS(*) STATUS
AMQ8417I: Display Channel Status details.
   CHANNEL(TO.QM2)                         CHLTYPE(SDR)
   CONNAME(host2(1414))                    CURRENT
   RQMNAME( )                              STATUS(RETRYING)
   SUBSTATE( )                             XMITQ(QM2)
AMQ8417I: Display Channel Status details.
   CHANNEL(APP)                            CHLTYPE(SVRCONN)
   CONNAME(10.0.0.1)                       CURRENT
   STATUS(RUNNING)                         SUBSTATE(RECEIVE)
3 MQSC commands read.
No commands have a syntax error.
All valid MQSC commands were processed.
"""


def test_what_runmqsc_shows_is_read(tmp_path: Path) -> None:
    far = FarEnd(tmp_path / "far")
    far.writes("runmqsc", SHOWN.encode())
    assert facts_of(far.target) == Facts(
        930,
        "09030015",
        "UNIX",
        "DLQ",
        {"DLQ": 12, "A": 0},
        {"DLQ": (1, 2), "A": (0, 0)},
        {"TO.QM2": "RETRYING", "APP": "RUNNING"},
    )


def test_runmqsc_is_at_another_queue_manager(tmp_path: Path) -> None:
    """What dmpmqcfg reads must be what runmqsc changes."""
    far = FarEnd(tmp_path / "far", "QM2")
    far.writes("runmqsc", SHOWN.encode())
    with pytest.raises(TargetError, match="far: runmqsc is at QM1, not at QM2"):
        facts_of(far.target)


def test_objects_start_from_the_default_object_of_the_dump(mqsc: Command, tmp_path: Path) -> None:
    """N12: what an object has in common with it is left out when the dump is read."""
    default = "DEFINE QLOCAL('SYSTEM.DEFAULT.LOCAL.QUEUE') MAXDEPTH(9) NEWATTR(NO) REPLACE\n"
    dump(tmp_path, f"DEFINE QLOCAL('A') MAXDEPTH(9) NEWATTR(NO) REPLACE\n{default}")
    (row,) = mqsc(
        "export", "--from-file", "dump", "--all", "--include", "A", "--format", "json"
    ).rows
    assert row["attributes"]["MAXDEPTH"] == 9
    assert row["unknown"] == {"NEWATTR": "NEWATTR(NO)"}


def test_level_and_platform_of_a_state(far: FarEnd, tmp_path: Path) -> None:
    """As the heading says, else as runmqsc shows."""
    with read_target(Choices(), far.target) as state:
        assert (state.level, state.platform, state.facts.dead_letter_queue) == (942, "UNIX", "DLQ")
    named = Target("dump", "")
    with read_target(Choices(), named, dump(tmp_path, level=910)) as state:
        assert (state.level, state.platform) == (910, "UNIX")
        with pytest.raises(TargetError, match="dump is a file"):
            assert state.facts


CORPUS = Path(os.environ.get("MQSC_CORPUS", "/none")) / "mqsc"


@pytest.mark.timeout(300)
@pytest.mark.skipif(not CORPUS.exists(), reason="MQSC_CORPUS names no folder of scripts")
def test_exports_of_scripts_of_the_corpus_differ_in_nothing(mqsc: Command, tmp_path: Path) -> None:
    """N02, N09: whatever stands in a dump is read, exported, and found again by a comparison."""
    for script in sorted(CORPUS.iterdir())[::8]:
        (tmp_path / "dump").write_bytes(script.read_bytes().rstrip() + f"\n{END}".encode())
        exported = mqsc("-m", "QM1", "export", "--from-file", "dump")
        assert exported.code == 0, script
        (tmp_path / "again.mqsc").write_text(exported.out, "utf-8")
        compared = mqsc(
            *("-m", "QM1", "diff", "--from-file", "dump", "--only-defined", "again.mqsc"),
        )
        # Of an export of nothing, nothing can be compared.
        assert compared.code == 0, (script, compared)

"""What docs/development/architecture.md says that something costs to add: each is added to a copy of the tree,
which then has it.

The copy works on a store that this version has made, so that a new table or column is one after an
upgrade.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

from mqsc.store.client.store import open_store
from mqsc.store.sql.rows import SCHEMA_VERSION
from tests.mqsc.dlq.handler_system import HandlerSystem, stepping
from tests.shared import START
from tests.source import PACKAGES, ROOT

MOST_FILES = 5
TESTS_OF_ATTRIBUTES = ("tests/store/catalog", "tests/mqsc/language/test_command_table.py")
ROWS, VERSIONS = "store/sql/rows.py", "store/sqlite/migrations/versions.py"
# In a file, what is put in the place of what; a new file has nothing to put it in place of.
Edits = tuple[tuple[str, str], ...]


class Addition(NamedTuple):
    """Something that can be added: its name in docs/development/architecture.md, what it takes, and what
    commands print then.
    """

    name: str
    files: Mapping[str, Edits]
    shown: Mapping[str, str]


def next_version(number: int) -> tuple[str, str]:
    """The `number`th version of the schema after this one."""
    before = SCHEMA_VERSION + number - 1
    return f"\nSCHEMA_VERSION = {before}\n", f"\nSCHEMA_VERSION = {before + 1}\n"


def step(number: int, change: str) -> tuple[str, str]:
    """The upgrade to that version."""
    name, first = f"to_version_{SCHEMA_VERSION + number}", "\n\ndef to_version_2("
    return first, f"\n\ndef {name}(operations: Operations) -> None:\n    {change}\n{first}"


COLUMN = (
    'operations.add_column("queue", Column("min_length", Integer, nullable=False, '
    'server_default="0"))'
)
TABLE = """operations.create_table(
        "note", Column("name", Text, primary_key=True, nullable=False),
        Column("words", Text, nullable=False, server_default=""), sqlite_with_rowid=False,
    )"""
NOTE_ROW = """class NoteRow(NamedTuple):
    name: Annotated[str, PRIMARY_KEY]
    words: str"""
STATEMENTS = """from mqsc.store.sql.core.declaring import Placeholder, statement
from mqsc.store.sql.core.schema import note
from sqlalchemy import ClauseElement, insert, select


@statement
def add(name: Placeholder, words: Placeholder) -> ClauseElement:
    return insert(note).values(name=name, words=words)


@statement
def words() -> ClauseElement:
    return select(note.c.words)
"""
CALLS = """from mqsc.store.sql.results import first_column
from mqsc.store.sql.texts import named_statements
from mqsc.store.sqlite.database import Queries, Transaction

SQL = named_statements(__file__)


def add(tx: Transaction, name: str, words: str) -> None:
    tx.execute(SQL["add"], (name, words))


def words(tx: Queries) -> list[str]:
    return first_column(tx.execute(SQL["words"], ()))
"""
RULE = '''@lint_rule("MQSC-C99", "note", "object", "Queue without a description")
def without_description(queue: DefinedObject, scripts: Scripts) -> Iterator[Violation]:
    """Nobody will know what it is for.

    Bad:
        DEFINE QLOCAL(A)

    Good:
        DEFINE QLOCAL(A) DESCR('Orders')
    """
    if not queue.get("DESCR"):
        yield Violation(queue.location_of("DESCR"), f"{queue.name} has no description", "DESCR")'''
USER = 'Column("put_user", TEXT, "The user that put it."),'
SHOUTED = 'Column("shouted", TEXT, "The user in capitals.", sql="upper(put_user)"),'
COMMAND = '''"""`mqsc greet`."""

from mqsc.console.options import Choices, command
from mqsc.console.target import opened_queue_manager
from mqsc.console.terminal import print_line


@command()
def greet(choices: Choices) -> None:
    """Greet the queue manager."""
    with opened_queue_manager(choices) as qmgr:
        print_line(f"Good morning, {qmgr.name}.")
'''

MAXDEPTH = """    (
        _WITH_MESSAGES,
        Attribute(
            "MAXDEPTH","""
ATTRIBUTE = """    (
        _WITH_MESSAGES,
        Attribute(
            "MINMSGL",
            Number(0, 999999999),
            "The length of the shortest message.",
            default=0,
        ),
    ),"""
DEFAULT = """            "The length of the shortest message.",
            default=0,
"""
# The specification of MINMSGL, at the beginning of the attributes of QLOCAL and of QMODEL.
SPECIFIED = (
    "    - {keyword: MINMSGL, type: integer, min: 0, max: 999999999, default: 0, "
    "verbs: [DEFINE, ALTER, DISPLAY], platform: all, check: K}\n"
)
ATTRIBUTES_OF_QLOCAL = "STREAMQ and STRMQOS after STATQ)'\n    attributes:\n"
ATTRIBUTES_OF_QMODEL = "no CURDEPTH/IPPROCS/OPPROCS on display\n    attributes:\n"
SHORTER = """    if length < queue.min_length:
        return int(MQRC.BUFFER_LENGTH_ERROR)
    added = limits.header"""
NOTE = 'note: Table = Table("note", metadata, *_columns(_rows.NoteRow), sqlite_with_rowid=False)'
RETURN = '"RETURN": RuleAction("FORWARD", ("&REPLYQ", "&REPLYQM"), HeaderTreatment.STRIPPED),'
GREET = "greet,Greet a queue manager.,99,Find out,say hello,,mqsc greet"
ADDITIONS = (
    Addition(
        "an attribute",
        {
            "store/catalog/objects/queues.py": ((MAXDEPTH, f"{ATTRIBUTE}\n{MAXDEPTH}"),),
            "docs/development/specification/mqsc-objects.yaml": (
                (ATTRIBUTES_OF_QLOCAL, f"{ATTRIBUTES_OF_QLOCAL}{SPECIFIED}"),
                (ATTRIBUTES_OF_QMODEL, f"{ATTRIBUTES_OF_QMODEL}{SPECIFIED}"),
            ),
            "store/catalog/pcf_attributes.csv": tuple(
                (f"\n{kind},MAXDEPTH,", f"\n{kind},MINMSGL,999,CFIN,,,\n{kind},MAXDEPTH,")
                for kind in ("QLOCAL", "QMODEL")
            ),
            "docs/development/specification/pcf-attributes.csv": tuple(
                (
                    f"\n{kind},MAXDEPTH,",
                    f"\n{kind},MINMSGL,(own),999,CFIN,,,no,,sure,\n{kind},MAXDEPTH,",
                )
                for kind in ("QLOCAL", "QMODEL")
            ),
        },
        {
            "run -c 'DEFINE QLOCAL(SHORT) MINMSGL(7)' -c 'DISPLAY QLOCAL(SHORT) MINMSGL'": "MINMSGL(7)"
        },
    ),
    Addition(
        "an attribute that acts",
        {
            "store/catalog/objects/queues.py": (
                (DEFAULT, f'{DEFAULT}            column=HotColumn("min_length"),\n'),
            ),
            ROWS: (next_version(1), ("    max_depth:", "    min_length: int\n    max_depth:")),
            VERSIONS: (step(1, COLUMN),),
            "store/rules/admission.py": (
                ("    max_length: int", "    max_length: int\n    min_length: int"),
                ("    added = limits.header", SHORTER),
            ),
        },
        {
            "run -c 'ALTER QLOCAL(Q) MINMSGL(3)' -c 'DISPLAY QLOCAL(Q) MINMSGL'": "MINMSGL(3)",
            "put Q no": "2005",
            "put Q yes": "",
            "browse Q": "yes",
        },
    ),
    Addition(
        "a column of a report",
        {
            "reports/jobs/expired_messages.py": ((USER, f"{USER}\n        {SHOUTED}"),),
        },
        {
            "report expired-messages --out made": (
                "1 row in made/expired-messages/overdue_messages.csv"
            ),
            "report expired-messages --describe": "The user in capitals.",
        },
    ),
    Addition(
        "an action of rules tables",
        {
            "mqsc/dlq/keywords.py": (('    "RETRY": Rule', f'    {RETURN}\n    "RETRY": Rule'),),
            "mqsc/dlq/keywords.csv": (
                ("or forward it to FWDQ.", "forward it to FWDQ, or return it to the sender."),
            ),
        },
        {
            "dlq test return.rules": "ANSWERS on QM1 succeeds",
            "dlq run return.rules": "moved or discarded 1",
            "browse ANSWERS": "returned",
            "explain ACTION": "RETURN",
        },
    ),
    Addition(
        "a table",
        {
            ROWS: (
                next_version(2),
                ('"object_",', '"note", "object_",'),
                ("class ArchiveRow(NamedTuple):", f"{NOTE_ROW}\n\n\nclass ArchiveRow(NamedTuple):"),
            ),
            "store/sql/core/schema.py": (("\narchive: Table", f"\n{NOTE}\narchive: Table"),),
            VERSIONS: (step(2, TABLE),),
            "store/sql/core/notes.py": (("", STATEMENTS),),
            "store/sql/notes.py": (("", CALLS),),
        },
        {"note": "['remember']"},
    ),
    Addition(
        "a message text",
        {
            "mqsc/language/messages.csv": (
                ("id,text", "id,text\nAMQ8998I,IBM MQ queue manager feels well."),
            ),
            "mqsc/language/message_meanings.csv": (
                ("action", "action\nAMQ8998I,It was asked.,Nothing to do."),
            ),
            "mqsc/language/successes.csv": (("PING,qmgr,AMQ8415I", "PING,qmgr,AMQ8998I"),),
        },
        {
            "run -c 'PING QMGR'": "AMQ8998I: IBM MQ queue manager feels well.",
            "explain AMQ8998I": "It was asked.",
        },
    ),
    Addition(
        "a lint rule",
        {
            "mqsc/lint/rules/queues.py": (
                ('@lint_rule("MQSC-C29"', f'{RULE}\n\n\n@lint_rule("MQSC-C29"'),
            ),
        },
        {
            "check bad.mqsc": "MQSC-C99: A has no description",
            "explain MQSC-C99": "Nobody will know what it is for.",
        },
    ),
    Addition(
        "a command",
        {
            "mqsc/cli/greet.py": (("", COMMAND),),
            "mqsc/console/commands.py": (
                ('    "check":', '    "greet": "mqsc.cli.greet:greet",\n    "check":'),
            ),
            "mqsc/console/commands.csv": (("\ncheck,", f"\n{GREET}\ncheck,"),),
        },
        {"greet": "Good morning, QM1.", "--help": "greet say hello"},
    ),
)
# Carries out commands, each after its name. The one that is no command of `mqsc` uses the new
# table.
PROGRAM = """
import json, os, sys
from mqsc.main import run_to_exit_code
from mqsc.store.client.store import open_store
from mqsc.store.sql import notes
from mqsc.store.sqlite.database import Transaction
def note():
    with open_store(os.environ["MQSC_STORE"]) as store, Transaction(store.database, durable=False) as tx:
        notes.add(tx, "Q", "remember")
        print(notes.words(tx))
for command in json.loads(sys.argv[1]):
    print("\\0", flush=True)
    note() if command == ["note"] else run_to_exit_code(command)
    sys.stdout.flush()
"""


@pytest.mark.parametrize("addition", ADDITIONS, ids=lambda addition: str(addition.name))
def test_it_takes_few_files_and_the_documentation_names_them(addition: Addition) -> None:
    rows = (ROOT / "docs/development/architecture.md").read_text("utf-8").splitlines()
    row = next(row for row in rows if row.startswith(f"| {addition.name} |"))
    assert len(addition.files) <= MOST_FILES
    for name in map(Path, addition.files):
        assert (
            f"`{name.as_posix()}`" in row
            or f"`{name.name}`" in row
            or f"`{name.parent.as_posix()}`" in row
        )


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the tree with all additions."""
    tree = tmp_path_factory.mktemp("copy") / "tree"
    for folder in (*PACKAGES, "docs", "tests"):
        shutil.copytree(ROOT / folder, tree / folder, symlinks=True)
    for file in ("pyproject.toml", "pytest_mqsc.py"):
        shutil.copy(ROOT / file, tree / file)
    for addition in ADDITIONS:
        for name, edits in addition.files.items():
            edit(tree / name, edits)
    for program in (
        ["mqsc.store.sql.core"],
        # The page of the commands has the message of each.
        ["tests.mqsc.language.test_command_table", "--write"],
    ):
        subprocess.run([sys.executable, "-m", *program], cwd=tree, check=True)
    return tree


@pytest.mark.long
def test_the_tests_that_the_documentation_names_pass_with_the_attribute(tree: Path) -> None:
    """They fail for an attribute without its number in PCF, or one that nothing reads."""
    tests = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *TESTS_OF_ATTRIBUTES],
        cwd=tree,
        env={**os.environ, "PYTHONPATH": str(tree)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert tests.returncode == 0, tests.stdout


@pytest.mark.long
def test_a_copy_of_the_tree_has_what_is_added(tree: Path, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/mqsc.db"
    make_store(url)
    (tree / "return.rules").write_text("WAIT(NO)\nACTION(RETURN)\n")
    (tree / "bad.mqsc").write_text("DEFINE QLOCAL(A)\n")
    commands = [command for addition in ADDITIONS for command in addition.shown]
    # In one process, since each start takes as long as several commands.
    program = [sys.executable, "-c", PROGRAM, json.dumps([*map(shlex.split, commands)])]
    environment = {**os.environ, "MQSC_STORE": url}
    printed = subprocess.check_output(
        program,
        cwd=tree,
        env=environment,
        stderr=subprocess.STDOUT,
        text=True,
    )
    of_command = dict(zip(commands, printed.split("\0\n")[1:], strict=True))
    for command, text in (pair for addition in ADDITIONS for pair in addition.shown.items()):
        assert text in " ".join(of_command[command].split()), of_command[command]
    assert "TESTER" in (tree / "made/expired-messages/overdue_messages.csv").read_text("utf-8")


def edit(file: Path, edits: Edits) -> None:
    text = file.read_text("utf-8") if file.is_file() else ""
    for old, new in edits:
        assert old in text, f"{file.name} has no {old}"
        text = text.replace(old, new, 1)
    file.write_text(text, "utf-8")


def make_store(url: str) -> None:
    """A store of this version with a message that has expired, and a dead letter that asks for
    answers on ANSWERS.
    """
    environment = stepping(START)
    with open_store(url, environment=environment) as store:
        system = HandlerSystem(store, store.create_queue_manager("QM1"), environment.clock)
        system.define("Q", "OLD", "ANSWERS")
        system.put("OLD", b"late", expiry=1, user_identifier="tester")
        system.put_dead_letter("returned", reply_to_q="ANSWERS")

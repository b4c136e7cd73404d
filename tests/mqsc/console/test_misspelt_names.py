"""A wrong name has a similar one suggested, whatever command it is given to."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from mqsc.ibm.options import IbmCommand
from mqsc.main import mqsc as group
from mqsc.shell.start import command_at
from mqsc.store.catalog.spelling import corrections
from tests.mqsc.conftest import Command
from tests.rows import rows

# A call of every command that asks for the queue manager of -m.
CALLS = """
run -c 'DISPLAY QMGR'
apply a.mqsc --yes
qmgr create NEW
qmgr start SHOP
qmgr end SHOP
qmgr delete SHOP --yes
qmgr join SHOP GROUP
qmgr leave SHOP
qmgr list
user add ann
user password alice
user remove alice --yes
user groups
user list
auth explain ann ORDERS put
auth refused
auth matrix
auth learn
auth unused
auth check
auth status
auth mode warn
auth os-groups on
put ORDERS x
get ORDERS
browse ORDERS
pcf --queue ORDERS
consume ORDERS -- true
client --print-env
clock show
clock advance 1h
clock set 2026-03-01T09:00:00
serve
expiry ORDERS
foreach --yes 'QLOCAL(*) DO DISPLAY QLOCAL({})'
uses ORDERS
poison
history ORDERS
history keep ORDERS --off --yes
trigger explain ORDERS
trigger run --once
topic explain prices/tea
put --topic prices/tea 3.20
subscribe prices/tea --wait 0
channel run TO.QM2
channel explain TO.QM2
channel map
channel fault
dlq test rules.txt
dlq show ORDERS
dlq retry ORDERS
dlq forward ORDERS --to ORDERS
dlq discard ORDERS --all
export
diff a.mqsc
backup b.db
restore copy.db
doctor
archive --to archive
report daily --out o
top --once
blame 'QLOCAL(ORDERS)'
undo --plan
depth ORDERS
import a.mqsc
whatif --since 1d 'ALTER QLOCAL(ORDERS) MAXDEPTH(5)'
reproduce 1 --out t.py
mcp
bisect 'QLOCAL(ORDERS) WHERE(CURDEPTH GT 1)'
""".strip().splitlines()
# These need no queue manager, or, as `dlq run`, report it in the messages of IBM's handler.
OTHERS = "dlq run,dlq check,check,explain,help,archive verify,archive list,config,reconcile,target add".split(
    ",",
)


# Options of different commands that are suggested for each other; none does the opposite.
SIMILAR_OPTIONS = {("--types", "--type"), ("--topics", "--topic")}


def commands(path: str = "") -> Iterator[tuple[str, click.Command]]:
    command = command_at(group, path)
    assert command is not None
    if isinstance(command, click.Group):
        for name in command.list_commands(click.Context(command)):
            yield from commands(f"{path} {name}".strip())
        if not command.invoke_without_command or not path:
            return
    yield path, command


ALL = [*commands()]
OWN = [(path, each) for path, each in ALL if not isinstance(each, IbmCommand)]


def with_a_queue_manager() -> set[str]:
    return {path for path, command in OWN if any("--qmgr" in each.opts for each in command.params)}


def test_every_command_with_a_queue_manager_is_tried() -> None:
    tried = {
        path
        for path in with_a_queue_manager()
        for call in CALLS
        if f"{call} ".startswith(f"{path} ")
    }
    assert sorted(with_a_queue_manager() - tried - {*OTHERS}) == []


@pytest.fixture
def shop(mqsc: Command, tmp_path: Path) -> Command:
    mqsc("qmgr", "create", "SHOP")
    mqsc("user", "add", "alice", stdin=b"a long password\n")
    (tmp_path / "a.mqsc").write_text("DEFINE QLOCAL(B)\n")
    (tmp_path / "rules.txt").write_text("REASON(*) ACTION(RETRY)\n")
    mqsc("backup", "copy.db")
    return mqsc


def test_a_misspelt_queue_manager_of_every_command(shop: Command) -> None:
    said = "mqsc: AMQ8118E: IBM MQ queue manager '{}' does not exist. {}"
    for call in CALLS:
        words, separator, program = call.partition(" -- ")
        ended = shop(*shlex.split(words), "-m", "SHPO", *f"{separator}{program}".split())
        assert ended.code == 10, call
        assert said.format("SHPO", "Did you mean SHOP?") in ended.err, call


@rows(
    ("put Q x -m shop", "Did you mean SHOP?"),
    ("-m SHPO put Q x", "Did you mean SHOP?"),
    ("put Q x -m XYZ", "does not exist. The store has SHOP."),
    ("qmgr end shop", "Did you mean SHOP?"),
    ("serve SHPO", "Did you mean SHOP?"),
    ("user remove alcie --yes", "there is no user alcie; did you mean alice?"),
    ("user groups Alice", "there is no user Alice; did you mean alice?"),
    ("auth explain alice Q putt", "'putt' is not an operation; did you mean put?"),
)
def test_other_places_of_names(shop: Command, words: str, says: str) -> None:
    ended = shop(*words.split())
    assert ended.code >= 10
    assert ended.err.rstrip().endswith(says)


ORDERS_OR_NEW = "DEFINE QLOCAL(ORDERS)\nDEFINE QLOCAL(NEW.QUEUE)\n"


@rows(
    ("apply --plan b.mqsc --include ORDRES", "there is no object ORDRES; did you mean ORDERS?"),
    (
        "apply --yes b.mqsc --include NEW.QEUE",
        "there is no object NEW.QEUE; did you mean NEW.QUEUE",
    ),
    ("apply --plan b.mqsc --exclude ORDRES", "there is no object ORDRES; did you mean ORDERS?"),
    ("apply --plan b.mqsc --include NEW.QUEUE --include ORDERS", ""),
    ("diff b.mqsc --include *.QEUE", "there is no object *.QEUE; did you mean NEW.QUEUE?"),
    ("diff b.mqsc --include *.QUEUE", ""),
    ("diff --from FIRST --include ORDRES", "there is no object ORDRES; did you mean ORDERS?"),
    ("diff --from FIRST --include GONE", ""),
    ("run --plan b.mqsc --include NEW.QEUE", "there is no object NEW.QEUE; did you mean NEW.QUEUE"),
    ("run --plan b.mqsc --include NEW.QUEUE", ""),
    ("export b.mqsc --only-defined --include ORDRES", "did you mean ORDERS?"),
    ("export --include *RDERS", ""),
    ("export --include *RDRES", "there is no object *RDRES; did you mean ORDERS?"),
)
def test_a_misspelt_name_of_a_selection(shop: Command, words: str, says: str) -> None:
    Path("b.mqsc").write_text(ORDERS_OR_NEW)
    shop("run", "-c", "DEFINE QLOCAL(ORDERS)", "-c", "DEFINE QLOCAL(GONE)")
    first = shop("history", "--limit", "1", "--format", "jsonl").rows[0]["seq"]
    shop("run", "-c", "DELETE QLOCAL(GONE)")
    hints = shop(*words.replace("FIRST", str(first)).split()).err
    assert says in hints
    assert ("did you mean" in hints) == bool(says)


def test_the_queue_manager_of_the_environment(
    shop: Command,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("MQSC_QMGR", "SHPO")
    assert shop("put", "Q", "x").err.endswith("Did you mean SHOP?\n")


@rows(
    ("strmqm shop", "AMQ8118E: IBM MQ queue manager 'shop' does not exist.\n"),
    ("endmqm shop", "AMQ8118E: IBM MQ queue manager 'shop' does not exist.\n"),
    ("dltmqm shop", "AMQ8118E: IBM MQ queue manager 'shop' does not exist.\n"),
    ("dmpmqcfg -m shop", "AMQ8118E: IBM MQ queue manager 'shop' does not exist.\n"),
    ("dmpmqcfg --qmgr shop", "AMQ8118E: IBM MQ queue manager 'shop' does not exist.\n"),
    ("dspmq -m shop", "AMQ7048E: The queue manager name is either not valid or not known.\n"),
)
def test_commands_under_names_of_ibm_keep_its_text(shop: Command, words: str, says: str) -> None:
    assert shop(*words.split()).err == says


@rows(
    ("put Q --lines", "No such option '--lines'."),
    ("put Q --fiel x", "No such option '--fiel'; did you mean --file?"),
    ("clock get", "No such command 'get'; there is show, advance, set."),
    ("clock advnace", "No such command 'advnace'; did you mean advance?"),
)
def test_a_typing_error_of_an_option_or_command(mqsc: Command, words: str, says: str) -> None:
    assert mqsc(*words.split()).err.rstrip().endswith(says)


def test_an_option_of_another_command_is_no_typing_error() -> None:
    options = {
        path: [word for each in command.params for word in each.opts if word.startswith("--")]
        for path, command in OWN
    }
    known = {word for words in options.values() for word in words}
    suggested = {
        (word, near)
        for words in options.values()
        for word in known - {*words}
        for near in corrections(word, words)
        if not near.startswith(word)
    }
    assert suggested == SIMILAR_OPTIONS

"""Every option and argument that takes a name or a fixed word says which one was meant.

The options and arguments are those of the command line itself, so a new one is found here: by its
type, or, if that is a text, by its metavar.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import click
import pytest

from mqsc.console.object_names import ObjectName
from tests.mqsc.conftest import Command
from tests.mqsc.console.test_misspelt_names import OWN
from tests.rows import rows

# Of each namespace: a misspelt name, and the one that was meant.
NAMES = {
    "queue": ("ODRERS", "ORDERS"),
    "object": ("ODRERS", "ORDERS"),
    "channel": ("TO.QM3", "TO.QM2"),
    "qmgr": ("SHPO", "SHOP"),
    "destination": ("SHPO", "SHOP"),
    "user": ("alcie", "alice"),
    "group": ("stfaf", "staff"),
}
# Of each type of words: a misspelt word, and the one that was meant.
WORDS = {
    "FormatName": ("dmpmqcgf", "dmpmqcfg"),
    "Kinds": ("chanel", "channel"),
    "PlaceType": ("retry-wiat", "retry-wait"),
    "MessageType": ("requset", "request"),
    "ReportOptions": ("expiratoin", "expiration"),
    "PropertyText": ("a:strnig=b", "string"),
    "ReasonCode": ("MQRC_Q_FLUL", "MQRC_Q_FULL"),
    "RuleIds": ("warnign", "warning"),
    "Timezone": ("Europe/Berln", "Europe/Berlin"),
    "Codec": ("utf_16_eb", "utf_16_be"),
    "ObjectText": ("QLOCAL(ODRERS)", "ORDERS"),
}
# The words of `Words`, by option.
OF_OPTION = {"--kind": ("TRIGGRE", "TRIGGER"), "--cause": ("controled", "controlled")}
# Arguments that are texts, in which the misspelt name or word is only a part, or which have a rule
# of their own: what is typed, and the word that was meant.
TEXTS = {
    "foreach TEXT": ("'QLOCAL(ODRERS) DO DISPLAY QLOCAL({})'", "ORDERS"),
    "bisect DISPLAY": ("'QLOCAL(ORDERS) WHERE(CURDEPHT GT 1)'", "CURDEPTH"),
    "blame ATTRIBUTES": ("MAXDEPHT", "MAXDEPTH"),
    "auth explain WHAT": ("ODRERS put", "ORDERS"),
    "auth matrix --queue": ("ODRERS", "ORDERS"),
    "auth matrix --who": ("bowrse", "BROWSE"),
    "explain WORDS": ("MAXDEPHT", "MAXDEPTH"),
    "help WORDS": ("MAXDEPHT", "MAXDEPTH"),
    "report NAMES": ("queue-activty", "queue-activity"),
}
# The arguments of commands that need some, with the options without which others have no meaning.
CALLS = """
run a.mqsc
apply a.mqsc --yes
foreach 'QLOCAL(*) DO DISPLAY QLOCAL({})' --yes
qmgr create NEW
qmgr start SHOP
qmgr end SHOP
qmgr delete SHOP --yes
qmgr join SHOP GROUP
qmgr leave SHOP
user add bob
user password alice
user remove alice --yes
user groups alice
auth explain alice ORDERS put
auth mode warn
auth os-groups off
put ORDERS x
get ORDERS
browse ORDERS
consume ORDERS -- true
clock advance 1h
clock set 2026-03-01T09:00:00
serve SHOP
expiry ORDERS
poison ORDERS
uses ORDERS
history keep ORDERS --off --yes
history ORDERS
trace 414D51
trigger explain ORDERS
trigger run --once
topic explain prices/tea
subscribe prices/tea --wait 0
channel run TO.QM2
channel explain TO.QM2
channel map host QM2
channel fault TO.QM2 down --for 1h
dlq run rules.txt
dlq check rules.txt
dlq test rules.txt
dlq show ORDERS
dlq retry ORDERS
dlq forward ORDERS --to ORDERS
dlq discard ORDERS --all
check a.mqsc
fmt a.mqsc
explain MAXDEPTH
help MAXDEPTH
diff a.mqsc
backup b.db
restore b.db
archive verify archive
archive list archive
archive --to archive
report daily --out o
top --once
blame 'QLOCAL(ORDERS)'
depth ORDERS
reconcile ORDERS
import a.mqsc
demo b.db
whatif 'ALTER QLOCAL(ORDERS) MAXDEPTH(5)' --since 1d
reproduce 1 --out t.py
bisect 'QLOCAL(ORDERS) WHERE(CURDEPTH GT 1)'
""".strip().splitlines()
# Options without which a word has no effect.
ALSO = {"auth explain --channel": "--connect"}
FILES = "the names may be those in the files, and their number is printed"
NEW = "it names something new"
TEXT_OF_A_MESSAGE = "a program may write anything there"
REPEATED = "tried for every command in test_misspelt_names.py"
# Options and arguments that are about names or words and suggest none, with the reason.
EXCEPTIONS = {
    "run --include": FILES,
    "run --exclude": FILES,
    "apply --include": FILES,
    "apply --exclude": FILES,
    "diff --include": FILES,
    "diff --exclude": FILES,
    "run --set": "the variables of the files are listed by the command",
    "apply --set": "the variables of the files are listed by the command",
    "check --set": "the variables of the files are listed by the command",
    "diff --set": "the variables of the files are listed by the command",
    "export --set": "the variables of the files are listed by the command",
    "qmgr create NAME": NEW,
    "qmgr create --group": NEW,
    "qmgr join GROUP": "a second group is refused with the name of the first",
    "user add NAME": NEW,
    "user add --group": "a group begins with its first member",
    "user groups --add": "a group begins with its first member",
    "subscribe --durable": "a subscription begins with its first use",
    "serve --host": "only requests can say which names of this computer are used",
    "put --format-name": TEXT_OF_A_MESSAGE,
    "browse --property": TEXT_OF_A_MESSAGE,
    "dlq show --destination": "dead letters are for queues that do not exist",
    "dlq retry --destination": "dead letters are for queues that do not exist",
    "dlq forward --destination": "dead letters are for queues that do not exist",
    "dlq discard --destination": "dead letters are for queues that do not exist",
}
# The metavars of names.
METAVARS = frozenset(("NAME", "QUEUE", "QMGR", "GROUP", "USER", "WORD", "INITQ", "NAME=VALUE"))
NAMED = frozenset(("name", "names", "queue", "user", "group", "words", "what", "attributes"))


class Door(NamedTuple):
    """An option or argument of a command that takes a name or a fixed word."""

    path: str
    command: click.Command
    parameter: click.Parameter

    @property
    def title(self) -> str:
        """The command, with the option or the name of the argument."""
        return f"{self.path} {self.word}"

    @property
    def word(self) -> str:
        if isinstance(self.parameter, click.Argument):
            return str(self.parameter.name).upper()
        return self.parameter.opts[-1] if self.parameter.opts else ""

    def slip(self) -> tuple[str, str]:
        """What is typed, and the word that was meant."""
        kind = self.parameter.type
        if self.title in TEXTS:
            return TEXTS[self.title]
        if isinstance(kind, ObjectName):
            return NAMES[kind.namespace]
        if isinstance(kind, click.Choice):
            meant = max(map(str, kind.choices), key=len)
            return f"{meant[:-2]}{meant[-1]}{meant[-2]}" if meant != "off" else "offf", meant
        return OF_OPTION.get(self.word) or WORDS[type(kind).__name__]

    def call(self, typed: str) -> list[str]:
        """The arguments of the command line, with what is typed in its place."""
        of_path = [each for each in CALLS if f"{each} ".startswith(f"{self.path} ")]
        text = of_path[-1] if of_path else self.path
        given = text.removeprefix(self.path)
        arguments, dashes, options = given.partition(" --")
        words = shlex.split(arguments)
        if isinstance(self.parameter, click.Argument):
            places = [each for each in self.command.params if isinstance(each, click.Argument)]
            place = places.index(self.parameter)
            end = None if self.parameter.nargs == -1 else place + 1
            words[place:end] = shlex.split(typed)
            added = []
        else:
            added = [self.word, typed, *ALSO.get(self.title, "").split()]
        if "--connect" in added:
            words = words[:1]
        return [*self.path.split(), *words, *added, *shlex.split(f"{dashes}{options}")]


def takes_names_or_words(parameter: click.Parameter) -> bool:
    kind = parameter.type
    if isinstance(kind, (ObjectName, click.Choice)) or type(kind).__name__ in {*WORDS, "Words"}:
        return True
    is_text = isinstance(kind, click.types.StringParamType)
    metavars = {parameter.metavar or "", str(parameter.metavar).strip("[].'")}
    return is_text and (
        bool(metavars & METAVARS)
        or parameter.name in NAMED
        or parameter.name in ("text", "display")
    )


def doors() -> Iterator[Door]:
    for path, command in OWN:
        for parameter in command.params:
            # Those of -m are tried in test_misspelt_names.py.
            is_hidden = getattr(parameter, "hidden", False) or parameter.name in ("qmgr", "store")
            if takes_names_or_words(parameter) and not is_hidden:
                yield Door(path, command, parameter)


DOORS = [*doors()]


def test_exceptions_and_texts_are_options_and_arguments() -> None:
    titles = {each.title for each in DOORS}
    assert sorted({*EXCEPTIONS, *TEXTS} - titles) == []
    assert len(DOORS) > 150


@pytest.fixture
def shop(mqsc: Command, tmp_path: Path) -> Command:
    mqsc("qmgr", "create", "SHOP")
    mqsc("user", "add", "alice", "--group", "staff", stdin=b"a long password\n")
    mqsc(
        "run",
        *("-c", "DEFINE QLOCAL(ORDERS)"),
        *("-c", "DEFINE CHANNEL(TO.QM2) CHLTYPE(SDR) XMITQ(X) CONNAME('x')"),
    )
    (tmp_path / "a.mqsc").write_text("DEFINE QLOCAL(B)\n")
    (tmp_path / "rules.txt").write_text("REASON(*) ACTION(RETRY)\n")
    mqsc("backup", "b.db")
    return mqsc


def test_a_misspelt_name_or_word_of_every_option_and_argument(shop: Command) -> None:
    silent = []
    for door in DOORS:
        if door.title not in EXCEPTIONS:
            typed, meant = door.slip()
            call = door.call(typed)
            answer = shop(*call).err.replace(typed, "").splitlines()[-1:]
            if meant not in "".join(answer):
                silent.append((shlex.join(call), answer))
    assert silent == []


@rows(
    ("run -c 'DISPLAY QMGR' --user alcie", 10, "there is no user alcie; did you mean alice?"),
    ("auth refused --user alcie", 0, "there is no user alcie; did you mean alice?"),
    ("auth refused --user alice", 0, "nothing was refused"),
    ("uses ODRERS", 0, "there is no queue ODRERS; did you mean ORDERS?"),
    ("uses ODRERS*", 0, "there is no queue ODRERS*; did you mean ORDERS?"),
    ("uses ORD*", 0, "nothing names the queue ORD*"),
    ("uses ORDERS.NEW.NAME.OF.ANOTHER", 0, "nothing names the queue ORDERS.NEW.NAME.OF.ANOTHER"),
    ("dlq run rules.txt -m SHPO", 10, "there is no queue manager SHPO; did you mean SHOP?"),
    ("dlq run rules.txt -m XYZ", 10, "there is no queue manager XYZ. The store has SHOP."),
    ("dlq run rules.txt --queue ODRERS", 10, "there is no queue ODRERS; did you mean ORDERS?"),
)
def test_a_line_says_why_nothing_was_found(shop: Command, call: str, code: int, says: str) -> None:
    ended = shop(*shlex.split(call))
    assert (ended.code, ended.err.endswith(f"{says}\n")) == (code, True)


def test_names_of_the_past_are_no_typing_errors(shop: Command) -> None:
    shop("run", "-c", "DEFINE QLOCAL(ORDERZ)", "-c", "DELETE QLOCAL(ORDERZ)")
    assert shop("uses", "ORDERZ").err.endswith("did you mean ORDERS?\n")
    assert shop("uses", "ORDERZ", "--as-of", "1").err.endswith("names the queue ORDERZ\n")


@rows(
    ("ORDERS", "; ORDERS is an object of the store, which DISPLAY shows"),
    ("orders", "; ORDERS is an object of the store, which DISPLAY shows"),
    ("ODRERS", ". Did you mean ORDERS?"),
    ("MAXDEPHT", "; did you mean MAXDEPTH?"),
    ("INVOICES", "object, verb or concept"),
)
def test_a_word_that_explain_does_not_know(shop: Command, word: str, says: str) -> None:
    ended = shop("explain", word)
    assert (ended.code, ended.err.rstrip().endswith(says)) == (10, True)


def test_a_restore_with_a_queue_manager_that_the_copy_does_not_have(shop: Command) -> None:
    assert shop("restore", "b.db", "-m", "SHPO").err.endswith("Did you mean SHOP?\n")
    assert shop("restore", "b.db", "-m", "SHOP").code == 0


def test_a_new_queue_manager_may_be_named_twice(mqsc: Command) -> None:
    assert mqsc("-m", "SHOP", "qmgr", "create", "SHOP").code == 0

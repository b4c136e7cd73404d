"""Advice on how a script is written: letters that change, secrets that show, commands that are never read."""

from __future__ import annotations

from collections.abc import Iterator

from grammar.tree import Parameter, Value
from mqsc.lint.reading import AFTER_END
from mqsc.lint.rule import Rule
from mqsc.lint.scripts import Scripts
from mqsc.lint.slips import slip
from mqsc.lint.statement import Hit, Statement
from store.catalog import Attribute
from store.catalog.types import Items, Name, Profile, Text

# Values that somebody compares with their case who is no queue manager: operating systems, file systems, certificates.
_COMPARED_OUTSIDE = frozenset(
    "APPLICID CERTLABL CLNTUSER GROUP LDAPUSER MCAUSER PRINCIPAL SSLKEYR STARTARG STARTCMD STDERR STDOUT STOPARG "
    "STOPCMD SUBUSER TOPICSTR USERID USERLIST".split()
)
# Names of hosts and machines, and texts that nobody compares.
_COMPARED_NOWHERE = frozenset("ADDRESS ADDRLIST CONNAME DESCR IPADDR LOCLADDR SSLCIPH SSLPEER SSLCERTI".split())


def folded_name(statement: Statement, scripts: Scripts) -> Iterator[Hit]:
    """A name in lower case without quotes, in a command that is not all lower case."""
    verb, noun, *_ = statement.command.parameters
    if verb.raw.islower():
        return
    for value in (*(noun.values or ()), *(each for _, row, each in _texts(statement) if isinstance(row.type, Name))):
        if _is_folded(value):
            right = f"'{value.raw}' if lower case is meant, {value.text} if not"
            yield Hit(statement.place(value), f"{value.raw} is read as {value.text}", right)


def folded_outside(statement: Statement, scripts: Scripts) -> Iterator[Hit]:
    """Lower case without quotes in a value that counts outside the queue manager."""
    for parameter, row, value in _texts(statement):
        if row.keyword in _COMPARED_OUTSIDE and _is_folded(value):
            message = f"{value.raw} is read as {value.text}, and {parameter.keyword} is compared with its case"
            yield Hit(statement.place(value), message, f"{parameter.keyword}('{value.raw}')")


def secret_shown(statement: Statement, scripts: Scripts) -> Iterator[Hit]:
    """A secret in the clear."""
    for parameter, row, value in _texts(statement):
        if row.secret and value.text.strip() and not slip(value.raw, False):
            message = f"{parameter.keyword} stands here for everybody who can read the script"
            yield Hit(statement.place(value), message, "a variable that is filled in when the script runs")


def _texts(statement: Statement) -> Iterator[tuple[Parameter, Attribute, Value]]:
    """The values of parameters that take text."""
    for parameter, row in statement.rows():
        kind = row.type.of if isinstance(row.type, Items) else row.type
        if isinstance(kind, (Name, Text, Profile)) and row.keyword not in _COMPARED_NOWHERE:
            yield from ((parameter, row, value) for value in parameter.values or ())


def _is_folded(value: Value) -> bool:
    return not value.quoted and value.raw != value.text and not slip(value.raw, False)


RULES = (
    Rule(
        "MQSC-C18",
        "note",
        "Lower case outside quotes",
        "A name without quotes is read as upper case; programs that use it as written do not find the object. Commands "
        "written in lower case throughout are taken to mean it.",
        "DEFINE QLOCAL(Orders)\n",
        "DEFINE QLOCAL('Orders')\n",
        of_statement=folded_name,
    ),
    Rule(
        "MQSC-C19",
        "warning",
        "User, path or topic outside quotes",
        "Without quotes the value is read as upper case. Users, paths, certificate labels and topic strings are "
        "compared with their case by whoever gets them, and most are in lower case.",
        "DEFINE PROCESS(P) APPLICID(/opt/orders/start.sh)\n",
        "DEFINE PROCESS(P) APPLICID('/opt/orders/start.sh')\n",
        of_statement=folded_outside,
    ),
    Rule(
        "MQSC-C20",
        "warning",
        "Secret in the clear",
        "Scripts are kept in repositories and logs. A password in one is known to all who read it.",
        "DEFINE CHANNEL(A) CHLTYPE(SVR) XMITQ(X) USERID('a') PASSWORD('b')\nDEFINE QLOCAL(X) USAGE(XMITQ)\n",
        "DEFINE CHANNEL(A) CHLTYPE(SVR) XMITQ(X)\nDEFINE QLOCAL(X) USAGE(XMITQ)\n",
        of_statement=secret_shown,
    ),
    Rule(
        AFTER_END,
        "warning",
        "Commands behind END",
        "END, EXIT and QUIT end the input: what stands behind is not read, and nobody is told.",
        "DEFINE QLOCAL(A)\nEND\nDEFINE QLOCAL(B)\n",
        "DEFINE QLOCAL(A)\nDEFINE QLOCAL(B)\nEND\n",
    ),
)

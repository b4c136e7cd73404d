"""Lint rules on upper and lower case, secrets and variables."""

from collections.abc import Iterator

from mqsc.diagnostic import Violation
from mqsc.grammar.tree import Parameter, Value
from mqsc.language.hidden_secrets import is_hidden
from mqsc.language.variables import VARIABLE
from mqsc.lint.foreign_text import suggestion_for
from mqsc.lint.lint_rule import lint_rule
from mqsc.lint.script_command import ScriptCommand
from mqsc.lint.scripts import Scripts, is_shipped
from mqsc.store.catalog import Attribute
from mqsc.store.catalog.types import Items, Name, Profile, Text

# Values that operating systems, file systems and certificates compare with case.
_COMPARED_OUTSIDE = frozenset(
    "APPLICID CERTLABL CLNTUSER GROUP LDAPUSER MCAUSER PRINCIPAL SSLKEYR STARTARG STARTCMD STDERR "
    "STDOUT STOPARG "
    "STOPCMD SUBUSER TOPICSTR USERID USERLIST".split(),
)
# Names of hosts, and texts whose case does not matter.
_CASE_INSENSITIVE = frozenset(
    "ADDRESS ADDRLIST CONNAME DESCR IPADDR LOCLADDR SSLCIPH SSLPEER SSLCERTI".split(),
)


@lint_rule("MQSC-C18", "note", "command", "Lower case outside quotes")
def lower_case_name(command: ScriptCommand, scripts: Scripts) -> Iterator[Violation]:
    """A name without quotes is read as upper case, so programs that use the name as written do not
    find the object. Not reported for commands that are entirely in lower case.

    Bad:
        DEFINE QLOCAL(Orders)

    Good:
        DEFINE QLOCAL('Orders')
    """
    # Unless the whole command is in lower case.
    verb, noun, *_ = command.parsed.parameters
    if verb.raw.islower():
        return
    for value in (
        *(noun.values or ()),
        *(each for _, row, each in _texts(command) if isinstance(row.type, Name)),
    ):
        # Names of objects that a queue manager is created with are in upper case.
        if _is_folded(value) and not is_shipped(value.text):
            suggestion = f"'{value.raw}' for lower case, {value.text} for upper case"
            yield Violation(
                command.location(value),
                f"{value.raw} is read as {value.text}",
                suggestion,
            )


@lint_rule("MQSC-C19", "warning", "command", "User, path or topic outside quotes")
def lower_case_outside(command: ScriptCommand, scripts: Scripts) -> Iterator[Violation]:
    """Without quotes the value is read as upper case. Users, paths, certificate labels and topic
    strings are case-sensitive, and most are in lower case.

    Bad:
        DEFINE PROCESS(P) APPLICID(/opt/orders/start.sh)

    Good:
        DEFINE PROCESS(P) APPLICID('/opt/orders/start.sh')
    """
    for parameter, row, value in _texts(command):
        if row.keyword in _COMPARED_OUTSIDE and _is_folded(value):
            message = (
                f"{value.raw} is read as {value.text}, and {parameter.keyword} is case-sensitive"
            )
            yield Violation(command.location(value), message, f"{parameter.keyword}('{value.raw}')")


@lint_rule("MQSC-C20", "warning", "command", "Password in a script")
def secret_in_script(command: ScriptCommand, scripts: Scripts) -> Iterator[Violation]:
    """Scripts are kept in repositories and logs, where many people can read a password.

    Bad:
        DEFINE CHANNEL(A) CHLTYPE(SVR) XMITQ(X) USERID('a') PASSWORD('b')
        DEFINE QLOCAL(X) USAGE(XMITQ)

    Good:
        DEFINE CHANNEL(A) CHLTYPE(SVR) XMITQ(X)
        DEFINE QLOCAL(X) USAGE(XMITQ)
    """
    for parameter, row, value in _texts(command):
        is_given = value.text.strip() and not is_hidden(value.text)
        if row.secret and is_given and not suggestion_for(value.raw, False):
            message = f"everyone who can read the script can read {parameter.keyword}"
            yield Violation(
                command.location(value),
                message,
                "a variable that is set when the script is run",
            )


@lint_rule("MQSC-C46", "note", "command", "Variable without a value")
def variable_without_value(command: ScriptCommand, scripts: Scripts) -> Iterator[Violation]:
    """Variables are replaced only if --set gives at least one of them a value. Otherwise ${NAME} in
    quotes is text like any other, and becomes part of the definition.

    Bad:
        DEFINE QLOCAL(A) DESCR('Orders of ${HOST}')

    Good:
        DEFINE QLOCAL(A) DESCR('Orders of host1')
    """
    # Outside quotes, and with any --set, it is an error.
    for parameter in command.parsed.parameters:
        for value in parameter.values or ():
            if value.quoted and (match := VARIABLE.search(value.text)):
                message = (
                    f"{parameter.keyword} keeps {match.group()} as it is written, because there is "
                    "no --set"
                )
                yield Violation(command.location(value), message, f"--set {match.group(1)}=VALUE")


def _texts(command: ScriptCommand) -> Iterator[tuple[Parameter, Attribute, Value]]:
    """The values of attributes that take text."""
    for parameter, row in command.rows():
        kind = row.type.of if isinstance(row.type, Items) else row.type
        if isinstance(kind, (Name, Text, Profile)) and row.keyword not in _CASE_INSENSITIVE:
            yield from ((parameter, row, value) for value in parameter.values or ())


def _is_folded(value: Value) -> bool:
    return not value.quoted and value.raw != value.text and not suggestion_for(value.raw, False)

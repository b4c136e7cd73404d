"""Lint rules on repeated definitions: scripts that fail when run again, attributes that are reset,
similar names.
"""

from collections import defaultdict
from collections.abc import Iterator

from mqsc.diagnostic import Violation
from mqsc.lint.lint_rule import lint_rule
from mqsc.lint.script_command import ScriptCommand
from mqsc.lint.scripts import DefinedObject, Scripts


def earlier_definition(command: ScriptCommand, scripts: Scripts) -> DefinedObject | None:
    """The object that a DEFINE defines again, if the same file defined it."""
    kind = command.kind
    if command.verb != "DEFINE" or kind is None or command.request is None:
        return None
    before = scripts.find(kind, command.name, str(command.attributes.get(kind.selector, "")))
    if (
        before is None
        or before.location.file != command.file
        or before.disposition != command.disposition
    ):
        return None
    return before


@lint_rule("MQSC-C14", "note", "scripts", "DEFINE without REPLACE in a script that is run again")
def second_run_fails(scripts: Scripts) -> Iterator[Violation]:
    """A script with REPLACE is usually run at every start. A DEFINE without it fails from the
    second run on, and later changes to it have no effect.

    Bad:
        DEFINE QLOCAL(A) REPLACE
        DEFINE QLOCAL(B)

    Good:
        DEFINE QLOCAL(A) REPLACE
        DEFINE QLOCAL(B) NOREPLACE
    """
    for file, definitions in scripts.not_replacing.items():
        if file in scripts.replacing:
            for title, location in definitions:
                message = (
                    f"{title} fails when the script is run again; other DEFINEs in this file have "
                    "REPLACE"
                )
                yield Violation(location, message, "REPLACE, or NOREPLACE if that is intended")


@lint_rule("MQSC-C15", "warning", "command", "REPLACE that resets attributes")
def resets(command: ScriptCommand, scripts: Scripts) -> Iterator[Violation]:
    """DEFINE with REPLACE starts from the default object: attributes that an earlier command set,
    and that this DEFINE does not name, get their default values.

    Bad:
        DEFINE QLOCAL(A) MAXDEPTH(100)
        DEFINE QLOCAL(A) REPLACE DESCR('Orders')

    Good:
        DEFINE QLOCAL(A) MAXDEPTH(100)
        ALTER QLOCAL(A) DESCR('Orders')
    """
    # Common rules of DEFINE.
    before = earlier_definition(command, scripts)
    if before is None or command.options.get("REPLACE") != "REPLACE" or "LIKE" in command.options:
        return
    lost = sorted(word for word in before.attributes if word not in command.attributes)
    if lost:
        words = ", ".join(lost[:5]) + (f" and {len(lost) - 5} more" if len(lost) > 5 else "")
        message = (
            f"REPLACE resets {words} of {command.name}, which was defined in line "
            f"{before.location.line}"
        )
        yield Violation(
            command.location_of(),
            message,
            "ALTER, which keeps them, or give these attributes again",
        )


@lint_rule("MQSC-C17", "warning", "scripts", "Names that differ only in case")
def differ_by_case(scripts: Scripts) -> Iterator[Violation]:
    """They are two objects, and a name without quotes always means the one in upper case.

    Bad:
        DEFINE QLOCAL('Orders')
        DEFINE QLOCAL(ORDERS)

    Good:
        DEFINE QLOCAL(ORDERS.IN)
        DEFINE QLOCAL(ORDERS.OUT)
    """
    alike: defaultdict[tuple[str, str], list[DefinedObject]] = defaultdict(list)
    for (namespace, name), defined in scripts.objects.items():
        if defined.known:
            alike[namespace, name.upper()].append(defined)
    for first, *others in alike.values():
        for defined in others:
            line = f"line {first.location.line}"
            where = (
                line
                if first.location.file == defined.location.file
                else f"{first.location.file}, {line}"
            )
            message = (
                f"{defined.name} and {first.name} ({where}) are two objects whose names differ "
                "only in case"
            )
            yield Violation(
                defined.location,
                message,
                "only one of the names, in quotes if it has lower case",
            )

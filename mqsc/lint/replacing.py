"""Advice on defining things twice: what fails the second time, what is reset, what is two things by mistake."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from mqsc.lint.rule import Rule
from mqsc.lint.scripts import Defined, Scripts
from mqsc.lint.statement import Hit, Statement


def defined_before(statement: Statement, scripts: Scripts) -> Defined | None:
    """The object that a DEFINE meets, when the same file has defined it."""
    kind = statement.kind
    if statement.verb != "DEFINE" or kind is None or statement.request is None:
        return None
    found = scripts.find(kind, statement.name, str(statement.given.get(kind.selector, "")))
    return found if found is not None and found.place.file == statement.file else None


def replaces(statement: Statement) -> bool:
    """Whether a DEFINE says REPLACE."""
    return statement.options.get("REPLACE") == "REPLACE"


def second_run_fails(scripts: Scripts) -> Iterator[Hit]:
    """A DEFINE without REPLACE among others that have it."""
    for file, places in scripts.not_replacing.items():
        if file in scripts.replacing:
            for title, place in places:
                message = f"{title} fails when the script runs a second time; other DEFINEs here say REPLACE"
                yield Hit(place, message, "REPLACE, or NOREPLACE if that is meant")


def resets(statement: Statement, scripts: Scripts) -> Iterator[Hit]:
    """REPLACE starts from the defaults again (common rules of DEFINE)."""
    before = defined_before(statement, scripts)
    if before is None or not replaces(statement) or "LIKE" in statement.options:
        return
    lost = sorted(word for word in before.said if word not in statement.given)
    if lost:
        some = ", ".join(lost[:5]) + (f" and {len(lost) - 5} more" if len(lost) > 5 else "")
        message = f"REPLACE resets {some} of {statement.name}, which was defined in line {before.place.line}"
        yield Hit(statement.at(), message, "ALTER, which leaves the rest alone, or the attributes again")


def defined_twice(statement: Statement, scripts: Scripts) -> Iterator[Hit]:
    """A DEFINE that is bound to fail."""
    before = defined_before(statement, scripts)
    if before is not None and before.known and not replaces(statement):
        message = f"{statement.name} is defined in line {before.place.line} already: this fails"
        yield Hit(statement.at(), message, "another name, ALTER, or REPLACE")


def differ_by_case(scripts: Scripts) -> Iterator[Hit]:
    """Two objects whose names look the same."""
    alike: defaultdict[tuple[str, str], list[Defined]] = defaultdict(list)
    for (namespace, name), each in scripts.objects.items():
        if each.known:
            alike[namespace, name.upper()].append(each)
    for first, *others in alike.values():
        for each in others:
            place = f"line {first.place.line}"
            where = place if first.place.file == each.place.file else f"{first.place.file}, {place}"
            message = f"{each.name} and {first.name} ({where}) are two objects: they differ by case only"
            yield Hit(each.place, message, "one of the two names, in quotes where it has lower case")


RULES = (
    Rule(
        "MQSC-C14",
        "note",
        "DEFINE without REPLACE in a script that is run again",
        "A script that says REPLACE is made to be run at every start. A DEFINE without it fails from the second run "
        "on, and changes to it never arrive.",
        "DEFINE QLOCAL(A) REPLACE\nDEFINE QLOCAL(B)\n",
        "DEFINE QLOCAL(A) REPLACE\nDEFINE QLOCAL(B) NOREPLACE\n",
        of_scripts=second_run_fails,
    ),
    Rule(
        "MQSC-C15",
        "warning",
        "REPLACE that resets attributes",
        "DEFINE with REPLACE begins with the default object again: attributes that it does not name lose what an "
        "earlier command gave them.",
        "DEFINE QLOCAL(A) MAXDEPTH(100)\nDEFINE QLOCAL(A) REPLACE DESCR('Orders')\n",
        "DEFINE QLOCAL(A) MAXDEPTH(100)\nALTER QLOCAL(A) DESCR('Orders')\n",
        of_statement=resets,
    ),
    Rule(
        "MQSC-C16",
        "warning",
        "Defined twice",
        "The second DEFINE of a name fails with AMQ8150E; names of all four types of queue are one set.",
        "DEFINE QLOCAL(A)\nDEFINE QALIAS(A) TARGET(B)\n",
        "DEFINE QLOCAL(A)\nDELETE QLOCAL(A)\nDEFINE QALIAS(A) TARGET(B)\n",
        of_statement=defined_twice,
    ),
    Rule(
        "MQSC-C17",
        "warning",
        "Names that differ by case only",
        "They are two objects. Whoever leaves the quotes away uses the other one.",
        "DEFINE QLOCAL('Orders')\nDEFINE QLOCAL(ORDERS)\n",
        "DEFINE QLOCAL(ORDERS.IN)\nDEFINE QLOCAL(ORDERS.OUT)\n",
        of_scripts=differ_by_case,
    ),
)

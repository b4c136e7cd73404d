"""Lint rules on the names of other objects: undefined names, names in another case, objects of the wrong type."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from mqsc.diagnostic import Violation
from mqsc.lint.lint_rule import lint_rule
from mqsc.lint.scripts import DefinedObject, GivenValue, Scripts, is_shipped, shipped
from store.catalog import KINDS, Kind
from store.catalog.types import Name


class Reference(NamedTuple):
    """What an attribute may name: a kind of object (QLOCAL for any queue) without the `refused` types of queue.

    `usage` is the required USAGE, blank for any.
    """

    kind: Kind
    refused: frozenset[str] = frozenset()
    usage: str = ""


_NOT_LOCAL = frozenset({"QALIAS", "QREMOTE", "QMODEL"})
_MODEL = frozenset({"QMODEL"})
# Requirements of MQOPEN and of the channel programs, where the kind alone is not enough.
_REQUIREMENTS: Mapping[str, tuple[frozenset[str], str]] = {
    "INITQ": (_NOT_LOCAL, "NORMAL"),
    "DEADQ": (_NOT_LOCAL, "NORMAL"),
    "XMITQ": (_NOT_LOCAL, "XMITQ"),
    "DEFXMITQ": (_NOT_LOCAL, "XMITQ"),
    "TARGET": (frozenset({"QALIAS", "QMODEL"}), ""),
    "BOQNAME": (_MODEL, "NORMAL"),
    "STREAMQ": (_MODEL, ""),
    "DEST": (_MODEL, ""),
}
# Attributes that name objects on other queue managers, or objects that need not exist.
_NOT_REFERENCES = frozenset({"RNAME", "COMMANDQ", "STGCLASS", "CFSTRUCT"})


def references() -> Mapping[str, Reference]:
    """The attributes that name an object of this queue manager, derived from the catalog."""
    found: dict[str, Reference] = {}
    for kind in KINDS.values():
        for word, row in kind.attributes.items():
            of = row.type.of if isinstance(row.type, Name) and word not in _NOT_REFERENCES else ""
            target = KINDS.get("QLOCAL" if of in ("QUEUE", "QMODEL") else of)
            if target is not None and not row.display_only:
                found[word] = Reference(target, *_REQUIREMENTS.get(word, ()))
    return found


_REFERENCES = references()


@lint_rule("MQSC-C11", "note", "Name that no file defines", of="scripts")
def never_defined(scripts: Scripts) -> Iterator[Violation]:
    """A definition may name an object that does not exist. It fails only when the object is used: a trigger is lost, or
    a put fails with MQRC_UNKNOWN_OBJECT_NAME. Not reported for names that begin with SYSTEM., nor when the files use
    other objects that they do not define.

    Bad:
        DEFINE QLOCAL(B)
        DEFINE QLOCAL(A) BOTHRESH(3) BOQNAME(BACKUOT)

    Good:
        DEFINE QLOCAL(BACKOUT)
        DEFINE QLOCAL(A) BOTHRESH(3) BOQNAME(BACKOUT)
    """
    # Only where the files define all other objects that they use.
    complete = {each.kind.namespace: scripts.seem_complete(each.kind) for each in _REFERENCES.values()}
    for owner, word, given, reference in _named(scripts):
        missing = _target(given, reference, scripts) is None and not _in_other_case(reference, given, scripts)
        if missing and not is_shipped(str(given.value)) and complete[reference.kind.namespace]:
            message = f"{word} of {_title(owner)} names {given.value}, which no file defines"
            similar = scripts.similar_name(reference.kind.namespace, str(given.value))
            correction = f"{word}({similar})" if similar and similar != owner.name else "correct the name"
            suggestion = f"DEFINE {reference.kind.keyword}({given.value}), or {correction}"
            yield Violation(given.location, message, suggestion)


@lint_rule("MQSC-C12", "warning", "Name defined in another case", of="scripts")
def in_other_case(scripts: Scripts) -> Iterator[Violation]:
    """Names are case-sensitive: 'Orders' and ORDERS are two queues. Text without quotes is read as upper case.

    Bad:
        DEFINE QLOCAL('a.Backout')
        DEFINE QLOCAL(A) BOTHRESH(3) BOQNAME(a.Backout)

    Good:
        DEFINE QLOCAL('a.Backout')
        DEFINE QLOCAL(A) BOTHRESH(3) BOQNAME('a.Backout')
    """
    # Lexical rules, 3.
    for owner, word, given, reference in _named(scripts):
        if _target(given, reference, scripts) is None:
            other = _in_other_case(reference, given, scripts)
            if other:
                message = f"{word} of {_title(owner)} names {given.value}, but the defined name is {other}"
                yield Violation(given.location, message, f"{word}('{other}')")


@lint_rule("MQSC-C13", "warning", "Queue of the wrong type", of="scripts")
def unsuitable(scripts: Scripts) -> Iterator[Violation]:
    """Initiation queues and dead-letter queues must be local queues and not transmission queues. A backout queue must
    not be a model or a transmission queue. XMITQ must name a local queue with USAGE(XMITQ). An alias cannot name
    another alias. The definition is accepted, but using it fails.

    Bad:
        DEFINE QLOCAL(TO.QM2)
        DEFINE QREMOTE(R) RNAME(A) RQMNAME(QM2) XMITQ(TO.QM2)

    Good:
        DEFINE QLOCAL(TO.QM2) USAGE(XMITQ)
        DEFINE QREMOTE(R) RNAME(A) RQMNAME(QM2) XMITQ(TO.QM2)
    """
    for owner, word, given, reference in _named(scripts):
        target = _target(given, reference, scripts)
        if target is None or not target.known:
            continue
        fault = _fault(target, reference)
        if fault:
            message = f"{word} of {_title(owner)} names {target.name}, which is {fault}"
            yield Violation(given.location, message, _suggestion(reference))


def _fault(target: DefinedObject, reference: Reference) -> str:
    if target.kind.keyword in reference.refused:
        return f"a {target.kind.keyword}"
    usage = target.get("USAGE")
    if reference.usage == "XMITQ" and usage == "NORMAL":
        return "not a transmission queue"
    if reference.usage == "NORMAL" and usage == "XMITQ":
        return "a transmission queue"
    return ""


def _suggestion(reference: Reference) -> str:
    if reference.usage:
        return f"a QLOCAL with USAGE({reference.usage})"
    return "a queue other than a " + " or ".join(sorted(reference.refused))


def _named(scripts: Scripts) -> Iterator[tuple[DefinedObject, str, GivenValue, Reference]]:
    """Every name of another object that the scripts give."""
    owners = [*scripts.objects.values(), *([scripts.qmgr] if scripts.qmgr else [])]
    for owner in owners:
        for word, given in owner.given.items():
            reference = _reference(owner, word)
            if reference is not None and given.value and _is_local(owner, word):
                yield owner, word, given, reference


def _reference(owner: DefinedObject, word: str) -> Reference | None:
    # An alias may be one of a topic.
    if word == "TARGET" and owner.get("TARGTYPE") == "TOPIC":
        return Reference(KINDS["TOPIC"])
    return _REFERENCES.get(word)


def _is_local(owner: DefinedObject, word: str) -> bool:
    """False for the queue of a subscription that delivers to another queue manager."""
    return not (word == "DEST" and owner.get("DESTQMGR"))


def _target(given: GivenValue, reference: Reference, scripts: Scripts) -> DefinedObject | None:
    name = str(given.value)
    return scripts.find(reference.kind, name) or shipped(reference.kind.namespace, name, given.location)


def _in_other_case(reference: Reference, given: GivenValue, scripts: Scripts) -> str:
    return scripts.in_other_case(reference.kind.namespace, str(given.value))


def _title(owner: DefinedObject) -> str:
    return owner.name or "the queue manager"

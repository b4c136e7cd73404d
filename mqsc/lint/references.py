"""Advice on names of other objects: ones that nobody defines, that are written otherwise, or that cannot serve."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from mqsc.lint.rule import Rule
from mqsc.lint.scripts import Defined, Said, Scripts, is_shipped
from mqsc.lint.statement import Hit
from store.catalog import KINDS, Kind
from store.catalog.types import Name


class Reference(NamedTuple):
    """What an attribute names: the kind of object (any queue for QUEUE), and which types of queue cannot serve."""

    kind: Kind
    refused: frozenset[str] = frozenset()
    usage: str = ""


_NOT_LOCAL = frozenset({"QALIAS", "QREMOTE", "QMODEL"})
_MODEL = frozenset({"QMODEL"})
# What cannot serve, where it is not just "something of another kind". Rules of MQOPEN and of the channel programs.
_DEMANDS: Mapping[str, tuple[frozenset[str], str]] = {
    "INITQ": (_NOT_LOCAL, "NORMAL"),
    "DEADQ": (_NOT_LOCAL, "NORMAL"),
    "XMITQ": (_NOT_LOCAL, "XMITQ"),
    "DEFXMITQ": (_NOT_LOCAL, "XMITQ"),
    "TARGET": (frozenset({"QALIAS", "QMODEL"}), ""),
    "BOQNAME": (_MODEL, ""),
    "STREAMQ": (_MODEL, ""),
    "DEST": (_MODEL, ""),
}
# Names of objects on other queue managers, and names that may stand for nothing at all.
_ELSEWHERE = frozenset({"RNAME", "COMMANDQ", "STGCLASS", "CFSTRUCT"})


def references() -> Mapping[str, Reference]:
    """Which attributes name an object of this queue manager, read off the catalog."""
    found: dict[str, Reference] = {}
    for kind in KINDS.values():
        for word, row in kind.attributes.items():
            of = row.type.of if isinstance(row.type, Name) and word not in _ELSEWHERE else ""
            target = KINDS.get("QLOCAL" if of in ("QUEUE", "QMODEL") else of)
            if target is not None and not row.display_only:
                found[word] = Reference(target, *_DEMANDS.get(word, ()))
    return found


_REFERENCES = references()


def never_defined(scripts: Scripts) -> Iterator[Hit]:
    """Names that no file defines, where the files define all else."""
    complete = {each.kind.namespace: scripts.seem_complete(each.kind) for each in _REFERENCES.values()}
    for owner, word, said, reference in _named(scripts):
        missing = _target(said, reference, scripts) is None and not _otherwise(reference, said, scripts)
        if missing and complete[reference.kind.namespace]:
            title = f"{reference.kind.keyword}({said.value})"
            right = f"DEFINE {title}, or another name"
            yield Hit(said.place, f"{word} of {_title(owner)} names {said.value}, which no file defines", right)


def written_otherwise(scripts: Scripts) -> Iterator[Hit]:
    """A name that is defined in another case: names are compared with their case (lexical rules, 3)."""
    for owner, word, said, reference in _named(scripts):
        if _target(said, reference, scripts) is None:
            other = _otherwise(reference, said, scripts)
            if other:
                message = f"{word} of {_title(owner)} names {said.value}, but what is defined is {other}"
                yield Hit(said.place, message, f"{word}('{other}')")


def cannot_serve(scripts: Scripts) -> Iterator[Hit]:
    """A queue of a type or usage that the attribute does not allow."""
    for owner, word, said, reference in _named(scripts):
        target = _target(said, reference, scripts)
        if target is None or not target.known:
            continue
        fault = _fault(target, reference)
        if fault:
            yield Hit(said.place, f"{word} of {_title(owner)} names {target.name}, which {fault}", _right(reference))


def _fault(target: Defined, reference: Reference) -> str:
    if target.kind.keyword in reference.refused:
        return f"is a {target.kind.keyword}"
    usage = target.get("USAGE")
    if reference.usage == "XMITQ" and usage == "NORMAL":
        return "is no transmission queue"
    if reference.usage == "NORMAL" and usage == "XMITQ":
        return "is a transmission queue"
    return ""


def _right(reference: Reference) -> str:
    if reference.usage:
        return f"a QLOCAL with USAGE({reference.usage})"
    return "a queue of another type than " + " or ".join(sorted(reference.refused))


def _named(scripts: Scripts) -> Iterator[tuple[Defined, str, Said, Reference]]:
    """Every name of another object that the scripts give."""
    owners = [*scripts.objects.values(), *([scripts.qmgr] if scripts.qmgr else [])]
    for owner in owners:
        for word, said in owner.said.items():
            reference = _reference(owner, word)
            if reference is not None and said.value and _is_local(owner, word) and not is_shipped(str(said.value)):
                yield owner, word, said, reference


def _reference(owner: Defined, word: str) -> Reference | None:
    """What an attribute of an object names; an alias may stand for a topic."""
    if word == "TARGET" and owner.get("TARGTYPE") == "TOPIC":
        return Reference(KINDS["TOPIC"])
    return _REFERENCES.get(word)


def _is_local(owner: Defined, word: str) -> bool:
    """Whether the name is one of this queue manager; a subscription may deliver to another."""
    return not (word == "DEST" and owner.get("DESTQMGR"))


def _target(said: Said, reference: Reference, scripts: Scripts) -> Defined | None:
    return scripts.find(reference.kind, str(said.value))


def _otherwise(reference: Reference, said: Said, scripts: Scripts) -> str:
    return scripts.in_other_case(reference.kind.namespace, str(said.value))


def _title(owner: Defined) -> str:
    return owner.name or "the queue manager"


_AUTHORS = "DEFINE QLOCAL(A) BOTHRESH(3) BOQNAME("

RULES = (
    Rule(
        "MQSC-C11",
        "note",
        "Name that no file defines",
        "A definition may name what does not exist yet, and nothing is said until it is needed: a message is not "
        "triggered for, a put fails with MQRC_UNKNOWN_OBJECT_NAME. Names that begin with SYSTEM. are left alone, and "
        "so are files that use objects from elsewhere.",
        "DEFINE QLOCAL(B)\n" + _AUTHORS + "BACKUOT)\n",
        "DEFINE QLOCAL(BACKOUT)\n" + _AUTHORS + "BACKOUT)\n",
        of_scripts=never_defined,
    ),
    Rule(
        "MQSC-C12",
        "warning",
        "Name defined in another case",
        "Names are compared with their case: 'Orders' and ORDERS are two queues. Text without quotes is read as upper "
        "case.",
        "DEFINE QLOCAL('a.Backout')\n" + _AUTHORS + "a.Backout)\n",
        "DEFINE QLOCAL('a.Backout')\n" + _AUTHORS + "'a.Backout')\n",
        of_scripts=written_otherwise,
    ),
    Rule(
        "MQSC-C13",
        "warning",
        "Queue that cannot serve",
        "Initiation and dead-letter queues are local queues, and no transmission queues; XMITQ names a local queue "
        "with USAGE(XMITQ); an alias cannot stand for another alias. The definition is accepted, its use fails.",
        "DEFINE QLOCAL(TO.QM2)\nDEFINE QREMOTE(R) RNAME(A) RQMNAME(QM2) XMITQ(TO.QM2)\n",
        "DEFINE QLOCAL(TO.QM2) USAGE(XMITQ)\nDEFINE QREMOTE(R) RNAME(A) RQMNAME(QM2) XMITQ(TO.QM2)\n",
        of_scripts=cannot_serve,
    ),
)

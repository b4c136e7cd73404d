"""Lint rules on names that commands refer to."""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import NamedTuple

from mqsc.diagnostic import Location, Violation
from mqsc.lint.lint_rule import lint_rule
from mqsc.lint.scripts import DefinedObject, GivenValue, Scripts, is_shipped, shipped
from mqsc.store.catalog import KINDS, Kind, types
from mqsc.store.table import cells


class Reference(NamedTuple):
    """What an attribute may name: a kind of object (QLOCAL for any queue) without the `refused`
    types of queue.

    `usage` is the required USAGE, blank for any.
    """

    kind: Kind
    refused: frozenset[str] = frozenset()
    usage: str = ""


# Requirements of MQOPEN and of the channel programs, where the kind alone is not enough.
_REQUIREMENTS = {
    word: (frozenset(kinds.split()), usage)
    for word, kinds, usage in cells(
        __file__,
        "references.csv",
        ("attribute", "refused", "usage"),
        {"usage": ("", "NORMAL", "XMITQ")},
        {"refused": KINDS},
    )
}
# Attributes that name objects on other queue managers, or objects that need not exist.
_NOT_REFERENCES = frozenset({"RNAME", "COMMANDQ", "STGCLASS", "CFSTRUCT"})


def references() -> Mapping[str, Reference]:
    """The attributes that name an object of this queue manager, derived from the catalog."""
    by_word: dict[str, Reference] = {}
    for kind in KINDS.values():
        for word, row in kind.attributes.items():
            of = (
                row.type.of
                if isinstance(row.type, types.Name) and word not in _NOT_REFERENCES
                else ""
            )
            target = KINDS.get("QLOCAL" if of in ("QUEUE", "QMODEL") else of)
            if target is not None and not row.display_only:
                by_word[word] = Reference(target, *_REQUIREMENTS.get(word, ()))
    return by_word


_REFERENCES = references()


@lint_rule("MQSC-C11", "note", "scripts", "Name that no file defines")
def never_defined(scripts: Scripts) -> Iterator[Violation]:
    """A definition may name an object that does not exist. It fails only when the object is used: a
    trigger is lost, or a put fails with MQRC_UNKNOWN_OBJECT_NAME. Not reported for names that begin
    with SYSTEM., nor when the files use other objects that they do not define.

    Bad:
        DEFINE QLOCAL(B)
        DEFINE QLOCAL(A) BOTHRESH(3) BOQNAME(BACKUOT)

    Good:
        DEFINE QLOCAL(BACKOUT)
        DEFINE QLOCAL(A) BOTHRESH(3) BOQNAME(BACKOUT)
    """
    # Only where the files define all other objects that they use.
    complete = {
        reference.kind.namespace: scripts.seem_complete(reference.kind)
        for reference in _REFERENCES.values()
    }
    # Many objects may name the same one: 186 s became 12 for 10,000 queues with one backout queue.
    similar_name = cache(scripts.similar_name)
    for owner, word, attribute, reference in _named(scripts):
        missing = _target(attribute, reference, scripts) is None and not _in_other_case(
            reference,
            attribute,
            scripts,
        )
        if missing and _deletion(attribute, reference, scripts) is not None:
            # Another rule says so, at the DELETE.
            continue
        if missing and not is_shipped(str(attribute.value)) and complete[reference.kind.namespace]:
            message = f"{word} of {_title(owner)} names {attribute.value}, which no file defines"
            similar = similar_name(reference.kind.namespace, str(attribute.value))
            correction = (
                f"{word}({similar})" if similar and similar != owner.name else "correct the name"
            )
            suggestion = f"DEFINE {reference.kind.keyword}({attribute.value}), or {correction}"
            yield Violation(attribute.location, message, suggestion)


@lint_rule("MQSC-C62", "warning", "scripts", "Deleted object that others name")
def deleted_while_named(scripts: Scripts) -> Iterator[Violation]:
    """DELETE of an object does not look for other objects that name it. They stay, and fail when
    they are used: a message cannot be backed out to its queue, a put to an alias ends with
    MQRC_UNKNOWN_ALIAS_BASE_Q.

    Bad:
        DEFINE QALIAS(IN) TARGET(ORDERS)
        DELETE QLOCAL(ORDERS)

    Good:
        DELETE QALIAS(IN)
        DELETE QLOCAL(ORDERS)
    """
    for owner, word, attribute, reference in _named(scripts):
        deletion = _deletion(attribute, reference, scripts)
        if deletion is not None:
            message = f"{attribute.value} is deleted, but {word} of {_title(owner)} still names it"
            suggestion = f"change {word} of {_title(owner)}, or delete it too"
            yield Violation(deletion, message, suggestion)


def _deletion(attribute: GivenValue, reference: Reference, scripts: Scripts) -> Location | None:
    """Where the files delete what the value named before; None if they do not, or define it
    again.
    """
    deletion = scripts.deleted.get((reference.kind.namespace, str(attribute.value)))
    if deletion is None:
        return None
    is_later = attribute.location.file == deletion.file and attribute.location.line > deletion.line
    return None if is_later else deletion


@lint_rule("MQSC-C12", "warning", "scripts", "Name defined in another case")
def in_other_case(scripts: Scripts) -> Iterator[Violation]:
    """Names are case-sensitive: 'Orders' and ORDERS are two queues. Text without quotes is read as
    upper case.

    Bad:
        DEFINE QLOCAL('a.Backout')
        DEFINE QLOCAL(A) BOTHRESH(3) BOQNAME(a.Backout)

    Good:
        DEFINE QLOCAL('a.Backout')
        DEFINE QLOCAL(A) BOTHRESH(3) BOQNAME('a.Backout')
    """
    # Lexical rules, 3.
    for owner, word, attribute, reference in _named(scripts):
        if _target(attribute, reference, scripts) is None:
            other = _in_other_case(reference, attribute, scripts)
            if other:
                message = (
                    f"{word} of {_title(owner)} names {attribute.value}, but the defined name is "
                    f"{other}"
                )
                yield Violation(attribute.location, message, f"{word}('{other}')")


@lint_rule("MQSC-C13", "warning", "scripts", "Queue of the wrong type")
def unsuitable(scripts: Scripts) -> Iterator[Violation]:
    """Initiation queues and dead-letter queues must be local queues and not transmission queues. A
    backout queue must not be a model or a transmission queue. XMITQ must name a local queue with
    USAGE(XMITQ). An alias cannot name another alias. The definition is accepted, but using it
    fails.

    Bad:
        DEFINE QLOCAL(TO.QM2)
        DEFINE QREMOTE(R) RNAME(A) RQMNAME(QM2) XMITQ(TO.QM2)

    Good:
        DEFINE QLOCAL(TO.QM2) USAGE(XMITQ)
        DEFINE QREMOTE(R) RNAME(A) RQMNAME(QM2) XMITQ(TO.QM2)
    """
    for owner, word, attribute, reference in _named(scripts):
        target = _target(attribute, reference, scripts)
        if target is None or not target.known:
            continue
        fault = _fault(target, reference)
        if fault:
            message = f"{word} of {_title(owner)} names {target.name}, which is {fault}"
            yield Violation(attribute.location, message, _suggestion(reference))


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
        for word, attribute in owner.attributes.items():
            reference = _reference(owner, word)
            # The queue of a subscription may be on another queue manager.
            is_elsewhere = word == "DEST" and owner.get("DESTQMGR")
            if reference is not None and attribute.value and not is_elsewhere:
                yield owner, word, attribute, reference


def _reference(owner: DefinedObject, word: str) -> Reference | None:
    # An alias may be one of a topic.
    if word == "TARGET" and owner.get("TARGTYPE") == "TOPIC":
        return Reference(KINDS["TOPIC"])
    return _REFERENCES.get(word)


def _target(attribute: GivenValue, reference: Reference, scripts: Scripts) -> DefinedObject | None:
    name = str(attribute.value)
    return scripts.find(reference.kind, name) or shipped(
        reference.kind.namespace,
        name,
        attribute.location,
    )


def _in_other_case(reference: Reference, attribute: GivenValue, scripts: Scripts) -> str:
    return scripts.in_other_case(reference.kind.namespace, str(attribute.value))


def _title(owner: DefinedObject) -> str:
    return owner.name or "the queue manager"

"""The definitions that streaming queues do not allow, judged by what the scripts define."""

from __future__ import annotations

from mqsc.lint.script_command import ScriptCommand
from mqsc.lint.scripts import DefinedObject, Scripts
from store.catalog import KINDS, Kind, Stored
from store.rules.streaming import WORDS, NamedQueue, Surroundings, definition_refusal, named_queue

_QLOCAL = KINDS["QLOCAL"]


def refusal(command: ScriptCommand, scripts: Scripts, kind: Kind) -> int:
    """The MQRCCF with which a DEFINE or ALTER is refused, or 0; objects that no script defines refuse nothing."""
    like = command.options.get("LIKE")
    if not (like or WORDS & command.given.keys()):
        return 0
    source = scripts.find(kind, str(like) if like else command.name) if like or command.verb == "ALTER" else None
    attributes = {**(_values(source) if source else {}), **command.given}
    other = "" if attributes.get("DESTQMGR") else named_queue(kind.keyword, attributes)
    found = scripts.find(_QLOCAL, other) if other else None
    base = _base(found, scripts) if found else None
    named = _facts(found, base) if found else None
    streams = bool(attributes.get("STREAMQ"))
    matters = (
        streams
        or (kind.keyword == "QLOCAL" and attributes.get("USAGE") == "XMITQ")
        or (kind.keyword == "QALIAS" and named is not None and (named.streams or named.is_transmission))
    )
    surroundings = Surroundings(
        named,
        base is not None and base.name == command.name,
        matters and _is_stream_queue(scripts, command.name),
        streams and _is_destination(scripts, command.name),
    )
    return definition_refusal(kind.keyword, command.name, attributes, surroundings)


def _values(source: DefinedObject) -> dict[str, Stored]:
    return {**source.base, **{word: given.value for word, given in source.given.items()}}


def _base(found: DefinedObject | None, scripts: Scripts) -> DefinedObject | None:
    """The queue that an alias stands for."""
    if found is None or found.kind.keyword != "QALIAS" or found.get("TARGTYPE") == "TOPIC":
        return None
    return scripts.find(_QLOCAL, str(found.get("TARGET") or ""))


def _facts(found: DefinedObject, base: DefinedObject | None) -> NamedQueue:
    both = [each for each in (found, base) if each is not None]
    return NamedQueue(
        found.kind.keyword == "QMODEL",
        any(each.kind.keyword == "QLOCAL" and each.get("USAGE") == "XMITQ" for each in both),
        any(each.get("STREAMQ") for each in both),
    )


def _is_stream_queue(scripts: Scripts, name: str) -> bool:
    for each in (*scripts.of_kind("QLOCAL"), *scripts.of_kind("QMODEL")):
        stream_queue = each.get("STREAMQ")
        if stream_queue:
            base = _base(scripts.find(_QLOCAL, str(stream_queue)), scripts)
            if name == stream_queue or (base is not None and base.name == name):
                return True
    return False


def _is_destination(scripts: Scripts, name: str) -> bool:
    return any(
        named_queue("SUB", _values(each)) == name and not each.get("DESTQMGR") for each in scripts.of_kind("SUB")
    )

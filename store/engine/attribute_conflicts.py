"""Attributes that conflict with each other or with those of other objects: refused by every command
that defines.
"""

from mqsc.store.catalog import Kind
from mqsc.store.engine.definitions import Attributes
from mqsc.store.error import refuse_for
from mqsc.store.rules import conflicts, streaming
from mqsc.store.rules.streaming import NamedQueue, Surroundings
from mqsc.store.sql import objects, queues
from mqsc.store.sqlite.queries import Queries


def check_conflicts(
    tx: Queries,
    owner: str,
    kind: Kind,
    name: str,
    attributes: Attributes,
    keywords: frozenset[str],
) -> None:
    """MQError with the MQRCCF of the first rule that an object with these attributes breaks.

    `keywords` are the attributes that the command gives or changes.
    """
    reason = conflicts.conflict(kind, name, attributes)
    if (
        not reason
        and keywords & streaming.STREAMING_WORDS
        and streaming.depends_on_others(kind.keyword, attributes)
    ):
        reason = streaming.definition_refusal(
            kind.keyword,
            name,
            attributes,
            _surroundings(tx, owner, kind, name, attributes, keywords),
        )
    refuse_for(reason, name)


def _surroundings(
    tx: Queries,
    owner: str,
    kind: Kind,
    name: str,
    attributes: Attributes,
    keywords: frozenset[str],
) -> Surroundings:
    other = streaming.named_queue(kind.keyword, attributes)
    if kind.keyword == "SUB" and attributes.get("DESTQMGR") not in ("", None, owner):
        other = ""
    named, base = _named(tx, owner, other) if other else (None, "")
    streams = bool(attributes.get("STREAMQ"))
    return Surroundings(
        named,
        base == name,
        kind.keyword != "SUB" and objects.is_stream_queue(tx, owner, name),
        streams and objects.is_destination(tx, owner, name),
        kind.keyword == "QLOCAL"
        and "STREAMQ" in keywords
        and attributes.get("DEFTYPE", "PREDEFINED") != "PREDEFINED",
    )


def _named(tx: Queries, owner: str, name: str) -> tuple[NamedQueue | None, str]:
    """A queue that another object names, and the name of its base if it is an alias, even of a
    queue yet to define.
    """
    queue = queues.by_name(tx, owner, name)
    if queue is None:
        return None, ""
    target = queue.target if queue.type == "QALIAS" and not queue.target_is_topic else ""
    base = queues.by_name(tx, owner, target) if target else None
    rows = [each for each in (queue, base) if each is not None]
    facts = NamedQueue(
        queue.type == "QMODEL",
        any(each.type == "QLOCAL" and each.is_transmission for each in rows),
        any(each.stream_queue for each in rows),
    )
    return facts, target

"""What events on definitions and commands mean: the objects that they changed, and which command
changed them.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Mapping
from functools import cache
from typing import Any

from mqsc.imports.event_facts import EventFacts, group_of, text_of
from mqsc.imports.event_messages import EventMessage
from mqsc.imports.event_parameters import key_of_number, members, number_of, plain_word
from mqsc.imports.log_events import Entry, detail_text
from mqsc.language.foreign_secrets import without_secrets
from mqsc.pcf.readable import reason_name
from mqsc.store import constants
from mqsc.store.catalog import KINDS
from mqsc.store.catalog.pcf import NAME, PcfAttribute, pcf_attributes
from mqsc.store.constants import MQCMD, MQOT, families
from mqsc.store.engine.definitions import shipped, subtype_of
from mqsc.store.rules.object_events import CHANGED, CREATED, OBJECT_TYPES, QUEUE_TYPES, REFRESHED
from mqsc.store.sql.rows import EventRow


def configuration_events(facts: EventFacts) -> list[EventRow]:
    message, data = facts.message, facts.data
    kind, name = _object(data)
    values = _attributes(kind, data) if kind else {}
    columns = {"queue": name, "target": kind or text_of(data, "objectType"), **facts.who()}
    if message.reason == CHANGED:
        # What has changed is known when both halves are.
        return [facts.event("ALTER", columns=columns)]
    if message.reason == REFRESHED:
        return [facts.event("OBSERVE", {**values, "class": "definition"}, columns)]
    base = shipped(KINDS[kind], subtype_of(KINDS[kind], values)) if kind else {}
    differing = {word: value for word, value in values.items() if base.get(word) != value}
    if message.reason == CREATED:
        return [
            facts.event(
                "DEFINE", {word: [None, value] for word, value in differing.items()}, columns
            ),
        ]
    return [
        facts.event("DELETE", {word: [value, None] for word, value in differing.items()}, columns),
    ]


def _object(data: Mapping[str, Any]) -> tuple[str, str]:
    """The kind of an object (blank if there is none here) and its name."""
    number = number_of(data.get("objectType"), "MQOT")
    if number == MQOT.Q:
        type_ = number_of(data.get("queueType"), "MQQT")
        kind = next((word for word, each in QUEUE_TYPES.items() if each == type_), "QLOCAL")
    else:
        kind = next((word for word, each in OBJECT_TYPES.items() if each == number), "")
    row = pcf_attributes(kind).get(NAME) if kind else None
    named = text_of(data, key_of_number(row.number)) if row is not None else ""
    return kind, named or next(
        (str(value) for key, value in data.items() if key.endswith("Name")),
        "",
    )


@cache
def _keywords(kind: str) -> Mapping[str, tuple[str, PcfAttribute]]:
    """The keywords of a kind of object by the keys of their parameters."""
    rows = pcf_attributes(kind)
    known = (*KINDS[kind].attributes, KINDS[kind].selector)
    return {key_of_number(row.number): (word, row) for word, row in rows.items() if word in known}


def _attributes(kind: str, data: Mapping[str, Any]) -> dict[str, Any]:
    """The attributes of an object as MQSC writes them; those that MQSC does not have are left
    out.
    """
    keywords = _keywords(kind)
    return {
        keywords[key][0]: _value(keywords[key][1], value)
        for key, value in data.items()
        if key in keywords
    }


def _value(attribute: PcfAttribute, value: Any) -> Any:
    if isinstance(value, list):
        return [_value(attribute, item) for item in value]
    if isinstance(value, Mapping):
        value = value.get("value", value.get("name"))
    if not attribute.words:
        return value
    numbers = {value} if isinstance(value, int) else _numbers_of_word(plain_word(str(value)))
    return next((word for word, number in attribute.words.items() if number in numbers), value)


@cache
def _numbers_of_word(word: str) -> frozenset[int]:
    """What the word is in all families of constants: amqsevt does not say in which."""
    every = (member for family in families() for member in members(family))
    return frozenset(int(each) for name, each in every if plain_word(name) == word)


def relate(entry: Entry, before: deque[Entry], facts: EventFacts) -> None:
    """Join the halves of a change, and a command with the changes that it made."""
    message: EventMessage = entry.record
    related = [
        earlier
        for earlier in before
        if earlier.qmgr == entry.qmgr
        and earlier.record.correlation == message.correlation
        and earlier.events
    ]
    if message.type == MQCMD.COMMAND_EVENT:
        changed = [earlier for earlier in related if earlier.record.type == MQCMD.CONFIG_EVENT]
        for earlier in changed:
            earlier.events = [_by_command(event, entry.events[0]) for event in earlier.events]
        if changed and entry.events[0].kind == "LOG":
            entry.events = ()
        return
    other = next((earlier for earlier in related if earlier.record.state == "Before"), None)
    if (
        message.state == "After"
        and other is not None
        and _object(other.record.data) == _object(message.data)
    ):
        other.events = ()
        kind, _ = _object(message.data)
        old, new = (
            _attributes(kind, event) if kind else {} for event in (other.record.data, message.data)
        )
        words = [
            word
            for word in {**old, **new}
            if old.get(word) != new.get(word) and word not in _TIMES_OF_CHANGE
        ]
        entry.events = [
            _with_detail(event, {word: [old.get(word), new.get(word)] for word in words})
            for event in entry.events
        ]
    command = next(
        (earlier for earlier in related if earlier.record.type == MQCMD.COMMAND_EVENT), None
    )
    if command is not None and command.events[0].kind == "LOG":
        entry.events = [_by_command(event, command.events[0]) for event in entry.events]
        command.events = ()


_TIMES_OF_CHANGE = frozenset({"ALTDATE", "ALTTIME"})


def _with_detail(event: EventRow, more: Mapping[str, Any]) -> EventRow:
    return event._replace(detail=detail_text({**json.loads(event.detail or "{}"), **more}))


def _by_command(event: EventRow, command: EventRow) -> EventRow:
    who = event._replace(
        application=event.application or command.application,
        user=event.user or command.user,
    )
    return _with_detail(who, {"command": json.loads(command.detail or "{}").get("text", "")})


def command_events(facts: EventFacts) -> list[EventRow]:
    """A command: CLEAR and MOVE are known here, all others are its text."""
    context = group_of(facts.data, "commandContext")
    command_data = group_of(facts.data, "commandData")
    number = number_of(context.get("command"), "MQCMD")
    queue, target = text_of(command_data, "queueName"), text_of(command_data, "toQueueName")
    who: dict[str, Any] = {
        "application": text_of(context, "eventApplName"),
        "user": text_of(context, "eventUserId"),
    }
    if number == MQCMD.CLEAR_Q:
        return [facts.event("CLEAR", columns={"queue": queue, **who})]
    if number == MQCMD.MOVE_Q:
        return [
            facts.event(
                "MOVE",
                columns={
                    "queue": text_of(command_data, "fromQueueName") or queue,
                    "target": target,
                    **who,
                },
            ),
        ]
    name = constants.name_of("MQCMD", number or 0).removeprefix("MQCMD_")
    shown = without_secrets(command_data)
    text = text_of(command_data, "commandMqsc") or " ".join(
        [name, *(f"{key}({value})" for key, value in shown.items())],
    )
    detail = {"event": reason_name(facts.message.reason), "text": text}
    return [facts.event("LOG", detail, {"queue": queue, "reason": facts.message.reason, **who})]

"""Explanations of triggering as text and as data, and the words that describe a hypothetical put."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from mqsc.console.parameter_types import iso
from store.admin.trigger_explanation import Hypothetical
from store.constants import name_of
from store.rules.trigger.outlook import nearest

if TYPE_CHECKING:
    from store.admin.trigger_explanation import PutForecast, TriggerExplanation
    from store.rules.trigger.conditions import ConditionResult
    from store.rules.trigger.occasions import TriggerDecision
    from store.rules.trigger.outlook import Outlook

MET, UNMET = "✓", "✗"
SYNTAX = "put [priority N] [persistent|nonpersistent] [syncpoint] [length N]"
_FLAGS: dict[str, tuple[str, Any]] = {
    "PERSISTENT": ("persistence", 1),
    "NONPERSISTENT": ("persistence", 0),
    "NOT-PERSISTENT": ("persistence", 0),
    "SYNCPOINT": ("syncpoint", True),
}
_NUMBERS = {"PRIORITY": "priority", "LENGTH": "length"}


def read_hypothetical(text: str) -> Hypothetical:
    """The put that `text` describes, such as `put priority 5 persistent`; may raise ValueError."""
    words = iter(text.upper().split())
    if next(words, "") != "PUT":
        raise ValueError("expects a put, for example: put priority 5 persistent")
    given: dict[str, Any] = {}
    for word in words:
        if word in _FLAGS:
            name, value = _FLAGS[word]
        elif word in _NUMBERS:
            name, value = _NUMBERS[word], _number(word, next(words, ""))
        else:
            raise ValueError(f"does not know {word.lower()!r}; it expects {SYNTAX}")
        given[name] = value
    return replace(Hypothetical(), **given)


def _number(word: str, digits: str) -> int:
    if not digits.isascii() or not digits.isdigit():
        raise ValueError(f"needs a number after {word.lower()!r}; it expects {SYNTAX}")
    return int(digits)


def explanation_lines(found: TriggerExplanation) -> Iterator[str]:
    """The explanation as text: state, conditions with their reasons, events, and the forecast of a put."""
    last = "none since the start" if found.last_trigger is None else iso(found.last_trigger)
    yield (
        f"{found.queue} at {iso(found.at)}: depth {found.depth}, suitable messages {found.messages}, "
        f"last trigger message {last}"
    )
    yield from found.notes
    if found.loop:
        yield f"Loop: {found.loop}"
    yield ""
    yield _headline(found)
    yield from _condition_lines(found.conditions)
    yield ""
    yield from _aligned([("OCCASION", "EVENT", "TRIGGER MESSAGE"), *(_outlook_cells(each) for each in found.outlooks)])
    yield ""
    yield from _next_lines(found.outlooks)
    if found.forecast is not None:
        yield ""
        yield from _forecast_lines(found.forecast, found.decision)


def _headline(found: TriggerExplanation) -> str:
    put = put_words(found.forecast.put) if found.forecast else "put"
    if found.decision.fires:
        return f"A {put} now would trigger (cause {found.decision.cause}):"
    return f"A {put} now would not trigger: {_obstacles(found.decision)}"


def _condition_lines(conditions: Iterable[ConditionResult]) -> Iterator[str]:
    for each in conditions:
        mark = MET if each.met else UNMET
        yield f"{mark} {each.number:>2}  {each.name:<50}  {each.reason}"
        if each.remedy:
            yield f"      {'':<50}  → {each.remedy}"


def _outlook_cells(outlook: Outlook) -> tuple[str, str, str]:
    if not outlook.possible:
        return outlook.occasion, outlook.event, "cannot happen now"
    return outlook.occasion, outlook.event, "yes" if outlook.would_trigger else f"no: {_obstacles(outlook.decision)}"


def _obstacles(decision: TriggerDecision) -> str:
    # For a monitor that opens its queue, C13 is checked in two parts.
    return ", ".join(f"C{number}" for number in dict.fromkeys(each.number for each in decision.obstacles))


def _next_lines(found: tuple[Outlook, ...]) -> Iterator[str]:
    close = nearest(found)
    if close is None:
        for index, outlook in enumerate(each for each in found if each.would_trigger):
            yield f"{'Or:  ' if index else 'Next:'} {outlook.event}"
        return
    yield f"Next: no single event would trigger it. Closest: {close.event}, still blocked by:"
    for each in close.decision.obstacles:
        yield f"      C{each.number} {each.reason}" + (f" → {each.remedy}" if each.remedy else "")


def _forecast_lines(forecast: PutForecast, decision: TriggerDecision) -> Iterator[str]:
    yield f"If {put_words(forecast.put)}:"
    outcome = f"refused with {_reason(forecast.reason)}" if forecast.reason else "accepted"
    for heading, text in (
        ("the put is", outcome),
        ("it counts as priority", str(forecast.counts_as)),
        ("its trigger message", _trigger_words(forecast, decision)),
        ("TRIGGER afterwards", "off" if forecast.trigger_off else "on"),
    ):
        yield f"      {heading:<24}{text}"


def _trigger_words(forecast: PutForecast, decision: TriggerDecision) -> str:
    if not forecast.triggers:
        return "none" if forecast.reason else f"none: {_obstacles(decision)}"
    if not forecast.lands_on:
        return f"lost: {_reason(forecast.delivery_reason)}, and the dead-letter queue cannot take it"
    where = f"on {forecast.lands_on} {forecast.visible}"
    if forecast.delivery_reason:
        where += f", because the initiation queue returns {_reason(forecast.delivery_reason)}"
    if forecast.put.syncpoint:
        where += "; a backout leaves it there" if forecast.kept else "; a backout removes it"
    return f"{where} (cause {forecast.cause})"


def put_words(put: Hypothetical) -> str:
    """A put as text in the syntax of --if."""
    words = ["put"]
    if put.priority is not None:
        words.append(f"priority {put.priority}")
    if put.persistence is not None:
        words.append("persistent" if put.persistence else "nonpersistent")
    if put.syncpoint:
        words.append("syncpoint")
    return " ".join([*words, *([f"length {put.length}"] if put.length else [])])


def _reason(code: int) -> str:
    return f"{code} {name_of('MQRC', code)}"


def _aligned(rows: list[tuple[str, ...]]) -> Iterator[str]:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        yield "  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()


def explanation_row(found: TriggerExplanation) -> dict[str, Any]:
    """The explanation as data for JSON; times are microseconds UTC."""
    return {
        "queue": found.queue,
        "asked_for": found.asked_for,
        "notes": list(found.notes),
        "at": found.at,
        "depth": found.depth,
        "messages": found.messages,
        "last_trigger": found.last_trigger,
        "would_trigger": found.decision.fires,
        "cause": found.decision.cause if found.decision.fires else "",
        "conditions": [each._asdict() for each in found.conditions],
        "occasions": [_outlook_row(each) for each in found.outlooks],
        "next": [each.event for each in found.outlooks if each.would_trigger],
        "loop": found.loop,
        "if": _forecast_row(found.forecast),
    }


def _outlook_row(outlook: Outlook) -> dict[str, Any]:
    return {
        "occasion": outlook.occasion,
        "event": outlook.event,
        "possible": outlook.possible,
        "would_trigger": outlook.would_trigger,
        "in_the_way": [each.number for each in outlook.decision.obstacles],
        "conditions": [each._asdict() for each in outlook.decision.results],
    }


_FORECAST: tuple[str, ...] = (
    "reason",
    "counts_as",
    "triggers",
    "cause",
    "lands_on",
    "delivery_reason",
    "visible",
    "kept",
    "trigger_off",
)


def _forecast_row(forecast: PutForecast | None) -> dict[str, Any] | None:
    if forecast is None:
        return None
    return {"put": put_words(forecast.put), **{name: getattr(forecast, name) for name in _FORECAST}}

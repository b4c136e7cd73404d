"""Explanations of triggering as text and as JSON, and the puts that --if describes."""

import sys
from collections.abc import Iterable, Iterator
from typing import Any

from msgspec.structs import replace

from mqsc.console.json_rows import picked
from mqsc.console.parameters import iso, iso_or_none
from mqsc.console.tables import aligned
from mqsc.console.terminal import wrapped
from mqsc.console.text.group_triggering import holder, member_lines
from mqsc.console.text.reasons import counted, reason_text
from mqsc.store.admin.trigger_explanation import Hypothetical, PutForecast, TriggerExplanation
from mqsc.store.admin.uncommitted_work import GET, TRIGGER_MESSAGE, UncommittedWork
from mqsc.store.constants import name_of
from mqsc.store.rules.trigger.conditions import ConditionResult
from mqsc.store.rules.trigger.occasions import EITHER, TriggerDecision
from mqsc.store.rules.trigger.outlook import Outlook, nearest

INDENT = " " * 6
NAME_WIDTH = 50
# From this width, a condition's reason is beside its name.
BESIDE = 100
MET = "✓"
UNMET = "✗"
NOT_NEEDED = "-"
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
    fields: dict[str, Any] = {}
    for word in words:
        if word in _FLAGS:
            name, value = _FLAGS[word]
        elif word in _NUMBERS:
            name, value = _NUMBERS[word], _number(word, next(words, ""))
        else:
            raise ValueError(f"does not know {word.lower()!r}; it expects {SYNTAX}")
        fields[name] = value
    return replace(Hypothetical(), **fields)


def _number(word: str, digits: str) -> int:
    if not digits.isascii() or not digits.isdigit():
        raise ValueError(f"needs a number after {word.lower()!r}; it expects {SYNTAX}")
    return int(digits)


def explanation_lines(explanation: TriggerExplanation, width: int = sys.maxsize) -> Iterator[str]:
    """The explanation as text of at most `width` columns: conditions with reasons, events, the
    forecast of a put.
    """
    last = (
        "no trigger message since the start"
        if explanation.last_trigger is None
        else f"last trigger message {iso(explanation.last_trigger)}"
    )
    summary = (
        f"{explanation.queue} at {iso(explanation.at)}: depth {explanation.depth}, "
        f"suitable messages {explanation.messages}, {last}"
    )
    loop = [f"Loop: {explanation.loop}"] if explanation.loop else []
    for text in (
        summary,
        *explanation.notes,
        *explanation.warnings,
        *loop,
        *_uncommitted_texts(explanation),
    ):
        yield from wrapped(text, width, hanging=INDENT)
    if explanation.members:
        yield ""
        yield from member_lines(explanation, width)
    yield ""
    yield from wrapped(_headline(explanation), width, hanging=INDENT)
    yield from _condition_lines(explanation.conditions, explanation.decision, width)
    yield ""
    yield from _outlook_lines(explanation.outlooks, width)
    yield ""
    for text, indent in _next_lines(explanation.outlooks):
        yield from wrapped(text, width, indent, hanging=INDENT)
    if explanation.forecast is not None:
        yield ""
        yield from _forecast_lines(explanation.forecast, explanation.decision, width)


def _headline(explanation: TriggerExplanation) -> str:
    put = put_words(explanation.forecast.put) if explanation.forecast else "put"
    if explanation.put_reason:
        why = _reason(explanation.put_reason)
        return f"A {put} now would be refused with {why}, and would not trigger:"
    here = f" on {explanation.queue_manager}" if explanation.members else ""
    if explanation.decision.fires:
        return f"A {put} now would trigger{here} (cause {explanation.decision.cause}):"
    return f"A {put} now would not trigger{here}: {_obstacles(explanation.decision)}"


def _uncommitted_texts(explanation: TriggerExplanation) -> Iterator[str]:
    """The uncommitted work, each share with its holder, and whether anything else is wrong."""
    for work in explanation.uncommitted:
        yield f"{_uncommitted_text(work, explanation)}: {holder(work)}"
    if explanation.only_waits_for_commit:
        yield (
            f"Otherwise {explanation.queue} is in order: it has triggered, and a program has its "
            "initiation queue open."
        )
    elif explanation.uncommitted and not explanation.waiting:
        yield f"The end of a unit of work does not itself trigger {explanation.queue}."


def _uncommitted_text(work: UncommittedWork, explanation: TriggerExplanation) -> str:
    """How many messages a unit of work has put or got, and whether they count."""
    is_one = work.messages == 1
    are, they_do, s = ("is", "it does", "s") if is_one else ("are", "they do", "")
    if work.what == TRIGGER_MESSAGE:
        end = "the commit or backout" if work.kept else "the commit"
        return (
            f"{counted(work.messages, 'trigger message')} wait{s} on {work.queue} for {end} of a "
            "unit of work"
        )
    messages = counted(work.messages, "suitable message")
    if work.what == GET:
        return f"{messages} {are} got but uncommitted, so {they_do} not count"
    if explanation.members:
        return f"{messages} {are} uncommitted; {they_do} not count before the commit"
    number = f"{work.messages} of {counted(explanation.messages, 'suitable message')}"
    return (
        f"{number} {are} uncommitted; {they_do.split()[0]} count{s}, but cannot be got before the "
        "commit"
    )


def _condition_lines(
    conditions: Iterable[ConditionResult],
    decision: TriggerDecision,
    width: int,
) -> Iterator[str]:
    """Name and reason of each condition, beside each other if there is room; only what blocks
    the put is a failure.
    """
    beside = width >= BESIDE
    blocking = {condition.number for condition in decision.obstacles}
    for condition in conditions:
        text = condition.reason
        if condition.met:
            mark = MET
        elif condition.number in blocking:
            mark = UNMET
        else:
            mark = NOT_NEEDED
            text = f"{text}; {_why_not_needed(condition.number, decision)}"
        head = f"{mark} {f'C{condition.number}':<3} "
        reason = " " * (len(INDENT) + NAME_WIDTH + 2)
        if beside:
            yield from wrapped(text, width, f"{head}{condition.name:<{NAME_WIDTH}}  ", reason)
        else:
            yield from wrapped(condition.name, width, head, INDENT)
            yield from wrapped(text, width, INDENT + "  ")
        if condition.remedy and mark != NOT_NEEDED:
            yield from wrapped(f"→ {condition.remedy}", width, reason if beside else INDENT + "  ")


def _why_not_needed(number: int, decision: TriggerDecision) -> str:
    """Why a condition that is not met does not keep the put from triggering."""
    if number in EITHER:
        return f"C{decision.decisive} is met instead"
    return "a put does not need it"


def _outlook_lines(outlooks: Iterable[Outlook], width: int) -> Iterator[str]:
    """A table of the events, or a paragraph for each if the table is too wide."""
    rows = [_outlook_cells(each) for each in outlooks]
    table = [*aligned([("OCCASION", "EVENT", "TRIGGER MESSAGE"), *rows])]
    if max(map(len, table)) <= width:
        yield from table
        return
    yield from wrapped("Trigger message by occasion:", width)
    for occasion, event, answer in rows:
        yield from wrapped(f"{occasion}: {event}: {answer}", width, hanging=INDENT)


def _outlook_cells(outlook: Outlook) -> tuple[str, str, str]:
    if not outlook.possible:
        return outlook.occasion, outlook.event, "cannot happen now"
    return (
        outlook.occasion,
        outlook.event,
        "yes" if outlook.would_trigger else f"no: {_obstacles(outlook.decision)}",
    )


def _obstacles(decision: TriggerDecision) -> str:
    # For a monitor that opens its queue, triggering C13 is checked in two parts.
    return ", ".join(
        f"C{number}" for number in dict.fromkeys(each.number for each in decision.obstacles)
    )


def _next_lines(outlooks: tuple[Outlook, ...]) -> Iterator[tuple[str, str]]:
    """The events that would trigger, each with its indent; if there is none, the closest one and
    what blocks it.
    """
    close = nearest(outlooks)
    if close is None:
        for index, outlook in enumerate(each for each in outlooks if each.would_trigger):
            yield f"{'Or:  ' if index else 'Next:'} {outlook.event}", ""
        return
    yield f"Next: no single event would trigger it. Closest: {close.event}, still blocked by:", ""
    for each in close.decision.obstacles:
        yield f"C{each.number} {each.reason}" + (f" → {each.remedy}" if each.remedy else ""), INDENT


def _forecast_lines(forecast: PutForecast, decision: TriggerDecision, width: int) -> Iterator[str]:
    yield from wrapped(f"If {put_words(forecast.put)}:", width, hanging=INDENT)
    outcome = f"refused with {_reason(forecast.reason)}" if forecast.reason else "accepted"
    for heading, text in (
        ("the put is", outcome),
        ("it counts as priority", str(forecast.counts_as)),
        ("its trigger message", _trigger_words(forecast, decision)),
        ("TRIGGER afterwards", "off" if forecast.trigger_off else "on"),
    ):
        yield from wrapped(text, width, f"{INDENT}{heading:<24}", INDENT + "  ")
    for code in dict.fromkeys((forecast.reason, forecast.delivery_reason)):
        if code:
            yield from wrapped(reason_text(code), width, INDENT, INDENT + "  ")


def _trigger_words(forecast: PutForecast, decision: TriggerDecision) -> str:
    if not forecast.triggers:
        return "none" if forecast.reason else f"none: {_obstacles(decision)}"
    if not forecast.lands_on:
        return (
            f"lost: {_reason(forecast.delivery_reason)}, and the dead-letter queue cannot take it"
        )
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


def explanation_row(explanation: TriggerExplanation) -> dict[str, Any]:
    """The explanation as data for JSON."""
    uncommitted = [
        {**work._asdict(), "since": iso_or_none(work.since)} for work in explanation.uncommitted
    ]
    return {
        **picked(explanation, "queue asked_for notes warnings"),
        "at": iso(explanation.at),
        **picked(explanation, "depth messages"),
        "last_trigger": iso_or_none(explanation.last_trigger),
        "only_waits_for_commit": explanation.only_waits_for_commit,
        "uncommitted": uncommitted,
        "would_trigger": explanation.put_triggers,
        "cause": explanation.decision.cause if explanation.put_triggers else "",
        "put_reason": explanation.put_reason,
        "conditions": [each._asdict() for each in explanation.conditions],
        "in_the_way": [each.number for each in explanation.decision.obstacles],
        "occasions": [_outlook_row(each) for each in explanation.outlooks],
        "next": [each.event for each in explanation.outlooks if each.would_trigger],
        "loop": explanation.loop,
        "members": [each._asdict() for each in explanation.members],
        "input_handles": [each._asdict() for each in explanation.input_handles],
        "if": _forecast_row(explanation.forecast),
    }


def _outlook_row(outlook: Outlook) -> dict[str, Any]:
    return {
        **picked(outlook, "occasion event commands possible would_trigger"),
        "in_the_way": [each.number for each in outlook.decision.obstacles],
        "conditions": [each._asdict() for each in outlook.decision.results],
    }


def _forecast_row(forecast: PutForecast | None) -> dict[str, Any] | None:
    if forecast is None:
        return None
    names = "reason counts_as triggers cause lands_on delivery_reason visible kept trigger_off"
    return {"put": put_words(forecast.put), **picked(forecast, names)}

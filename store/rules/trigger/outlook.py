"""Which event would make the next trigger message: every possible event, decided as if it
happened now.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from mqsc.store.constants import MQTT
from mqsc.store.rules.putting import HIGHEST_PRIORITY
from mqsc.store.rules.trigger import conditions, occasions
from mqsc.store.rules.trigger.facts import DEPTH, FIRST, NONE, TriggerFacts, with_effective_type

MOST_DEPTH = 999_999_999


class Contents(NamedTuple):
    """What a queue holds and admits.

    `at_least[p]`: how many messages have an effective priority of at least p, counted like n(Q).
    `room`: how many messages can be put now.
    """

    at_least: Sequence[int]
    room: int


class Outlook(NamedTuple):
    """An event, whether it can happen now, and what it would decide.

    `event` describes the event in words or is a command. `commands` are the MQSC commands that are
    this event, if any; of a range of TRIGDPTH only the first and the last. `decision` uses the
    facts as they would be after the event, or after the first of the commands; the others end
    alike.
    """

    occasion: str
    event: str
    possible: bool
    decision: occasions.TriggerDecision
    commands: tuple[str, ...] = ()

    @property
    def would_trigger(self) -> bool:
        """Whether the event can happen now and would make a trigger message."""
        return self.possible and self.decision.fires


def outlooks(facts: TriggerFacts, contents: Contents) -> tuple[Outlook, ...]:
    """The events of every occasion, puts first. `facts.messages` is the full n(Q) now."""
    facts = facts._replace(priority=None)
    return tuple(
        outlook for of_occasion in _OF_OCCASIONS for outlook in of_occasion(facts, contents)
    )


def nearest(events: tuple[Outlook, ...]) -> Outlook | None:
    """If no event would trigger, the possible event with the fewest unmet conditions; None if
    one would.
    """
    if any(each.would_trigger for each in events):
        return None
    possible = [each for each in events if each.possible]
    return min(possible, key=lambda each: len(each.decision.obstacles))


def _puts(facts: TriggerFacts, contents: Contents) -> Iterator[Outlook]:
    """A put now; for DEPTH as many puts as are missing; for FIRST also a put after TRIGINT."""
    facts = with_effective_type(facts)
    priority = (
        facts.default_priority if facts.fifo else min(facts.trigger_priority, HIGHEST_PRIORITY)
    )
    facts = facts._replace(priority=priority)
    what = f" of priority {priority} or higher" if priority and not facts.fifo else ""
    missing = facts.trigger_depth - 1 - facts.messages
    if facts.trigger_type == DEPTH and missing > 0:
        event = f"{missing + 1} messages{what} are put on {facts.queue}"
        later = facts._replace(messages=facts.trigger_depth - 1)
        yield _outlook(occasions.PUT, event, contents.room > missing, later)
        return
    event = f"a message{what} is put on {facts.queue}"
    yield _outlook(occasions.PUT, event, contents.room > 0, facts)
    if facts.trigger_type == FIRST and facts.messages and facts.last_trigger is not None:
        ends = facts.last_trigger + facts.trigger_interval * conditions.MICROSECONDS_PER_MILLISECOND
        if not conditions.the_interval_has_passed(facts):
            wait = -(-(ends - facts.now) // conditions.MICROSECONDS_PER_MILLISECOND)
            event += f" in {wait} ms or later, after TRIGINT has passed"
            yield _outlook(occasions.PUT, event, contents.room > 0, facts._replace(now=ends))


def _close(facts: TriggerFacts, contents: Contents) -> Iterator[Outlook]:
    where = " in the group" if facts.shared else ""
    event = f"the last program that has {facts.queue} open for input{where} closes it"
    is_open = facts.input_handles > 0 or facts.shared_input_elsewhere or facts.exclusive_in_group
    after = facts._replace(input_handles=0, shared_input_elsewhere=False, exclusive_in_group=False)
    yield _outlook(occasions.CLOSE, event, is_open, _counted(after, contents))


def _alter(facts: TriggerFacts, contents: Contents) -> Iterator[Outlook]:
    """TRIGGER is turned on or, if it is on, a criterion takes any other value that does not rule
    out triggering.
    """
    if not facts.trigger_on:
        yield _command(
            occasions.ALTER,
            facts.queue,
            "TRIGGER",
            True,
            facts._replace(trigger_on=True),
        )
        return
    for attribute, changes in _CRITERIA.items():
        decided = [
            (each, occasions.decide(occasions.ALTER, each.after))
            for each in changes(facts, contents)
        ]
        for _, alike in groupby(sorted(decided, key=_answer), key=_answer):
            group = list(alike)
            alterations = [each for each, _ in group]
            event = (
                f"{attribute} of {facts.queue} is changed to "
                f"{_in_words([each.words for each in alterations])}"
            )
            commands = tuple(
                conditions.alter_command(facts.queue, f"{attribute}({value})", shared=facts.shared)
                for each in alterations
                for value in each.ends
            )
            yield Outlook(occasions.ALTER.name, event, True, group[0][1], commands)


def _counted(after: TriggerFacts, contents: Contents) -> TriggerFacts:
    """The facts after the criteria of a member of a group have changed, with n(Q) by the new
    ones.
    """
    if not after.shared:
        return after
    return after._replace(messages=contents.at_least[occasions.counted_priority(after)])


class _Change(NamedTuple):
    """A change of a criterion to one value, or to any of a range with these `ends`, and the
    facts after it.
    """

    words: str
    ends: tuple[str, ...]
    after: TriggerFacts


def _answer(decided: tuple[_Change, occasions.TriggerDecision]) -> tuple[bool, list[int]]:
    """Changes that trigger come first; others are alike if the same conditions prevent it."""
    decision = decided[1]
    return not decision.fires, [each.number for each in decision.obstacles]


def _types(facts: TriggerFacts, contents: Contents) -> Iterator[_Change]:
    for each in MQTT:
        if each not in (NONE, facts.trigger_type):
            yield _Change(
                each.name,
                (each.name,),
                _counted(facts._replace(trigger_type=int(each)), contents),
            )


def _priorities(facts: TriggerFacts, contents: Contents) -> Iterator[_Change]:
    for first, last in _without(facts.trigger_priority, (0, HIGHEST_PRIORITY)):
        for priority in range(first, last + 1):
            after = facts._replace(trigger_priority=priority)
            after = after._replace(messages=contents.at_least[occasions.counted_priority(after)])
            yield _Change(str(priority), (str(priority),), after)


def _depths(facts: TriggerFacts, contents: Contents) -> Iterator[_Change]:
    """Relevant only to DEPTH (C13): the depths that the queue has reached, and greater ones."""
    if facts.trigger_type != DEPTH:
        return
    for reached in ((1, facts.messages), (facts.messages + 1, MOST_DEPTH)):
        for first, last in _without(facts.trigger_depth, reached):
            ends = tuple(str(each) for each in sorted({first, last}))
            words = f"{first} or more" if last == MOST_DEPTH else "-".join(ends)
            yield _Change(words, ends, facts._replace(trigger_depth=first))


_CRITERIA: dict[str, Callable[[TriggerFacts, Contents], Iterator[_Change]]] = {
    "TRIGTYPE": _types,
    "TRIGMPRI": _priorities,
    "TRIGDPTH": _depths,
}


def _without(value: int, bounds: tuple[int, int]) -> Iterator[tuple[int, int]]:
    """The ranges that remain of first and last value without one of the values."""
    first, last = bounds
    for low, high in ((first, min(last, value - 1)), (max(first, value + 1), last)):
        if low <= high:
            yield low, high


def _in_words(values: Iterable[str]) -> str:
    """A choice between values, such as `0, 1 or 3-9`: runs of single digits are ranges."""
    runs: list[list[str]] = []
    for value in values:
        if (
            runs
            and value.isdigit()
            and runs[-1][-1].isdigit()
            and int(value) == int(runs[-1][-1]) + 1
        ):
            runs[-1].append(value)
        else:
            runs.append([value])
    choices = [part for run in runs for part in ([f"{run[0]}-{run[-1]}"] if len(run) > 2 else run)]
    return " or ".join(filter(None, (", ".join(choices[:-1]), choices[-1])))


def _initq_enabled(facts: TriggerFacts, contents: Contents) -> Iterator[Outlook]:
    possible = facts.initq_exists and not facts.initq_deleted and not facts.initq_put_enabled
    after = facts._replace(initq_put_enabled=True)
    yield _command(occasions.INITQ_ENABLED, facts.initq or "INITQ", "PUT(ENABLED)", possible, after)


def _get_enabled(facts: TriggerFacts, contents: Contents) -> Iterator[Outlook]:
    after = facts._replace(get_enabled=True)
    yield _command(occasions.GET_ENABLED, facts.queue, "GET(ENABLED)", not facts.get_enabled, after)


def _monitor_opened(facts: TriggerFacts, contents: Contents) -> Iterator[Outlook]:
    """Only the first open for input counts, so a queue that is open must be closed first."""
    initq = facts.initq or "INITQ"
    is_open = facts.initq_exists and (facts.initq_input_handles > 0 or facts.initq_open_elsewhere)
    event = (
        f"all monitors close {initq}, then one opens it"
        if is_open
        else f"a monitor opens {initq} for input"
    )
    possible = facts.initq_exists and not facts.initq_deleted
    yield _outlook(occasions.MONITOR_OPENED, event, possible, facts._replace(initq_input_handles=1))


def _outlook(
    occasion: occasions.Occasion,
    event: str,
    possible: bool,
    after: TriggerFacts,
) -> Outlook:
    return Outlook(occasion.name, event, possible, occasions.decide(occasion, after))


def _command(
    occasion: occasions.Occasion,
    queue: str,
    change: str,
    possible: bool,
    after: TriggerFacts,
) -> Outlook:
    shared = after.initq_shared if occasion is occasions.INITQ_ENABLED else after.shared
    command = conditions.alter_command(queue, change, shared=shared)
    return Outlook(occasion.name, command, possible, occasions.decide(occasion, after), (command,))


_OF_OCCASIONS: tuple[Callable[[TriggerFacts, Contents], Iterator[Outlook]], ...] = (
    _puts,
    _close,
    _alter,
    _initq_enabled,
    _get_enabled,
    _monitor_opened,
)

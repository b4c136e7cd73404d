"""Random histories in which queues have several lives: whatever says something about the past says
the same.

MQSC_TIMES=10 tries ten times as many, MQSC_FIRST_SEED=301 others.
"""

from __future__ import annotations

import random
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, closing
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from mqsc.cli.past.bisect_search import Owners, PastDisplay, Search
from mqsc.cli.past.whatif import compared
from mqsc.cli.past.whatif_replay import Changes, Period, Trial
from mqsc.language.request import Request
from mqsc.script import commands_in, read_request
from mqsc.scripts.past_definitions import CHANGES, blame
from mqsc.store.admin import inquiring, message_trace
from mqsc.store.admin.backup import back_up, restore
from mqsc.store.admin.event_search import EventSelection, events
from mqsc.store.catalog import kinds_of
from mqsc.store.client.store import Store, open_store
from mqsc.store.past.as_of import Past, copy_as_of, moment_of_event
from mqsc.store.past.audit import AuditResult, audit
from mqsc.store.past.clocks import Moment, owners_with_clock
from mqsc.store.past.depths import past_depths
from mqsc.store.past.places import CAME, WENT
from mqsc.store.rules.message_trace import TracedEvent
from tests.examples import seeds
from tests.reports.history import at
from tests.store.past.histories import Key, Lived, history, look, opened
from tests.store.past.lifetimes import AGAIN, GROUP, SHARED, prune
from tests.store.past.test_as_of import state

SEEDS = seeds(1)
MEMBERS = frozenset({"QM3", "QM4"})


@pytest.fixture(scope="module")
def histories(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Callable[[int, bool], Lived]]:
    """Each history, made when it is first asked for."""
    with ExitStack() as held:

        @cache
        def lived_with(seed: int, is_restored: bool) -> Lived:
            folder = tmp_path_factory.mktemp("lived")
            return held.enter_context(history(seed, folder, is_restored=is_restored))

        yield lived_with


@pytest.fixture(
    params=[(seed, is_restored) for is_restored in (False, True) for seed in SEEDS],
    ids=lambda param: f"{param[0]}-restored" if param[1] else str(param[0]),
)
def lived(
    request: pytest.FixtureRequest,
    histories: Callable[[int, bool], Lived],
) -> Lived:
    """A random history with manual clocks; in some, a backup was restored in the middle."""
    return histories(*request.param)


def unrecorded(store: Store, first: int = 1) -> set[Key]:
    """The queues with ACCTQ(OFF), before or after one of the events from `first`: not everything
    that happened to them is recorded.
    """
    changes = EventSelection(kinds=frozenset({"DEFINE", "ALTER"}))
    return {
        (each.qmgr, each.queue or "")
        for each in events(store, changes, first=first)
        if each.target == "QLOCAL" and "OFF" in each.detail.get("ACCTQ", ())
    }


def moved_blindly(store: Store, first: int) -> set[Key]:
    """The queues to which MOVE brought messages that no event is about, from event `first` on."""
    silent, reached = unrecorded(store), set[Key]()
    for each in events(store, EventSelection(kinds=frozenset({"MOVE"})), first=first):
        if (each.qmgr, each.queue or "") in silent | reached and each.detail["messages"]:
            reached.add((each.qmgr, each.target or ""))
    return reached


def known_of(past: Past, tables: list[Any]) -> list[Any]:
    """A state without the queues, and their messages, that a copy says are not known."""
    definitions, *of_queues = tables[:3]
    known = [
        [row for row in rows if f"{row[1]} of {row[0]}" not in past.unknown] for rows in of_queues
    ]
    return [definitions, *known, *tables[3:]]


def assert_every_queue_fits(result: AuditResult) -> None:
    assert result.findings == []
    for each in result.sums:
        came, went = (sum(each.sums[name] for name in names) for names in (CAME, WENT))
        assert each.unknown or came == went + each.there, each


def recounted(store: Store) -> dict[Key, Counter[str]]:
    """What came to each queue and went, from the kinds of events alone."""
    found: dict[Key, Counter[str]] = {}
    for each in events(store, EventSelection()):
        if each.qmgr == "ELSEWHERE":
            continue
        queue = found.setdefault((each.qmgr, str(each.queue)), Counter())
        if each.kind == "PUT":
            queue["put"] += 1
        elif each.kind == "GET" or (
            each.kind in ("EXPIRE", "DISCARD") and each.unit is None and each.put_at is not None
        ):
            queue["taken"] += 1
        elif each.kind in ("CLEAR", "MOVE"):
            number = each.detail["messages"] - each.detail.get("got", 0)
            queue["taken"] += number
            if each.kind == "MOVE":
                there = str(each.detail.get("target_owner", each.qmgr)), str(each.target)
                found.setdefault(there, Counter())["moved_in"] += number
    return found


def test_the_audit_counts_all_lives(lived: Lived) -> None:
    store = lived.store
    result = audit(store)
    assert_every_queue_fits(result)
    expected = recounted(store)
    for each in result.sums:
        if not each.unknown:
            counts = expected[each.qmgr, each.queue]
            taken = sum(each.sums[name] for name in WENT if name != "withdrawn")
            assert (each.sums["put"], each.sums["moved_in"]) == (
                counts["put"],
                counts["moved_in"],
            ), each
            assert taken == counts["taken"], each
    known = {(each.qmgr, each.queue) for each in result.sums}
    assert {key for key, counts in expected.items() if counts.total()} <= known


def test_the_audit_of_a_part_fits(lived: Lived) -> None:
    """The clocks go at different speeds, so the same time is another event for each."""
    store = lived.store
    middle = {name: (now + at(0)) // 2 for name, now in look(store).clocks.items()}
    for part in (
        audit(store, since=middle),
        audit(store, until=middle),
        audit(store, since=middle["QM3"]),
    ):
        assert_every_queue_fits(part)


@pytest.mark.parametrize("forwards", [False, True])
def test_states_and_clocks_of_the_past(lived: Lived, forwards: bool) -> None:
    for number, (seq, then) in enumerate(lived.taken.items()):
        if number % 9 == forwards:
            with copy_as_of(
                lived.store,
                moment_of_event(lived.store, seq),
                forwards=forwards,
            ) as past:
                assert dict(past.clocks) == then.clocks, seq
                assert known_of(past, state(past.file)) == known_of(past, then.state), seq


def test_depths_of_the_past(lived: Lived) -> None:
    """Counted back from now, they are what they were."""
    store = lived.store
    names = look(store).depths
    there = {(each.qmgr, each.queue): each.there for each in audit(store).sums}
    for owner, name in names.keys() - unrecorded(store):
        qmgr = store.queue_manager(owner)
        row = next(inquiring.inquire(qmgr, kinds_of("QLOCAL"), name), {})
        found = past_depths(qmgr, name)
        points = [*found.points()]
        assert found.before == 0, (owner, name)
        place = GROUP if row.get("QSGDISP") == "SHARED" else owner
        assert (points[-1].depth if points else 0) == there.get((place, name), 0), (owner, name)
        for seq, then in lived.taken.items():
            if (owner, name) in then.depths:
                depth = next((each.depth for each in reversed(points) if each.seq <= seq), 0)
                assert depth == then.depths[owner, name], (owner, name, seq)


DISPLAYS = (
    *(
        ("QM2", f"QLOCAL({name}) WHERE(CURDEPTH GT {depth})")
        for name in (*AGAIN, "Q")
        for depth in (0, 2)
    ),
    *(("QM3", f"QLOCAL({SHARED}) WHERE(CURDEPTH GT {depth})") for depth in (0, 1)),
    *(
        ("QM3", "QLOCAL(PRIVATE) WHERE(CURDEPTH GT 0)"),
        ("QM4", "QLOCAL(PRIVATE) WHERE(CURDEPTH GT 0)"),
    ),
    *(
        ("QM2", f"QLOCAL({AGAIN[0]})"),
        ("QM2", f"QUEUE({AGAIN[1]})"),
        ("QM2", f"QLOCAL({AGAIN[0]}) WHERE(MAXDEPTH EQ 6)"),
    ),
)


@cache
def past_display(store: Store, name: str, display: str) -> tuple[Request, PastDisplay]:
    """A DISPLAY with its answers in states of the past: making the states takes most of the time
    of the tests.
    """
    request = read_request(*commands_in([f"DISPLAY {display}"]))
    assert isinstance(request, Request)
    return request, PastDisplay(store.queue_manager(name), request)


@pytest.mark.parametrize("last", [False, True])
@pytest.mark.parametrize(("name", "display"), DISPLAYS)
def test_the_event_that_bisect_finds(lived: Lived, name: str, display: str, last: bool) -> None:
    """Between two states that were looked at, the answer changed there, and nowhere before or
    after.
    """
    store = lived.store
    request, known = past_display(store, name, display)
    owners = Owners(
        name,
        GROUP if name in MEMBERS else "",
        MEMBERS if name in MEMBERS else frozenset(),
    )
    end = store.bound().seq
    found = Search(known, request, owners, 0, end, last, 0).event_of_change(store)
    states = [0, *(each for number, each in enumerate(lived.taken) if number % 16 == 0), end]
    answers = [known.has_answer(each) for each in states]
    if found is None:
        assert not any(answers) or (last and answers[-1]), display
        return
    seq, certain = found
    assert certain
    assert (known.has_answer(seq - 1), known.has_answer(seq)) == (last, not last)
    before = [
        answer
        for each, answer in zip(states, answers, strict=True)
        if (each >= seq if last else each < seq)
    ]
    assert not any(before), display


def test_blame_says_what_is_displayed(lived: Lived) -> None:
    store = lived.store
    for name in AGAIN:
        for kind in ("QLOCAL", "QALIAS"):
            found = blame(
                each
                for each in events(store, EventSelection(queue=name, qmgr="QM2", kinds=CHANGES))
                if each.target == kind
            )
            row = next(inquiring.inquire(store.queue_manager("QM2"), kinds_of(kind), name), None)
            assert (row is None) == (found.deleted is not None or found.defined is None)
            for keyword, values in ({} if row is None else found.values).items():
                assert values[-1].value == row[keyword], (name, keyword)  # type: ignore[index]


def test_every_event_of_a_message_is_in_its_life(lived: Lived) -> None:
    store = lived.store
    own: dict[bytes, set[int]] = {}
    for each in events(store, EventSelection()):
        if each.msg_id is not None:
            own.setdefault(each.msg_id, set()).add(each.seq)
    for msg_id in random.Random(0).sample(sorted(own), 20):
        life = {step.event.seq for _, step in message_trace.life_of([store], msg_id).steps}
        assert own[msg_id] <= life, msg_id.hex()


@pytest.mark.parametrize("kind", ["COMMIT", "BACKOUT"])
def test_every_end_of_a_unit_of_work_that_is_doubled_is_found(
    lived: Lived,
    kind: str,
    tmp_path: Path,
) -> None:
    ends = [
        each.seq
        for each in events(lived.store, EventSelection(kinds=frozenset({kind})))
        if each.unit is not None
    ]
    for seq in random.Random(0).sample(ends, min(len(ends), 4)):
        copy = tmp_path / f"{seq}.db"
        back_up(lived.store, copy)
        with closing(sqlite3.connect(copy)) as connection:
            connection.execute(
                "INSERT INTO event (at, qmgr, kind, cause, unit, connection, detail) "
                "SELECT at, qmgr, kind, cause, unit, connection, detail FROM event WHERE seq = ?",
                (seq,),
            )
            connection.commit()
        with open_store(f"sqlite:///{copy}", create=False) as damaged:
            assert any("has ended before" in each.what for each in audit(damaged).findings), seq


def test_a_history_whose_beginning_is_pruned(lived: Lived, tmp_path: Path) -> None:
    """What is known of the rest is the same, and nothing is found that nobody knows."""
    copy = tmp_path / "pruned.db"
    back_up(lived.store, copy)
    last = lived.store.bound().seq
    with open_store(f"sqlite:///{copy}", create=False) as pruned:
        prune(pruned, last // 2)
        assert_every_queue_fits(audit(pruned))
        whole, rest = (
            [
                each
                for each in past_depths(store.queue_manager("QM2"), "Q").points()
                if last // 2 < each.seq <= last
            ]
            for store in (lived.store, pruned)
        )
        assert whole == rest


def test_a_backup_that_is_restored_has_the_same_past(lived: Lived, tmp_path: Path) -> None:
    """Its own programs have ended; the next one backs out what they had begun."""
    last = lived.store.bound().seq
    back_up(lived.store, tmp_path / "backup.db")
    restore(str(tmp_path / "store.db"), tmp_path / "backup.db", at(0))
    with opened(tmp_path / "store.db") as restored:
        whole, rest = (
            [*events(store, EventSelection(), last=last)] for store in (lived.store, restored)
        )
        assert whole == rest
        assert_every_queue_fits(audit(restored))
        for seq in [*lived.taken][:: len(lived.taken) // 3]:
            with copy_as_of(restored, moment_of_event(restored, seq)) as past:
                then = lived.taken[seq].state
                assert known_of(past, state(past.file)) == known_of(past, then), seq
        of_queue = (
            past_depths(store.queue_manager("QM2"), "Q") for store in (lived.store, restored)
        )
        whole_points, rest_points = ([*each.points()] for each in of_queue)
        assert rest_points[: len(whole_points)] == whole_points


def told(found: Iterable[TracedEvent], unknown: set[Key]) -> Counter[tuple[object, ...]]:
    """What is compared, without `unknown` queues: of their messages, what became of them may be
    recorded, but not that they were put and got.
    """
    return Counter(
        (
            *(each.kind, each.qmgr, each.queue or "", each.cause, each.msg_id or b"", each.unit),
            *(each.at, each.target, each.put_at),
        )
        for each in found
        if not _is_about(each, unknown)
    )


def _is_about(event: TracedEvent, unknown: set[Key]) -> bool:
    """Whether an event is about messages of these queues alone."""
    if event.kind == "BACKOUT":
        names = {(event.qmgr, name) for name in event.detail}
        return bool(names) and names <= unknown
    return (event.qmgr, event.queue or "") in unknown


def period_since(lived: Lived, seq: int) -> Period:
    store = lived.store
    until = Moment(store.bound().seq, store.queue_manager("QM2").now(), "QM2")
    owners = owners_with_clock(store, "QM2")
    return Period(store, moment_of_event(store, seq), until, "QM2", owners)


def test_what_is_played_again_without_changes_is_what_happened(lived: Lived) -> None:
    """The same events, so the same fates, and the same depths."""
    store = lived.store
    now = look(store).depths
    for seq in [*lived.taken][:: len(lived.taken) // 4]:
        period = period_since(lived, seq)
        with copy_as_of(store, period.since) as past:
            named = {f"{name} of {owner}": (owner, name) for owner, name in now}
            blind = moved_blindly(store, seq + 1)
            unknown = {named[each] for each in past.unknown} | unrecorded(store, seq + 1) | blind
            known = now.keys() - unknown
            with closing(Trial(str(past.file), period, Changes((), None, None))) as trial:
                trial.play(period.calls())
                departures = trial.departures()
                assert {(each.event.qmgr, each.event.queue) for each in departures} <= blind, seq
                if departures:
                    # A program that is no longer followed leaves out more.
                    continue
                recorded = events(
                    store,
                    EventSelection(),
                    first=seq + 1,
                    last=period.until.seq,
                )
                assert told(trial.new_events(), unknown) == told(recorded, unknown), seq
                found = look(trial.copy).depths
                assert {key: found[key] for key in known} == {key: now[key] for key in known}, seq


@pytest.mark.parametrize("change", ["ALTER QLOCAL(BACK) DESCR('x')", "DEFINE QLOCAL(NEW)"])
def test_a_change_without_an_effect_changes_nothing(lived: Lived, change: str) -> None:
    seq = [*lived.taken][len(lived.taken) // 2]
    said: list[str] = []
    changes = Changes((change,), None, None)
    with compared(period_since(lived, seq), changes, said.append) as (found, _):
        assert [*found.rows()] == []
        if found.unknown_after is not None:
            (event,) = events(
                lived.store,
                EventSelection(),
                first=found.unknown_after,
                last=found.unknown_after,
            )
            assert (event.qmgr, event.queue) in moved_blindly(lived.store, seq)

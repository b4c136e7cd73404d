"""The screen of `mqsc top`: which queues it shows, in which order, and its lines as texts with
styles. It follows from samples of the load, and from what the user chose to see.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from mqsc.console.parameters import iso, span_text
from mqsc.console.tables import bar, cell_len, cut, padded
from mqsc.console.text.reasons import counted
from mqsc.store.admin.load import Load
from mqsc.store.constants import MQCHS
from mqsc.store.environment import MICROSECONDS
from mqsc.store.sql.statistics import QueueLoad
from mqsc.store.table import cells

_SPARKS = "▁▂▃▄▅▆▇█"


class Column(Struct, frozen=True):
    """A column after the name: its heading, its least width, whether it is set to the right, and
    the width of the screen from which it is shown.
    """

    word: str
    width: int
    right: bool
    narrowest: int


_COLUMNS = tuple(
    Column(word, int(width), bool(right), int(narrowest))
    for word, width, right, narrowest in cells(
        __file__,
        "top_columns.csv",
        ("column", "width", "right", "narrowest"),
        {"right": ("", "right")},
    )
)
# Columns for narrower screens are shown even if names are cut.
_MAY_BE_LEFT_OUT = 60
_LEAST_NAME = 8
_BETWEEN = "  "
ORDERS = ("traffic", "depth", "name")
# The kinds of events whose numbers are shown, with their words.
_COUNTED = {
    "TRIGGER": "triggers",
    "EXPIRE": "expired",
    "DEAD_LETTER": "dead-lettered",
    "BACKOUT": "backed out",
}

Fragment = tuple[str, str]


class Sample(Struct, frozen=True):
    """The load at a moment of the real clock, in seconds, and its queues by number."""

    seconds: float
    load: Load
    queues: dict[int, QueueLoad]

    @staticmethod
    def of(seconds: float, manager_load: Load) -> Sample:
        return Sample(seconds, manager_load, {each.id: each for each in manager_load.queues})


class View(Struct):
    """What the user chose to see, and the queue under the cursor. `kinds` counts events since
    the start.

    With `shows_system`, SYSTEM queues that hold messages or have traffic are shown, with
    `shows_empty` the others too.
    """

    shows_system: bool = False
    shows_empty: bool = False
    order: str = "traffic"
    selected: str = ""
    is_paused: bool = False
    kinds: dict[str, int] = {}


def rates(samples: Sequence[Sample]) -> dict[int, tuple[float, float]]:
    """Puts and gets per second of each queue that had any between the first and the last sample.

    After RESET QSTATS the counts begin anew: then they are what was counted since.
    """
    first, last = samples[0], samples[-1]
    span = max(last.seconds - first.seconds, 0.001)
    rate_of_queue = {}
    for queue in last.load.queues:
        before = first.queues.get(queue.id)
        puts, gets = (before.puts, before.gets) if before else (0, 0)
        if queue.puts != puts or queue.gets != gets:
            rate_of_queue[queue.id] = (
                _counted(puts, queue.puts) / span,
                _counted(gets, queue.gets) / span,
            )
    return rate_of_queue


def _counted(before: int, now: int) -> int:
    return now - before if now >= before else now


def ordered(samples: Sequence[Sample], view: View) -> list[QueueLoad]:
    """The queues to show, in the chosen order."""
    traffic = rates(samples)
    shown = [each for each in samples[-1].load.queues if _is_shown(each, traffic, view)]
    if view.order == "name":
        return sorted(shown, key=lambda each: each.name)
    if view.order == "depth":
        traffic = {}
    return sorted(shown, key=lambda each: (-sum(traffic.get(each.id, ())), -each.depth, each.name))


def _is_shown(
    queue: QueueLoad,
    traffic: Mapping[int, tuple[float, float]],
    view: View,
) -> bool:
    if not queue.name.startswith("SYSTEM."):
        return True
    is_used = bool(queue.depth) or queue.id in traffic
    return view.shows_system and (is_used or view.shows_empty)


def sparkline(values: Sequence[int]) -> str:
    """A bar for each value, one character wide; the greatest value has the highest bar."""
    most = max(values, default=0)
    return "".join(
        _SPARKS[each * (len(_SPARKS) - 1) // most] if most else _SPARKS[0] for each in values
    )


def summary(samples: Sequence[Sample], view: View, width: int, name: str) -> Iterator[str]:
    """Two lines about the queue manager as a whole."""
    latest, traffic = samples[-1].load, rates(samples)
    puts, gets = (sum(each[side] for each in traffic.values()) for side in (0, 1))
    channels = ", ".join(
        f"{count} {MQCHS(state).name.lower()}" for state, count in sorted(latest.channels.items())
    )
    kinds = (
        f"{view.kinds[kind]} {word}" for kind, word in _COUNTED.items() if view.kinds.get(kind)
    )
    first = (
        f"{name} {latest.state.lower()}",
        f"{iso(latest.now)[11:19]}Z{' (paused)' if view.is_paused else ''}",
        f"depth {sum(each.depth for each in latest.queues):,}",
        f"{puts:,.1f} puts/s",
        f"{gets:,.1f} gets/s",
        counted(latest.connections, "connection"),
    )
    second = (
        _dead_letter_depth(latest),
        f"channels: {channels or 'none active'}",
        ", ".join(kinds),
    )
    for parts in (first, second):
        yield cut("  ".join(filter(None, parts)), width)


def _dead_letter_depth(manager_load: Load) -> str:
    if not manager_load.dead_letter_queue:
        return "no dead-letter queue"
    depths = (
        queue.depth for queue in manager_load.queues if queue.name == manager_load.dead_letter_queue
    )
    return f"{next(depths, 0)} on the dead-letter queue"


def row_cells(
    queue: QueueLoad,
    samples: Sequence[Sample],
    traffic: tuple[float, float],
    oldest: int | None,
) -> dict[str, str]:
    """The cells of a queue, by column."""
    latest = samples[-1].load
    depths = (
        sample.queues[queue.id].depth if queue.id in sample.queues else 0 for sample in samples
    )
    return {
        "DEPTH": f"{queue.depth:,}",
        "FULL": bar(
            min(queue.depth / queue.max_depth, 1.0) if queue.max_depth else 0.0,
            with_blocks=True,
        ),
        "TREND": sparkline([*depths]),
        "PUT/S": f"{traffic[0]:,.1f}" if traffic[0] else "",
        "GET/S": f"{traffic[1]:,.1f}" if traffic[1] else "",
        "OLDEST": age_text(latest, oldest),
        "IN": str(queue.input_handles or ""),
        "OUT": str(queue.output_handles or ""),
        "UNCOM": str(latest.uncommitted.get(queue.id, "")),
        "T": "T" if queue.trigger_on else "",
    }


def age_text(manager_load: Load, put_at: int | None) -> str:
    """How long ago a message was put, in whole seconds; blank for none."""
    if put_at is None:
        return ""
    return span_text(max(manager_load.now - put_at, 0) // MICROSECONDS * MICROSECONDS)


def screen(
    name: str,
    samples: Sequence[Sample],
    view: View,
    shown: Sequence[QueueLoad],
    oldest: Mapping[int, int],
    width: int,
) -> Iterator[list[Fragment]]:
    """The lines of the screen for the queues that fit; `oldest` has the time at which the oldest
    message of each was put.
    """
    traffic = rates(samples)
    rows = [
        row_cells(queue, samples, traffic.get(queue.id, (0.0, 0.0)), oldest.get(queue.id))
        for queue in shown
    ]
    heading = f"QUEUE by {view.order}"
    longest = max(map(cell_len, (heading, *(queue.name for queue in shown))))
    widths = _widths(rows, longest, width)
    taken = sum(room + len(_BETWEEN) for room in widths.values())
    room = max(width - taken, _LEAST_NAME)
    for line in summary(samples, view, width, name):
        yield [("", line)]
    words = {column.word: column.word for column in _COLUMNS}
    yield [("reverse", cut(_line(heading, room, words, widths).ljust(width), width))]
    for queue, row in zip(shown, rows, strict=True):
        line = _line(queue.name, room, row, widths)
        style = ""
        if queue.name == view.selected:
            style = "bold reverse"
        elif queue.id in traffic:
            style = "bold"
        yield [(style, line[:width] if cell_len(line) > width else line)]


def _widths(rows: Sequence[Mapping[str, str]], name: int, screen_width: int) -> dict[str, int]:
    """The columns that are shown, each as wide as what is in it.

    While the longest name would be cut, columns are left out: first those without a value, then
    those for wide screens.
    """
    widths = {
        column.word: max(column.width, *(cell_len(row[column.word]) for row in rows), 0)
        for column in _COLUMNS
        if screen_width >= column.narrowest
    }
    narrowest = {column.word: column.narrowest for column in _COLUMNS}
    optional = sorted(
        (word for word in widths if word != "DEPTH"),
        key=lambda word: (any(row[word] for row in rows), -narrowest[word]),
    )
    for word in optional:
        room = screen_width - sum(width + len(_BETWEEN) for width in widths.values())
        is_blank = not any(row[word] for row in rows)
        if room >= name:
            break
        if is_blank or narrowest[word] > _MAY_BE_LEFT_OUT:
            del widths[word]
    return widths


def _line(name: str, room: int, pieces: Mapping[str, str], widths: Mapping[str, int]) -> str:
    right = {column.word for column in _COLUMNS if column.right}
    texts = (
        padded(cut(pieces[word], width), width, right=word in right)
        for word, width in widths.items()
    )
    return _BETWEEN.join((padded(cut(name, room), room), *texts))

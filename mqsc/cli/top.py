"""`mqsc top`: the queues of a queue manager on a full screen, those with the most traffic first.

Every half second the load is read in one transaction. What is shown follows from the samples of the
last ten seconds; `screen` says how, as lines with styles.
"""

from __future__ import annotations

import asyncio
import sys
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

import click
from msgspec import Struct

from mqsc.console.config import value
from mqsc.console.json_rows import print_rows
from mqsc.console.options import Choices, command
from mqsc.console.parameters import Span, iso, span_text
from mqsc.console.tables import Screen, bar, cell_len, cut, padded, table
from mqsc.console.target import opened_queue_manager, path_of_file
from mqsc.console.terminal import columns, is_screen, is_terminal, notice
from mqsc.console.text.reasons import counted, error_text
from mqsc.store.admin.load import Load, ages, load
from mqsc.store.constants import MQCHS
from mqsc.store.environment import MICROSECONDS, elapsed_real_seconds
from mqsc.store.error import MQError, StoreError
from mqsc.store.sql.statistics import QueueLoad
from mqsc.store.sqlite.untouched import is_unused, must_stay_as_it_is
from mqsc.store.table import cells

if TYPE_CHECKING:
    from prompt_toolkit.application import Application
    from prompt_toolkit.formatted_text import StyleAndTextTuples
    from prompt_toolkit.key_binding import KeyBindings

    from mqsc.store.client.queue_manager import QueueManager

# So many samples are kept: a sparkline has one character for each.
_SAMPLES = 20
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
_KEYS = "b browse  e explain trigger  c clear  s SYSTEM  o order  p pause  q quit"
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

    `system`: SYSTEM queues that hold messages or have traffic, with `empty` the others too.
    """

    system: bool = False
    empty: bool = False
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
    """The queues that are shown, in their order."""
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
    return view.system and (is_used or view.empty)


def sparkline(values: Sequence[int]) -> str:
    """A character for each value, the highest for the greatest."""
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
    """What is shown of a queue, by column."""
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
        "OLDEST": _age(latest, oldest),
        "IN": str(queue.input_handles or ""),
        "OUT": str(queue.output_handles or ""),
        "UNCOM": str(latest.uncommitted.get(queue.id, "")),
        "T": "T" if queue.trigger_on else "",
    }


def _age(manager_load: Load, put_at: int | None) -> str:
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
    """The lines for the queues that fit, of which `oldest` says when the oldest message was put."""
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


class Top:
    """The samples, the view and the application that shows them."""

    def __init__(self, qmgr: QueueManager, interval: float, *, everything: bool = False) -> None:
        self.view = View(system=everything or not value("hide_system"), empty=everything)
        self._qmgr = qmgr
        self._interval = interval
        self._samples: deque[Sample] = deque(maxlen=_SAMPLES)
        self._order: list[QueueLoad] = []
        self.sample()

    def sample(self) -> None:
        """Read the load."""
        last = self._samples[-1].load.last if self._samples else None
        current = load(self._qmgr, last)
        for (kind, _), number in current.kinds.items():
            self.view.kinds[kind] = self.view.kinds.get(kind, 0) + number
        self._samples.append(Sample.of(elapsed_real_seconds(), current))

    def run(self) -> tuple[str, str] | None:
        """Show the screen until the user leaves it, or wants to see something: what, and of
        which queue.
        """
        from prompt_toolkit.application import Application
        from prompt_toolkit.layout import FormattedTextControl, Layout, Window
        from prompt_toolkit.output import ColorDepth

        application: Application[tuple[str, str] | None] = Application(
            layout=Layout(Window(FormattedTextControl(self._fragments, show_cursor=False))),
            key_bindings=self._keys(),
            full_screen=True,
            color_depth=None if value("colours") else ColorDepth.DEPTH_1_BIT,
        )
        self._application = application

        def begin() -> None:
            application.create_background_task(self._refresh())

        return application.run(pre_run=begin)

    async def _refresh(self) -> None:
        while True:
            await asyncio.sleep(self._interval)
            if self.view.is_paused:
                continue
            try:
                self.sample()
            except (MQError, StoreError) as error:
                # The queue manager or the store is gone; nobody waits for this task, so the screen
                # ends with the error.
                self._application.exit(exception=error)
                return
            self._application.invalidate()

    def _fragments(self) -> StyleAndTextTuples:
        size = self._application.output.get_size()
        room = max(size.rows - 4, 1)
        self._order = ordered(self._samples, self.view)
        names = [each.name for each in self._order]
        if self.view.selected not in names:
            self.view.selected = names[0] if names else ""
        at = names.index(self.view.selected) if names else 0
        first = max(at - room + 1, 0)
        shown = self._order[first : first + room]
        oldest = ages(self._qmgr, [each.id for each in shown if each.depth])
        lines = [*screen(self._qmgr.name, self._samples, self.view, shown, oldest, size.columns)]
        lines += [[("", "")]] * (size.rows - 1 - len(lines))
        return [
            *(each for line in lines for each in (*line, ("", "\n"))),
            ("reverse", cut(_KEYS, size.columns)),
        ]

    def _keys(self) -> KeyBindings:
        from prompt_toolkit.key_binding import KeyBindings

        bindings = KeyBindings()
        steps = {
            "up": -1,
            "k": -1,
            "down": 1,
            "j": 1,
            "pageup": -20,
            "pagedown": 20,
            "home": -(2**31),
            "end": 2**31,
        }
        for key, step in steps.items():
            bindings.add(key)(lambda event, step=step: self._move(step))
        for key in ("q", "escape", "c-c", "c-d"):
            bindings.add(key)(lambda event: event.app.exit(result=None))
        for key, what in (("b", "browse"), ("enter", "browse"), ("e", "explain"), ("c", "clear")):
            bindings.add(key)(
                lambda event, what=what: event.app.exit(result=(what, self.view.selected)),
            )
        for key, change in (
            ("s", self._switch_system),
            ("o", self._next_order),
            ("p", self._pause),
        ):
            bindings.add(key)(lambda event, change=change: change())
        return bindings

    def _move(self, step: int) -> None:
        names = [each.name for each in self._order]
        if names:
            at = names.index(self.view.selected) if self.view.selected in names else 0
            self.view.selected = names[min(max(at + step, 0), len(names) - 1)]

    def _switch_system(self) -> None:
        """From no SYSTEM queues to those in use, to all, to none."""
        is_all = self.view.system and self.view.empty
        self.view.empty = self.view.system and not is_all
        self.view.system = not is_all

    def _next_order(self) -> None:
        self.view.order = ORDERS[(ORDERS.index(self.view.order) + 1) % len(ORDERS)]

    def _pause(self) -> None:
        self.view.is_paused = not self.view.is_paused


@command()
@click.option("--every", type=Span(), default="500ms", help="How often to look (default: 500ms).")
@click.option(
    "--once",
    is_flag=True,
    help="Print the queues once, as a table or with --format as JSON.",
)
@click.option("--all", "everything", is_flag=True, help="Show empty SYSTEM queues, too.")
def top(choices: Choices, every: int, once: bool, everything: bool) -> None:
    """Show all local queues on a full screen: depth, puts and gets per second, oldest message,
    handles, uncommitted messages, and whether triggering is on; those with the most traffic first.

    Keys: arrows choose a queue, b browses it, e explains its triggering, c clears it after a
    question, s shows SYSTEM queues in use, all of them, or none, o changes the order, p pauses, q
    and Esc leave. Without a terminal, and for a backup, prints the queues once.
    """
    has_screen = is_terminal(sys.stdin) and is_screen(sys.stdout)
    prints = once or bool(choices.format) or not has_screen or _is_backup(path_of_file(choices))
    # What is watched must be the store itself.
    with opened_queue_manager(choices._replace(only_reads=prints)) as qmgr:
        if prints:
            _print_once(qmgr, choices, everything=everything)
            return
        interval = max(every, MICROSECONDS // 10) / MICROSECONDS
        shown = Top(qmgr, interval, everything=everything)
        while (wanted := shown.run()) is not None:
            _follow(*wanted)


def _is_backup(path: str) -> bool:
    """Whether nothing changes in the file, because no program uses it as a store."""
    return must_stay_as_it_is(path) and is_unused(path)


# What the keys run, with the name of the queue: commands of the command line.
_FOLLOWED: Mapping[str, Callable[[str], list[str]]] = {
    "browse": lambda name: ["browse", name, "--limit", "100"],
    "explain": lambda name: ["trigger", "explain", name],
    "clear": lambda name: ["run", "--quiet", "--yes", "-c", f"CLEAR QLOCAL('{name}')"],
}


def _follow(what: str, name: str) -> None:
    """Run a command on a queue, and wait until the user has read its output. Ctrl-C ends this
    only.
    """
    root = click.get_current_context().find_root()
    with suppress(click.Abort, KeyboardInterrupt, EOFError):
        if not name or (what == "clear" and not click.confirm(f"Remove all messages of {name}?")):
            return
        _invoke(root, what, name)
        _wait_for_key()


_RETURNING = frozenset({"\r", "\n", "\x1b", "q", "Q"})


def _wait_for_key() -> None:
    """Wait until Enter, Esc or q is pressed."""
    click.echo("Enter, Esc or q returns ", nl=False)
    while not _is_returning(click.getchar()):
        pass
    click.echo()


def _is_returning(keys: str) -> bool:
    """Whether what was read from the terminal begins with such a key.

    Several keys may be read at once; an arrow key is an Esc and two more characters.
    """
    return keys in _RETURNING or (keys[:1] in _RETURNING and not keys.startswith("\x1b"))


def _invoke(root: click.Context, what: str, name: str) -> None:
    assert isinstance(root.command, click.Group)
    try:
        with root.command.make_context(
            "mqsc",
            _FOLLOWED[what](name),
            terminal_width=root.terminal_width,
        ) as context:
            context.obj = root.obj
            root.command.invoke(context)
    except click.ClickException as error:
        error.show()
    except (MQError, StoreError) as error:
        notice(f"mqsc: {error_text(error) if isinstance(error, MQError) else error}")
    except click.exceptions.Exit:
        # The command has said what failed.
        pass


def _print_once(qmgr: QueueManager, choices: Choices, *, everything: bool) -> None:
    present_load = load(qmgr)
    is_system_shown = everything or not value("hide_system")
    view = View(system=is_system_shown, empty=everything, order="depth")
    queues = ordered([Sample.of(0.0, present_load)], view)
    oldest = ages(qmgr, [each.id for each in queues if each.depth])
    rows = [
        {
            "QUEUE": each.name,
            "DEPTH": each.depth,
            "MAXDEPTH": each.max_depth,
            "OLDEST": iso(oldest[each.id]) if each.id in oldest else "",
            "IN": each.input_handles,
            "OUT": each.output_handles,
            "UNCOM": present_load.uncommitted.get(each.id, 0),
            "TRIGGER": "YES" if each.trigger_on else "NO",
        }
        for each in queues
    ]
    as_json = ({word.lower(): cell for word, cell in row.items()} for row in rows)
    shown = [
        {**row, "OLDEST": _age(present_load, oldest.get(each.id))}
        for each, row in zip(queues, rows, strict=True)
    ]
    print_rows(choices.format, as_json, table(shown, Screen(columns())))

"""`mqsc top`: the queues of a queue manager on a full screen, those with the most traffic first.

Every half second the load is read in one transaction. `top_screen` says how the samples of the last
ten seconds are shown.
"""

from __future__ import annotations

import asyncio
import sys
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

import click

from mqsc.cli.top_screen import ORDERS, Sample, View, age_text, ordered, screen
from mqsc.console.config import value
from mqsc.console.json_rows import print_rows
from mqsc.console.options import Choices, command
from mqsc.console.parameters import Span, iso
from mqsc.console.tables import Screen, cut, table
from mqsc.console.target import opened_queue_manager, path_of_file
from mqsc.console.terminal import columns, is_screen, is_terminal, notice
from mqsc.console.text.reasons import error_text
from mqsc.store.admin.load import ages, load
from mqsc.store.environment import MICROSECONDS, elapsed_real_seconds
from mqsc.store.error import MQError, StoreError
from mqsc.store.sql.statistics import QueueLoad
from mqsc.store.sqlite.untouched import is_unused, must_stay_as_it_is

if TYPE_CHECKING:
    from prompt_toolkit.application import Application
    from prompt_toolkit.formatted_text import StyleAndTextTuples
    from prompt_toolkit.key_binding import KeyBindings

    from mqsc.store.client.queue_manager import QueueManager

# So many samples are kept: a sparkline has one character for each.
_SAMPLES = 20
_KEYS = "b browse  e explain trigger  c clear  s SYSTEM  o order  p pause  q quit"


class Top:
    """The samples, the view and the application that shows them."""

    def __init__(self, qmgr: QueueManager, interval: float, *, everything: bool = False) -> None:
        self.view = View(
            shows_system=everything or not value("hide_system"), shows_empty=everything
        )
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
        """Show the screen until the user leaves it, or presses the key of a command: which command,
        and the queue for it.
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
        is_all = self.view.shows_system and self.view.shows_empty
        self.view.shows_empty = self.view.shows_system and not is_all
        self.view.shows_system = not is_all

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
    # A screen watches the store itself, not a copy.
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
    view = View(shows_system=is_system_shown, shows_empty=everything, order="depth")
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
        {**row, "OLDEST": age_text(present_load, oldest.get(each.id))}
        for each, row in zip(queues, rows, strict=True)
    ]
    print_rows(choices.format, as_json, table(shown, Screen(columns())))

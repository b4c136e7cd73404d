"""The options common to all commands, and the command group that imports a command only when it is called."""

from __future__ import annotations

import gc
import os
import shlex
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from mqsc.console.terminal import is_terminal, notice

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

FORMATS = ("text", "json", "jsonl")
Decorated = TypeVar("Decorated", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Choices:
    """The values of the common options; None for an option that was not given."""

    store: str | None = None
    qmgr: str | None = None
    format: str | None = None
    quiet: bool | None = None

    def store_url(self) -> str:
        """The URL of the store: --store, else MQSC_STORE, else `default_store`."""
        chosen = self.store or os.environ.get("MQSC_STORE") or default_store()
        return chosen if "://" in chosen else f"sqlite:///{chosen}"

    def names_store(self) -> bool:
        """Whether a store was named, with --store or MQSC_STORE."""
        return bool(self.store or os.environ.get("MQSC_STORE"))

    def store_is_missing(self) -> bool:
        """Whether the store is in a file that does not exist."""
        url = self.store_url()
        path = url.removeprefix("sqlite:///")
        return path != url and not Path(path).expanduser().exists()

    def qmgr_name(self) -> str | None:
        """The queue manager named by --qmgr or MQSC_QMGR; None means the store's default."""
        return self.qmgr or os.environ.get("MQSC_QMGR") or None

    def inform(self, sentence: str) -> None:
        """Print an informational message on stderr, unless --quiet was given."""
        if not self.quiet:
            notice(sentence)


def default_store() -> str:
    """The path of the default store in the user's data folder, which is created readable by the user only."""
    from platformdirs import user_data_path

    folder = user_data_path("mqsc", appauthor=False)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return str(folder / "mqsc.db")


def _remember(context: click.Context, parameter: click.Parameter, value: Any) -> None:
    if value is not None:
        chosen = context.ensure_object(Choices)
        context.obj = replace(chosen, **{str(parameter.name): value})


_OPTIONS: Mapping[str, tuple[tuple[str, ...], Mapping[str, Any]]] = {
    "store": (("--store",), {"metavar": "URL", "help": "The store: sqlite:///PATH (environment: MQSC_STORE)."}),
    "qmgr": (
        ("-m", "--qmgr"),
        {"metavar": "NAME", "help": "The queue manager (default: the store's; environment: MQSC_QMGR)."},
    ),
    "format": (
        ("--format",),
        {"type": click.Choice(FORMATS), "help": "Output format (default: text)."},
    ),
    "quiet": (("--quiet",), {"is_flag": True, "help": "Print only problems, and data that was asked for."}),
}


def common_options(decorated: Decorated) -> Decorated:
    """Add --store, --qmgr, --format and --quiet; their values are in the context's `obj`, a Choices."""
    return _with(_OPTIONS, decorated)


def options_without_format(decorated: Decorated) -> Decorated:
    """The same without --format, for a command with its own; the common one still works before the command's name."""
    return _with([name for name in _OPTIONS if name != "format"], decorated)


def long_options(*names: str) -> Callable[[Decorated], Decorated]:
    """Add the named common options in their -- form only, for a command whose single-letter options are IBM's."""

    def add(decorated: Decorated) -> Decorated:
        return _with(names, decorated, only="--")

    return add


def _with(names: Iterable[str], decorated: Decorated, *, only: str = "-") -> Decorated:
    for name in reversed([*names]):
        words, settings = _OPTIONS[name]
        shown = [word for word in words if word.startswith(only)]
        decorated = click.option(*shown, expose_value=False, callback=_remember, default=None, **settings)(decorated)
    return decorated


class LazyGroup(click.Group):
    """A group whose commands are rows, name → (module, attribute, short help); modules are imported on demand."""

    def __init__(self, *arguments: Any, rows: Mapping[str, tuple[str, str, str]], **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self.rows = rows

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.rows)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.rows:
            return None
        module, attribute, _ = self.rows[cmd_name]
        # Nothing that an import makes is garbage: looking for some takes a tenth of the start.
        was_enabled = gc.isenabled()
        gc.disable()
        try:
            command: click.Command = getattr(import_module(module), attribute)
        finally:
            if was_enabled:
                gc.enable()
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Resolve a command; for an unknown one, suggest the closest name, or how to run MQSC."""
        if args[0] not in self.rows and not args[0].startswith("-") and not ctx.resilient_parsing:
            raise click.UsageError(f"No such command '{args[0]}'{self._suggestion(args, ctx.parent is None)}", ctx)
        return super().resolve_command(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Complete the names of commands without importing any."""
        from click.shell_completion import CompletionItem

        names = [CompletionItem(name, help=about) for name, (_, _, about) in self.rows.items()]
        options = click.Command.shell_complete(self, ctx, incomplete)
        return [*(each for each in names if each.value.startswith(incomplete)), *options]

    def _suggestion(self, args: list[str], outermost: bool) -> str:
        from mqsc.language.command_table import verb_of

        if outermost and verb_of(args[0].upper()):
            return f"; to run MQSC, use `mqsc run -c {shlex.quote(' '.join(args))}`."
        near = get_close_matches(args[0].lower(), self.rows, n=1)
        return f"; did you mean {near[0]}?" if near else "."

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands in the help without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, about) for name, (_, _, about) in self.rows.items()])


def files_to_complete(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """For `shell_complete` of a parameter: the shell completes file names itself."""
    from click.shell_completion import CompletionItem

    return [CompletionItem(incomplete, type="file")]


def choices_of(context: click.Context) -> Choices:
    """The values of the common options given so far."""
    return context.ensure_object(Choices)


def confirm(sentence: str) -> None:
    """Print on stdout that the current command did something, unless --quiet was given."""
    if not choices_of(click.get_current_context()).quiet:
        click.echo(sentence)


def wants_colour() -> bool:
    """Whether to use colour on stderr: only on a terminal, and not if NO_COLOR is set."""
    return is_terminal(sys.stderr) and not os.environ.get("NO_COLOR")

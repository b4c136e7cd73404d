"""The options common to all commands, and the command group that imports a command only when it
is called.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import wraps
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.shell_completion import CompletionItem

from mqsc.console.choices import Choices as Choices, choices_of as choices_of
from mqsc.console.decorators import Decorated, combined
from mqsc.console.object_names import INNERMOST, QMGR, USER, GivenName, ObjectName, remember_name
from mqsc.console.refused_on import ON, not_elsewhere
from mqsc.console.terminal import is_terminal, notice, print_line

if TYPE_CHECKING:
    from mqsc.console.past import When


# The width of help that is not printed on a terminal.
PIPE_WIDTH = 78
FORMATS = ("text", "json", "jsonl", "csv")
CommandType = TypeVar("CommandType", bound=click.Command)


def _remember(context: click.Context, parameter: click.Parameter, given_value: Any) -> None:
    context.meta[INNERMOST] = context
    if parameter.name == QMGR and given_value is None:
        named = choices_of(context).qmgr_name()
        if named is not None:
            # The name may be that of the environment variable.
            remember_name(GivenName(named, QMGR, context))
    if given_value is not None:
        chosen = context.ensure_object(Choices)
        context.obj = chosen._replace(**{str(parameter.name): given_value})


_OF_QMGR = "The queue manager (default: the store's; environment: MQSC_QMGR)."
_OPTIONS: Mapping[str, tuple[tuple[str, ...], Mapping[str, Any]]] = {
    "store": (
        ("--store",),
        {"metavar": "URL", "help": "The store: sqlite:///PATH (environment: MQSC_STORE)."},
    ),
    "qmgr": (("-m", "--qmgr"), {"type": ObjectName(QMGR), "metavar": "NAME", "help": _OF_QMGR}),
    "format": (
        ("--format",),
        {"type": click.Choice(FORMATS), "help": "Output format (default: text)."},
    ),
    "quiet": (
        ("--quiet",),
        {"is_flag": True, "help": "Print only problems, and data that was asked for."},
    ),
    "user": (
        ("--user",),
        {
            "type": ObjectName(USER),
            "metavar": "NAME",
            "help": "Act as this user (environment: MQSC_USER).",
        },
    ),
}
# Those of every command; --user is one of the whole command line, and of commands that others than
# administrators use.
_EVERYWHERE = ("store", "qmgr", "format", "quiet")
AS_USER = (*_EVERYWHERE, "user")
WITHOUT_FORMAT = ("store", "qmgr", "quiet")


def command(
    name: str | None = None,
    *,
    common: Sequence[str] = _EVERYWHERE,
    cls: type[click.Command] = click.Command,
    past: bool = False,
    reads: bool = False,
    **settings: Any,
) -> Callable[[Callable[..., int | None]], click.Command]:
    """A command with the common options, or those named; --format without it still works before the
    command's name.

    Its options and arguments are those of the decorators below, before the common ones. With `past`
    it also has --as-of, before its own, and gets the store as it was. A command that only `reads`
    leaves a backup, or a store that cannot be written, as it is. The function is called with the
    values of the common options, a Choices, before its own; it may return an exit code.
    """

    def make_command(function: Callable[..., int | None]) -> click.Command:
        run_function = _in_the_past(function) if past else function
        if not _takes_on(function):
            run_function = not_elsewhere(run_function)

        @wraps(run_function)
        def run(**values: Any) -> None:
            context = click.get_current_context()
            choices = choices_of(context)
            code = run_function(choices._replace(only_reads=reads), **values)
            if code:
                context.exit(code)

        return _with_options(click.command(name, cls, **settings)(run), common)

    return make_command


def _takes_on(function: Callable[..., Any]) -> bool:
    """Whether the function has the option --on, of `mqsc.targets.on_target`."""
    parameters = getattr(function, "__click_params__", ())
    return any(ON in parameter.opts for parameter in parameters)


def _in_the_past(function: Callable[..., int | None]) -> Callable[..., int | None]:
    """The function with --as-of, which then gets the choices with the store as it was."""
    from mqsc.console.shared_options import past_options

    @past_options
    @wraps(function)
    def perform_in_the_past(
        choices: Choices,
        as_of: When | None,
        as_of_archive: str | None,
        **values: Any,
    ) -> int | None:
        if as_of_archive is not None:
            from mqsc.console.past import check_archive

            check_archive(as_of, as_of_archive)
        if as_of is None:
            return function(choices, **values)
        if values.get("on") is not None or values.get("from_file") is not None:
            raise click.UsageError("--as-of is for the past of this store; leave it or --on out")
        from mqsc.console.past import as_of as as_of_then

        # A command that can be asked for kept data has none otherwise.
        kept = values.get("kept_data", True)
        with as_of_then(choices, as_of, as_of_archive, with_kept=kept) as past_choices:
            return function(past_choices, **values)

    return perform_in_the_past


def _with_options(click_command: CommandType, names: Iterable[str]) -> CommandType:
    for decorator in _common(names):
        decorator(click_command)
    return click_command


def long_options(*names: str) -> Callable[[Decorated], Decorated]:
    """Add the named common options in their -- form only, for a command whose single-letter
    options are IBM's.
    """
    return combined(*_common(names, "--"))


def format_option(*more: str) -> Callable[[Decorated], Decorated]:
    """The option --format of a command that has more formats than others; for one with
    WITHOUT_FORMAT.
    """
    words, settings = _OPTIONS["format"]
    choice = {**settings, "type": click.Choice((*FORMATS, *more))}
    return click.option(
        *words,
        expose_value=False,
        is_eager=True,
        callback=_remember,
        default=None,
        **choice,
    )


class EarlierWord(click.Option):
    """An earlier word for an option of the same command. It still works, a line on stderr says the
    word of today, and no help, manual or completion has it.
    """

    def __init__(self, words: Sequence[str], *, now: str, **settings: Any) -> None:
        # Before the others, because it hands its value over to one of them.
        super().__init__(words, hidden=True, expose_value=False, is_eager=True, **settings)
        self._now = now

    def add_to_parser(self, parser: Any, ctx: click.Context) -> None:
        """Read the word as the option that has replaced it is read."""
        meant = self._meant(ctx)
        self.nargs, self.multiple = meant.nargs, meant.multiple
        self.is_flag, self.flag_value = meant.is_flag, meant.flag_value
        super().add_to_parser(parser, ctx)

    def handle_parse_result(
        self,
        ctx: click.Context,
        opts: Mapping[str, Any],
        args: list[str],
    ) -> tuple[Any, list[str]]:
        """Give the value to the option that has replaced the word, and say on stderr which."""
        if self.name in opts and isinstance(opts, dict):
            earlier, meant = opts.pop(self.name), self._meant(ctx)
            # With both words, the values of an option that can be repeated are joined.
            is_joined = meant.multiple and meant.name in opts
            opts[meant.name] = [*earlier, *opts[meant.name]] if is_joined else earlier
            say_word_of_today(self.opts[0], self._now)
        return None, args

    def _meant(self, ctx: click.Context) -> click.Option:
        options = (each for each in ctx.command.params if isinstance(each, click.Option))
        return next(each for each in options if self._now in each.opts)


def say_word_of_today(earlier: str, now: str) -> None:
    """Say on stderr which word has replaced an earlier one, and until when that works."""
    notice(f"mqsc: {earlier} is {now} now; version 2 will not know {earlier}")


def earlier_word(
    word: str,
    *,
    now: str,
    is_flag: bool = False,
) -> Callable[[Decorated], Decorated]:
    """Let a command take an earlier word for its option `now`."""
    return click.option(word, cls=EarlierWord, now=now, is_flag=is_flag)


def _common(names: Iterable[str], only: str = "-") -> Iterator[Callable[..., Any]]:
    """The decorators of the named common options."""
    for name in names:
        words, settings = _OPTIONS[name]
        shown = [word for word in words if word.startswith(only)]
        yield click.option(
            *shown,
            expose_value=False,
            is_eager=True,
            callback=_remember,
            default=None,
            **settings,
        )


# --store, --qmgr, --format and --quiet, whose values are in the context's `obj`, a Choices. They
# are read before all others, because names of objects are looked up there.
common_options = combined(*_common(_OPTIONS))
# The key in the `meta` of contexts that says whether help will be printed, and so examples are
# needed.
HELP_IS_WANTED = "mqsc.help"
HELP_OPTIONS = ("-h", "--help")
# The key in the `meta` of contexts that says whether the interactive shell runs the command.
IN_SHELL = "mqsc.in_shell"


def _add_examples(click_command: click.Command, context: click.Context, name: str) -> None:
    from mqsc.console.help import example_lines

    path = f"{context.command_path} {name}".split(" ", 1)[1]
    # Help indents them.
    lines = [*example_lines(path, (context.terminal_width or PIPE_WIDTH) - 2)]
    # \b keeps the lines as they are.
    click_command.epilog = "\n".join(("\b", "Examples:", *lines)) if lines else click_command.epilog


class LazyGroup(click.Group):
    """A group whose commands are rows, name → (module, attribute, short help); modules are
    imported on demand.
    """

    def __init__(
        self,
        *arguments: Any,
        rows: Mapping[str, tuple[str, ...]],
        **settings: Any,
    ) -> None:
        super().__init__(*arguments, **settings)
        self.rows = rows

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.rows)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.rows:
            return None
        module, function, *_, help = self.rows[cmd_name]
        click_command: click.Command = (
            getattr(import_module(module), function) if module else _group(cmd_name, help)
        )
        if ctx.meta.get(HELP_IS_WANTED):
            _add_examples(click_command, ctx, cmd_name)
        return click_command

    def resolve_command(
        self,
        ctx: click.Context,
        args: list[str],
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Resolve a command; for an unknown one, suggest the closest name, or how to run MQSC."""
        if args[0] not in self.rows and not args[0].startswith("-") and not ctx.resilient_parsing:
            raise click.UsageError(f"No such command '{args[0]}'{self._suggestion(ctx, args)}", ctx)
        return super().resolve_command(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Complete the names of commands without importing any."""
        names = [CompletionItem(name, help=about) for name, (_, _, about, *_) in self.rows.items()]
        options = click.Command.shell_complete(self, ctx, incomplete)
        return [*(each for each in names if each.value.startswith(incomplete)), *options]

    def _suggestion(self, context: click.Context, args: list[str]) -> str:
        if context.parent is None:
            from mqsc.console.likely_commands import likely_command

            likely = likely_command(args, choices_of(context), self.rows)
            return f"; {likely}" if likely else "."
        from mqsc.store.catalog.spelling import corrections, did_you_mean

        near = did_you_mean(corrections(args[0], self.rows)[:1])
        return f"; {near}" if near else f"; there is {', '.join(self.rows)}."

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands in the help without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, about) for name, (_, _, about, *_) in self.rows.items()])


class CommandOrGroup(LazyGroup):
    """A command with arguments of its own, and a group if the first of them is the name of one
    of its commands.
    """

    allow_interspersed_args = True

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        super().__init__(*arguments, invoke_without_command=True, subcommand_metavar="", **settings)

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: Any,
    ) -> click.Context:
        """The context of the command, or of the one that the first argument names."""
        if args[:1] and args[0] in self.rows:
            subcommand = self.get_command(click.Context(self, parent, info_name), args[0])
            assert subcommand is not None
            # Without the arguments of the command itself in the usage.
            return subcommand.make_context(f"{info_name} {args[0]}", args[1:], parent, **extra)
        return super().make_context(info_name, args, parent, **extra)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the arguments as those of a command."""
        return click.Command.parse_args(self, ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command itself."""
        return click.Command.invoke(self, ctx)


def _group(name: str, help: str) -> LazyGroup:
    """A group of the command line that only has commands."""
    from mqsc.console.commands import commands_in

    return _with_options(LazyGroup(name, rows=commands_in(name), help=help), _EVERYWHERE)


def confirm(sentence: str) -> None:
    """Print on stdout that the current command did something, unless --quiet was given."""
    if not choices_of(click.get_current_context()).quiet:
        for line in sentence.split("\n"):
            print_line(line)


def wants_colour() -> bool:
    """Whether to use colour on stderr: only on a terminal, and not if NO_COLOR or the settings
    forbid it.
    """
    if not is_terminal(sys.stderr):
        return False
    from mqsc.console.config import value

    return bool(value("colours"))

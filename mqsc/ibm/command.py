"""A command that takes IBM's own arguments, and beside them the long options that every command of `mqsc` has."""

from __future__ import annotations

from collections.abc import Sequence

import click


class NamedCommand(click.Command):
    """Its own arguments are in the context's `args`, as given: no option with one hyphen is read here."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the options with two hyphens; everything else is left to the command."""
        long, own = _separated(args, self._words_with_value(ctx))
        super().parse_args(ctx, long)
        ctx.args = own
        return own

    def _words_with_value(self, context: click.Context) -> frozenset[str]:
        options = (each for each in self.get_params(context) if isinstance(each, click.Option) and not each.is_flag)
        return frozenset(word for option in options for word in option.opts)


def _separated(arguments: Sequence[str], with_value: frozenset[str]) -> tuple[list[str], list[str]]:
    rest, long, own = list(arguments), list[str](), list[str]()
    while rest:
        word = rest.pop(0)
        if not word.startswith("--"):
            own.append(word)
            continue
        long.append(word)
        if word in with_value and rest:
            long.append(rest.pop(0))
    return long, own

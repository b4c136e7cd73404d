"""Arguments whose order counts: files and the texts given with -c among them."""

from __future__ import annotations

import re
from collections.abc import Sequence

import click

from mqsc.console.inputs import Source, named_by

# No argument can hold a NUL, so a text given with -c can travel among the file names and keep its place.
TEXT_MARK = "\0"
_FLAGS_WITH_TEXT = re.compile("-([ev]*)c(.*)", re.DOTALL)


class InOrder(click.Command):
    """A command whose -c texts and FILE arguments keep the order in which they were given."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Turn every `-c TEXT` into an argument of its own before the options are read."""
        return super().parse_args(ctx, _texts_marked(args, self._words_with_value(ctx)))

    def _words_with_value(self, context: click.Context) -> frozenset[str]:
        return frozenset(
            word
            for option in self.get_params(context)
            if isinstance(option, click.Option) and not option.is_flag
            for word in option.opts
        )


def sources_of(given: Sequence[str]) -> list[Source]:
    """The inputs that the arguments of such a command name, in their order."""
    return [source for each in given for source in _sources(each)]


def _sources(given: str) -> list[Source]:
    return [Source(text=given[len(TEXT_MARK) :])] if given.startswith(TEXT_MARK) else named_by(given)


def _texts_marked(arguments: Sequence[str], with_value: frozenset[str]) -> list[str]:
    """`arguments` with each -c and --command, and its value, replaced by one marked argument."""
    rest, marked = list(arguments), list[str]()
    while rest:
        word = rest.pop(0)
        name, equals, value = word.partition("=")
        if word == "--":
            return [*marked, word, *rest]
        if word == "--command" and rest:
            marked.append(TEXT_MARK + rest.pop(0))
        elif name == "--command" and equals:
            marked.append(TEXT_MARK + value)
        elif (flags := _FLAGS_WITH_TEXT.fullmatch(word)) and (flags[2] or rest):
            marked += [*(f"-{flag}" for flag in flags[1]), TEXT_MARK + (flags[2] or rest.pop(0))]
        elif word in with_value and rest:
            marked += [word, rest.pop(0)]
        else:
            marked.append(word)
    return marked

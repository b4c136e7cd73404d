"""Arguments whose order matters: files mixed with -c texts."""

from __future__ import annotations

import re
from collections.abc import Sequence

import click

from mqsc.console.inputs import InputSource, named_by

# No argument can contain NUL, so a -c text that is marked with it cannot be confused with a file name.
TEXT_MARK = "\0"
_FLAGS_WITH_TEXT = re.compile("-([ev]*)c(.*)", re.DOTALL)


class InOrder(click.Command):
    """A command that keeps the order of its -c texts and FILE arguments."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Turn each `-c TEXT` into a marked argument before click reads the options."""
        return super().parse_args(ctx, _texts_marked(args, self._words_with_value(ctx)))

    def _words_with_value(self, context: click.Context) -> frozenset[str]:
        return frozenset(
            word
            for option in self.get_params(context)
            if isinstance(option, click.Option) and not option.is_flag
            for word in option.opts
        )


def sources_of(given: Sequence[str]) -> list[InputSource]:
    """The inputs that the arguments of an InOrder command name, in order."""
    return [source for each in given for source in _sources(each)]


def _sources(given: str) -> list[InputSource]:
    return [InputSource(text=given[len(TEXT_MARK) :])] if given.startswith(TEXT_MARK) else named_by(given)


def _texts_marked(arguments: Sequence[str], with_value: frozenset[str]) -> list[str]:
    """`arguments` with each -c or --command and its value replaced by one marked argument."""
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

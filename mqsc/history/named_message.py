"""The message that a command about the history names: the first digits of its MsgId."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from typing import Any

import click

from mqsc.console.options import Choices
from mqsc.console.target import CommandFailedError, NothingRunError
from store.admin.message_trace import ID_LENGTH, matching_ids
from store.engine.state import StoreState

# How many candidates an ambiguous identifier lists.
MOST_LISTED = 10
# Also as other programs print it: X'414D51', 0x414d51, ID:414d51 (JMS), in quotes or brackets, before a comma.
_DIGITS = re.compile(r"(?:ID:|0X|X)?['\"<{(]?([0-9A-F]+)['\">})]?[,;]?")


class MsgIdPrefix(click.ParamType):  # type: ignore[type-arg]
    """The first hexadecimal digits of a MsgId, in upper case without blanks."""

    name = "hex"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        found = _DIGITS.fullmatch("".join(str(value).split()).upper())
        if found is None:
            self.fail(f"{value!r} is not hexadecimal; use digits 0-9 A-F, as `mqsc browse` prints them", param, ctx)
        digits = found[1]
        if len(digits) > 2 * ID_LENGTH:
            self.fail(f"a MsgId has at most 48 digits (24 bytes), not {len(digits)}", param, ctx)
        return digits


def inform_about_index(choices: Choices) -> None:
    """Explain why a look-up takes seconds."""
    choices.inform("mqsc: indexing the history; the next look-up will be fast")


def the_id(stores: Sequence[StoreState], asked: str, choices: Choices) -> bytes:
    """The only MsgId in the histories that begins with these digits.

    CommandFailedError if there is none, NothingRunError with the candidates if there are several.
    """
    candidates = matching_ids(stores, asked, MOST_LISTED + 1, inform=partial(inform_about_index, choices))
    if not candidates:
        begins = "is" if len(asked) == 2 * ID_LENGTH else "begins with"
        raise CommandFailedError(
            f"no message here, and none in the history, has a MsgId that {begins} {asked}; with ACCTQ(OFF), the "
            "history has no puts and gets"
        )
    if len(candidates) == 1:
        return candidates[0]
    number = f"more than {MOST_LISTED}" if len(candidates) > MOST_LISTED else f"{len(candidates)}"
    listed = "".join(f"\n  {each.hex().upper()}" for each in candidates[:MOST_LISTED])
    raise NothingRunError(f"{number} MsgIds begin with {asked}; write more digits:{listed}")

"""`mqrc`: the name of a code, the code of a name, as IBM's command tells them."""

from __future__ import annotations

import sys
from typing import NoReturn

import click

from mqsc.resolve import Failed


@click.command()
@click.argument("code", required=False, metavar="CODE|NAME|MESSAGE")
@click.option("-a", "every", is_flag=True, help="Look in every family of codes.")
@click.option("-b", "brief", is_flag=True, help="A message without its explanation.")
@click.option("-f", "first", type=click.INT, metavar="FIRST", help="Print every code from this one on.")
@click.option("-l", "last", type=click.INT, metavar="LAST", help="With -f: to this one.")
def mqrc(code: str | None, every: bool, brief: bool, first: int | None, last: int | None) -> None:
    """Print number, hexadecimal number and name of a code, or the text of a message.

    Exit code 10 when there is no such code, 20 when the arguments make no sense.
    """
    from mqsc.explain.codes import codes_of, explain_message

    if (code is None) == (first is None) or (last is not None and first is None):
        raise click.UsageError("give a code, a name or a message, or a range with -f FIRST -l LAST")
    if code is None:
        _print_range(int(first or 0), int(first or 0) if last is None else last)
        return
    codes = codes_of(code)
    for each in codes if every else codes[:1]:
        click.echo(each.title)
    messages = [] if codes else [*explain_message(code)]
    for message in messages:
        click.echo(message.heading if brief else "\n".join(message.lines(100)))
    if not (codes or messages):
        raise Failed(f"no code and no message is {code}")


def _print_range(first: int, last: int) -> None:
    from mqsc.explain.codes import all_codes

    found = [each for each in all_codes() if first <= each.number <= last]
    if not found:
        raise Failed(f"no code is from {first} to {last}")
    for each in found:
        click.echo(each.title)


def main() -> NoReturn:
    """The command `mqrc` with the arguments of this process."""
    from mqsc.cli import main as command_line

    command_line(["mqrc", *sys.argv[1:]])

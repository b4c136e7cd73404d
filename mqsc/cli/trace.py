"""`mqsc trace`: the life of one message, across queue managers and stores."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING

import click

from mqsc.console.json_output import print_json
from mqsc.console.options import Choices, command
from mqsc.console.target import store_to_look_up
from mqsc.console.terminal import columns
from mqsc.history.named_message import MsgIdPrefix, the_id
from mqsc.history.trace_text import life_lines, life_rows
from store import StoreError
from store.admin.message_trace import life_of, partner_urls
from store.client.store_url import path_of

if TYPE_CHECKING:
    from store.engine.state import StoreState


@command(common=("format", "quiet"))
@click.argument("msg_id", metavar="MSGID", type=MsgIdPrefix())
@click.option(
    "--store",
    "stores",
    multiple=True,
    metavar="URL",
    help="A store: sqlite:///PATH (environment: MQSC_STORE). Repeatable.",
)
def trace(choices: Choices, msg_id: str, stores: Sequence[str]) -> None:
    """Show the life of the message with this MsgId: every event in order, its cause, and where the message is now.

    MSGID is hexadecimal; the first digits are enough if no other MsgId begins with them. The message is followed
    through transmission queues, dead-letter queues and backout queues, to all queue managers of the stores, together
    with its copies, reports and replies. The stores that channels lead to are read as well. Changes nothing.
    """
    with ExitStack() as opened:
        found = _opened(choices, stores or [choices.store_url()], opened)
        urls, read = [*found], [*found.values()]
        life = life_of(read, the_id(read, msg_id, choices))
    paths = [url.removeprefix("sqlite:///") for url in urls]
    if print_json(choices.format, life_rows(life, paths)):
        return
    for line in life_lines(life, paths, columns()):
        click.echo(line)


def _opened(choices: Choices, given: Sequence[str], opened: ExitStack) -> dict[str, StoreState]:
    """The given stores, and those that their channels lead to, by URL; all are closed by `opened`."""
    found: dict[str, StoreState] = {}
    for each in given:
        chosen = Choices(store=each, quiet=choices.quiet)
        url = _url_of(chosen.store_url())
        if url not in found:
            found[url] = opened.enter_context(store_to_look_up(chosen))
    tried, waiting = set(found), [*found.values()]
    while waiting:
        for url in _partners(waiting.pop()):
            if url in tried:
                continue
            tried.add(url)
            try:
                store = opened.enter_context(store_to_look_up(Choices(store=url, quiet=True)))
            except StoreError as error:
                choices.inform(f"mqsc: a channel leads to a store that cannot be read, so part may be missing: {error}")
                continue
            found[url] = store
            waiting.append(store)
    return found


def _url_of(url: str) -> str:
    """The URL with an absolute path; the same for a store in memory."""
    path = path_of(url)
    return url if path is None else f"sqlite:///{path}"


def _partners(store: StoreState) -> Iterator[str]:
    """The URLs of the stores in files that the channels of a store lead to."""
    for text in partner_urls(store):
        try:
            if path_of(text) is not None:
                yield _url_of(text)
        except StoreError:
            # Not a store's address; the channel says so when it starts.
            continue

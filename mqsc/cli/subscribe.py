"""`mqsc subscribe`: publications as they come."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click
from msgspec import Struct

from mqsc.agents.trigger_monitor import QUEUE_MANAGER_ENDED
from mqsc.cli.get import GetRequest, GetUnit, get_all
from mqsc.console import getting
from mqsc.console.options import AS_USER, Choices, command
from mqsc.console.parameters import WAIT_OR_FOR_EVER, TopicString
from mqsc.console.shared_options import selector_option
from mqsc.console.target import CommandFailedError, inform_about_manual_clock, opened_queue_manager
from mqsc.console.terminal import printable
from mqsc.store import MQError
from mqsc.store.client.subscription import Subscription
from mqsc.store.constants import MQGMO, MQSO
from mqsc.store.error import SelectorError
from mqsc.store.subscription_descriptor import SubscriptionDescriptor

if TYPE_CHECKING:
    from mqsc.store.client.connection import Connection
    from mqsc.store.client.message_handle import MessageHandle
    from mqsc.store.client.queue_manager import QueueManager

_FOR_EVER = -1
_TOPIC = "MQTopicString"


@command(common=AS_USER)
@click.argument("string", type=TopicString(), metavar="STRING")
@click.option(
    "--durable",
    "name",
    metavar="NAME",
    help="Make or resume the durable subscription NAME, which goes on collecting afterwards.",
)
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    metavar="N",
    help="End after N publications (default: go on until a signal comes).",
)
@click.option(
    "--wait",
    type=WAIT_OR_FOR_EVER,
    default="-1",
    help=(
        "Wait up to this long for each, such as 30s; a bare number means milliseconds, -1 (the "
        "default) forever."
    ),
)
@click.option("--by-character", is_flag=True, help="The wildcards are * and ?, not + and #.")
@click.option("--new-only", is_flag=True, help="Leave out what was retained before.")
@click.option("--topics", is_flag=True, help="Begin each line with the topic string and a tab.")
@selector_option
def subscribe(
    choices: Choices,
    string: str,
    name: str | None,
    limit: int | None,
    wait: int,
    by_character: bool,
    new_only: bool,
    topics: bool,
    selector: str,
) -> None:
    """Subscribe to the topic STRING, and print publications as they come, each followed by a
    newline.

    + in STRING is one level, and # any number of levels. --format json or jsonl prints whole
    messages with their properties, of which MQTopicString is the topic. The subscription ends with
    the command, after SIGINT at once, unless --durable names it; `DELETE SUB(NAME)` ends that one.
    """
    wanted = Wanted(string, name, by_character, new_only, selector)
    with (
        opened_queue_manager(choices, for_users=True) as qmgr,
        qmgr.connect() as connection,
    ):
        inform_about_manual_clock(choices, qmgr)
        subscription = wanted.subscribed(connection)
        queue = subscription.queue
        assert queue is not None
        request = GetRequest.of(
            queue.name,
            limit=limit,
            everything=limit is None,
            wait=wait,
            msg_id=None,
            correl_id=None,
            group_id=None,
            selector="",
            no_newline=False,
        )
        unit = GetUnit(MQGMO.SYNCPOINT, connection.commit)
        with _until_interrupted(choices, qmgr):
            get_all(queue, request, choices.format, unit, topic_of if topics else None)


class Wanted(Struct, frozen=True):
    """The subscription that is asked for; `name` is that of a durable one, or None."""

    string: str
    name: str | None
    by_character: bool
    new_only: bool
    selector: str

    def subscribed(self, connection: Connection) -> Subscription:
        """Subscribe; UsageError for an invalid selector, CommandFailedError when NAME is another
        subscription.
        """
        options = MQSO.CREATE | MQSO.MANAGED | MQSO.FAIL_IF_QUIESCING
        options |= MQSO.WILDCARD_CHAR if self.by_character else MQSO.WILDCARD_TOPIC
        if self.new_only:
            options |= MQSO.NEW_PUBLICATIONS_ONLY
        if self.name is not None:
            options |= MQSO.DURABLE | MQSO.RESUME
        descriptor = SubscriptionDescriptor(
            options, object_string=self.string, name=self.name or "", selection=self.selector
        )
        try:
            subscription = connection.subscribe(descriptor)
        except SelectorError as refused:
            raise getting.selector_fault(refused) from refused
        self._check(subscription.descriptor)
        return subscription

    def _check(self, found: SubscriptionDescriptor) -> None:
        """MQSUB resumes a subscription as it is: refuse one that is not the one asked for."""
        by_character = bool(found.options & MQSO.WILDCARD_CHAR)
        is_same = (found.object_string, found.selection, by_character) == (
            self.string,
            self.selector,
            self.by_character,
        )
        if not is_same:
            selector = f" with the selector {found.selection}" if found.selection else ""
            scheme = " by characters" if by_character else ""
            raise CommandFailedError(
                printable(
                    f"the subscription {self.name} is to {found.object_string}{scheme}{selector}; "
                    f"end it with DELETE SUB('{self.name}'), or use another name",
                ),
            )


def topic_of(properties: MessageHandle) -> str:
    """What begins the line of a publication with these properties: its topic, and a tab."""
    return f"{printable(str(properties.inquire(_TOPIC).value))}\t"


@contextmanager
def _until_interrupted(choices: Choices, qmgr: QueueManager) -> Iterator[None]:
    """A signal is how the command ends, and so is the end of the queue manager."""
    try:
        yield
    except KeyboardInterrupt:
        return
    except MQError as error:
        if error.reason not in QUEUE_MANAGER_ENDED:
            raise
        choices.inform(f"mqsc: {qmgr.name} has ended")

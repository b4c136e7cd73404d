"""`mqsc topic subscribe`."""

from __future__ import annotations

import click

from mqsc.cli.get import GetRequest, GetUnit, get_all
from mqsc.console.options import AS_USER, Choices, command
from mqsc.console.parameters import WAIT_OR_FOR_EVER
from mqsc.console.shared_options import selector_option
from mqsc.console.target import inform_about_manual_clock, opened_queue_manager
from mqsc.store import SubscriptionDescriptor
from mqsc.store.constants import MQCO, MQGMO, MQSO

_FOR_EVER = -1
_SUBSCRIBE = int(MQSO.CREATE | MQSO.MANAGED | MQSO.FAIL_IF_QUIESCING)
_DURABLE = int(_SUBSCRIBE | MQSO.DURABLE | MQSO.RESUME)


@command(common=AS_USER)
@click.argument("string")
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="End after N publications.")
@click.option(
    "--wait",
    type=WAIT_OR_FOR_EVER,
    default=_FOR_EVER,
    help=(
        "Wait up to this long for each publication, such as 30s; a bare number means milliseconds, "
        "-1 forever (the default)."
    ),
)
@click.option(
    "--name",
    default="",
    metavar="NAME",
    help="Make the subscription durable under this name, or resume it.",
)
@click.option("--remove", is_flag=True, help="Remove the subscription of that name at the end.")
@click.option("--no-newline", "-n", is_flag=True, help="Write no newline after each body.")
@selector_option
def subscribe(
    choices: Choices,
    string: str,
    limit: int | None,
    wait: int,
    name: str,
    remove: bool,
    no_newline: bool,
    selector: str,
) -> None:
    """Subscribe to the topic STRING, with the wildcards + and #, and print publications as they come.

    A retained publication comes first. --format json or jsonl prints whole messages.
    """
    if remove and not name:
        raise click.UsageError("--remove needs the --name of a subscription")
    descriptor = SubscriptionDescriptor(
        _DURABLE if name else _SUBSCRIBE, object_string=string, name=name, selection=selector
    )
    with opened_queue_manager(choices, for_users=True) as qmgr, qmgr.connect() as connection:
        inform_about_manual_clock(choices, qmgr)
        subscription = connection.subscribe(descriptor)
        handle = subscription.queue
        assert handle is not None
        wanted = GetRequest.of(
            handle.name,
            limit=limit,
            everything=limit is None,
            wait=wait,
            msg_id=None,
            correl_id=None,
            group_id=None,
            selector="",
            no_newline=no_newline,
        )
        unit = GetUnit(int(MQGMO.SYNCPOINT), connection.commit)
        found = get_all(handle, wanted, choices.format, unit)
        subscription.close(int(MQCO.REMOVE_SUB) if remove else 0)
    if not found:
        choices.inform("mqsc: no publication came")

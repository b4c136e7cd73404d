"""`mqsc topic publish`."""

from __future__ import annotations

import click

from mqsc.console.options import AS_USER, Choices, command
from mqsc.console.parameters import EXPIRY
from mqsc.console.target import opened_queue_manager
from mqsc.console.terminal import printable
from mqsc.console.text import message_properties
from mqsc.console.text.message_properties import PropertyText
from mqsc.console.text.reasons import counted
from mqsc.store import Message, MessageDescriptor, PutMessageOptions
from mqsc.store.constants import MQEI, MQFMT, MQOO, MQOT, MQPER, MQPMO

_PERSISTENCE = {
    None: int(MQPER.PERSISTENCE_AS_TOPIC_DEF),
    True: int(MQPER.PERSISTENT),
    False: int(MQPER.NOT_PERSISTENT),
}


@command(common=AS_USER)
@click.argument("string")
@click.argument("texts", nargs=-1, required=True, metavar="TEXT...")
@click.option("--retain", is_flag=True, help="Keep the publication for later subscribers.")
@click.option(
    "--expiry",
    type=EXPIRY,
    help="Lifetime, such as 90s or 1h30m; a bare number means tenths of a second, -1 unlimited.",
)
@click.option(
    "--persistent/--not-persistent",
    default=None,
    help="Persistence (default: from the topic).",
)
@click.option(
    "--property",
    "properties",
    type=PropertyText(),
    multiple=True,
    metavar="NAME[:TYPE]=VALUE",
    help="A message property, such as color=red or size:int32=5; repeatable.",
)
def publish(
    choices: Choices,
    string: str,
    texts: tuple[str, ...],
    retain: bool,
    expiry: int | None,
    persistent: bool | None,
    properties: tuple[message_properties.GivenProperty, ...],
) -> None:
    """Publish each TEXT to the topic STRING, all of them or none."""
    with opened_queue_manager(choices, for_users=True) as qmgr, qmgr.connect() as connection:
        options = PutMessageOptions(int(MQPMO.RETAIN) if retain else 0)
        if properties:
            try:
                options.message_handle = message_properties.handle_with(connection, properties)
            except ValueError as fault:
                raise click.UsageError(printable(f"--{fault}")) from fault
        messages = [
            Message(
                text.encode("utf-8", "surrogateescape"),
                MessageDescriptor(
                    format=MQFMT.STRING.strip(),
                    expiry=int(MQEI.UNLIMITED) if expiry is None else expiry,
                    persistence=_PERSISTENCE[persistent],
                ),
            )
            for text in texts
        ]
        opened = MQOO.OUTPUT | MQOO.FAIL_IF_QUIESCING
        topic = connection.open("", opened, object_type=MQOT.TOPIC, object_string=string)
        topic.put(messages, options)
    choices.inform(printable(f"mqsc: {counted(len(messages), 'message')} published to {string}"))

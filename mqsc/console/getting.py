"""Getting messages: the values of the options that identify them, and a get that may find none."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from mqsc.console.target import path_of_file
from mqsc.console.terminal import printable
from mqsc.console.text.reasons import counted
from mqsc.store import GetMessageOptions, Message, MQError
from mqsc.store.constants import MQMO, MQOO, MQRC
from mqsc.store.error import SelectorError

if TYPE_CHECKING:
    from mqsc.console.choices import Choices
    from mqsc.store.client.connection import Connection
    from mqsc.store.client.message_handle import MessageHandle
    from mqsc.store.client.object_handle import ObjectHandle

# How a command gets messages: properties set through a message handle are apart from the data, and
# an MQRFH2 that an application put stays in it, byte for byte.
AS_PUT = "V6COMPAT"


def opened(connection: Connection, queue: str, options: int, selector: str) -> ObjectHandle:
    """The queue, open for the messages that the selector selects; UsageError for an invalid
    selector.
    """
    try:
        return connection.open(queue, options, selection=selector, dynamic_name=None)
    except SelectorError as refused:
        raise selector_fault(refused) from refused


def opened_to_browse(
    choices: Choices,
    connection: Connection,
    queue: str,
    selector: str = "",
) -> ObjectHandle:
    """The queue, open for a browse, which GET(DISABLED) refuses except in the past; errors as for
    `opened`.
    """
    if choices.is_past:
        from mqsc.store.past.as_of import let_browse

        let_browse(connection.qmgr)
    return opened(connection, queue, MQOO.BROWSE | MQOO.FAIL_IF_QUIESCING, selector)


def selector_fault(refused: SelectorError) -> click.UsageError:
    return click.UsageError(
        printable(f"--selector: {refused.fault}, at character {refused.position}"),
    )


def with_properties(connection: Connection, options: GetMessageOptions) -> MessageHandle:
    """The handle that receives the properties of each message got with these options."""
    handle = connection.create_message_handle()
    options.message_handle, options.property_control = handle, AS_PUT
    return handle


# Getting messages by identifier: the values of the options for that, and a get that may find none.
MATCHES = {
    "msg_id": MQMO.MATCH_MSG_ID,
    "correl_id": MQMO.MATCH_CORREL_ID,
    "group_id": MQMO.MATCH_GROUP_ID,
}


def options_matching(identifiers: Mapping[str, Any], options: int) -> GetMessageOptions:
    """Get options that match the given identifiers, or any message when none is given."""
    wanted = {name: identifiers[name] for name in MATCHES if identifiers[name]}
    return GetMessageOptions(options, match_options=sum(MATCHES[name] for name in wanted), **wanted)


def get_or_none(handle: ObjectHandle, options: GetMessageOptions) -> Message | None:
    """Get a message; None when there is none (2033), or the one under the cursor is gone (2034)."""
    try:
        return handle.get(options)
    except MQError as error:
        if error.reason not in (MQRC.NO_MSG_AVAILABLE, MQRC.NO_MSG_UNDER_CURSOR):
            raise
        return None


def inform_about_discarded(choices: Choices, connection: Connection) -> None:
    """Say how many expired messages the gets and browses of the connection have discarded since
    this was last said.
    """
    count, connection.expired_discarded = connection.expired_discarded, 0
    if count and (choices.is_past or _is_copy(choices, connection)):
        choices.inform(
            f"mqsc: {counted(count, 'message')} had expired and {'is' if count == 1 else 'are'} "
            "not shown",
        )
    elif count:
        choices.inform(
            f"mqsc: {counted(count, 'expired message')} {'was' if count == 1 else 'were'} "
            "discarded",
        )


def _is_copy(choices: Choices, connection: Connection) -> bool:
    """Whether the store stays as it is, and the connection is to a copy of it."""
    return choices.only_reads and connection.qmgr.store.path != path_of_file(choices)

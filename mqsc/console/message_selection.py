"""Getting messages by identifier: the options --msg-id and --correl-id, and a get that may find none."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from mqsc.console.parameter_types import HexBytes
from store import GetMessageOptions, Message, MQError
from store.constants import MQMO, MQRC

if TYPE_CHECKING:
    from store.client.api import ObjectHandle

Decorated = TypeVar("Decorated", bound=Callable[..., Any])


def identifier_options(decorated: Decorated) -> Decorated:
    """Add --msg-id and --correl-id; their values are for `options_matching`."""
    by_msg_id = click.option("--msg-id", type=HexBytes(), help="Only messages with this identifier.")
    by_correl_id = click.option("--correl-id", type=HexBytes(), help="Only messages with this correlation identifier.")
    return by_msg_id(by_correl_id(decorated))


def options_matching(msg_id: bytes | None, correl_id: bytes | None, options: int) -> GetMessageOptions:
    """Get options that match the given identifiers, or any message when neither is given."""
    match = (MQMO.MATCH_MSG_ID if msg_id else 0) | (MQMO.MATCH_CORREL_ID if correl_id else 0)
    return GetMessageOptions(options, match_options=match, msg_id=msg_id or b"", correl_id=correl_id or b"")


def get_or_none(handle: ObjectHandle, options: GetMessageOptions) -> Message | None:
    """Get a message, or None when there is none (2033)."""
    try:
        return handle.get(options)
    except MQError as error:
        if error.reason != MQRC.NO_MSG_AVAILABLE:
            raise
        return None

"""The queue manager at the other end, as CONNAME names it: in this store, in another, or behind a
mapped host.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import NamedTuple

from mqsc.channels.end import text
from mqsc.channels.run_failures import ChannelEndedError
from mqsc.store.admin.channel import hosts
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store, open_store
from mqsc.store.client.store_url import path_of
from mqsc.store.error import MQError, StoreError
from mqsc.store.rules.channel.connection_name import Address, address, addresses, map_key


class Partner(NamedTuple):
    """The partner, and the address that led to it."""

    qmgr: QueueManager
    address: str


@contextmanager
def found_partner(own: QueueManager, connection_name: str) -> Iterator[Partner]:
    """The partner that the first usable address of a CONNAME leads to; its store is open in the
    block.

    ChannelEndedError with the reasons why none can be used: they count as a host that is down.
    """
    refused: list[str] = []
    tried = addresses(connection_name)
    for partner_address in tried:
        try:
            store, name, is_own = _opened(own, partner_address)
        except (MQError, StoreError) as error:
            refused.append(str(error).rstrip("."))
            continue
        try:
            try:
                qmgr = store.queue_manager(name)
            except MQError as error:
                refused.append(str(error).rstrip("."))
                continue
            if not qmgr.is_running and partner_address is not tried[-1]:
                refused.append(f"queue manager {qmgr.name} is not running")
                continue
            yield Partner(qmgr, partner_address.text)
            return
        finally:
            if not is_own:
                # On a full disk even that may fail. It is closed all the same, and says nothing
                # about the channel.
                with suppress(StoreError):
                    store.close()
    detail = "; ".join(refused) or "CONNAME is blank"
    raise ChannelEndedError(text("AMQ9202E", partner=connection_name, detail=detail))


def _opened(own: QueueManager, tried: Address) -> tuple[Store, str, bool]:
    """The store that an address leads to, the queue manager's name in it, and whether it is the
    store of `own`.
    """
    where = tried
    if tried.is_host:
        target = hosts.mapped(own.store, map_key(tried.text))
        if target:
            where = address(target)
        elif not tried.queue_manager or tried.queue_manager not in (
            row.name for row in own.store.queue_managers()
        ):
            raise StoreError(f"the host {tried.text} is not mapped to a store")
    if not where.store:
        return own.store, where.queue_manager, True
    path = path_of(where.store)
    if path is None:
        raise StoreError(f"{where.store} does not name a file")
    if path == own.store.path:
        return own.store, where.queue_manager, True
    store = open_store(where.store, own.store.environment, create=False)
    store.is_administrators = own.store.is_administrators
    return store, where.queue_manager, False

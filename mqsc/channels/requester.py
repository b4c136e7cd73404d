"""A requester: a server sends on its connection, and a sender calls back by its own CONNAME."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress

from mqsc.channels.attempt import RunSettings, send
from mqsc.channels.binding import definition_of
from mqsc.channels.end import RECEIVER, ChannelEnd, start_figures, text
from mqsc.channels.partner import Partner, found_partner
from mqsc.channels.run_failures import ChannelEndedError
from mqsc.channels.steps import Ending, Run
from mqsc.store.catalog import Stored
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQCHS
from mqsc.store.error import MQError, StoreError

REQUESTER = "RQSTR"
_CALLED_BACK = ("SVR", "SDR")


def request(
    qmgr: QueueManager,
    name: str,
    definition: Mapping[str, Stored],
    settings: RunSettings,
) -> Run:
    """Run a requester: a server sends on its connection, a sender calls back by its own CONNAME."""
    end = ChannelEnd(qmgr, name, RECEIVER, definition, settings.report)
    end.claim(MQCHS.REQUESTING, start_figures(end, "CHLTYPE", "CONNAME"))
    starting = text("AMQ9002I", name=name)
    try:
        end.report(starting)
        end.record("starting", starting)
        with found_partner(qmgr, str(definition["CONNAME"])) as partner:
            sender = _startable_partner(partner, name)
            end.forget()
            called_by = qmgr if sender["CHLTYPE"] == "SVR" else None
            return (yield from send(partner.qmgr, name, sender, settings, called_by))
    except (ChannelEndedError, MQError, StoreError) as error:
        address = definition["CONNAME"]
        unavailable = text("AMQ9202E", partner=address, detail=str(error).rstrip("."))
        message = error.sender if isinstance(error, ChannelEndedError) else unavailable
        end.report(message)
        end.report(text("AMQ9999E", name=name, partner=address))
        end.record("failed", message)
        return Ending(MQCHS.INACTIVE, message, failed=True)
    finally:
        with suppress(MQError, StoreError):
            end.forget()
        end.let_go()


def _startable_partner(partner: Partner, name: str) -> Mapping[str, Stored]:
    if not partner.qmgr.is_running:
        raise ChannelEndedError(text("AMQ9524E", name=name, partner=partner.qmgr.name))
    definition = definition_of(partner.qmgr, name)
    if not definition:
        raise ChannelEndedError(text("AMQ9520E", name=name))
    if definition["CHLTYPE"] not in _CALLED_BACK:
        raise ChannelEndedError(
            text(
                "AMQ9547E",
                name=name,
                detail=f"{REQUESTER} here, {definition['CHLTYPE']} at the partner",
            ),
        )
    return definition

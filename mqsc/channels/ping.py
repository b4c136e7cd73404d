"""PING CHANNEL: finds the partner and looks at its end of the channel, without a trace at either
end.
"""

from __future__ import annotations

from mqsc.channels.binding import definition_of
from mqsc.channels.end import text
from mqsc.channels.link import unreachable
from mqsc.channels.partner import found_partner
from mqsc.channels.run_failures import ChannelEndedError
from mqsc.store.admin.channel import commands, faults, status
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQCHS
from mqsc.store.engine import queue_events
from mqsc.store.error import MQError, StoreError
from mqsc.store.rules.channel.agreement import may_call


def ping(qmgr: QueueManager, name: str) -> str:
    """Why the partner does not answer: the message with its id; blank when it answers.

    MQError 2059, 4032 when the channel is missing, 4041 for a type that makes no calls, 4031 while
    it is active.
    """
    definition = commands.check_ping(qmgr, name)
    if faults.is_down(qmgr, name):
        return unreachable(str(definition["CONNAME"]))
    try:
        with found_partner(qmgr, str(definition["CONNAME"])) as partner:
            return answer_of(
                partner.qmgr,
                name,
                str(definition["CHLTYPE"]),
                qmgr.name,
                partner.address,
            )
    except ChannelEndedError as error:
        return error.sender
    except (MQError, StoreError) as error:
        return text("AMQ9202E", partner=definition["CONNAME"], detail=str(error).rstrip("."))


def answer_of(partner: QueueManager, name: str, type: str, caller: str, address: str) -> str:
    """Why a partner that was found refuses a call from that type of channel; blank when it does
    not.
    """
    if not partner.is_running:
        return text("AMQ9524E", name=name, partner=partner.name)
    called = definition_of(partner, name)
    if not called:
        # A start of the channel may define the receiver.
        defines = partner.store.read(queue_events.switch, partner.name, "CHAD") == "ENABLED"
        return "" if defines else text("AMQ9520E", name=name)
    if not may_call(type, str(called["CHLTYPE"])):
        return text(
            "AMQ9547E",
            name=name,
            detail=f"{type} here, {called['CHLTYPE']} at the partner",
        )
    own = [
        instance for instance in status.instances(partner, name) if instance.partner in ("", caller)
    ]
    if any(each.status == MQCHS.STOPPED for each in own):
        return text("AMQ9558E", name=name, partner=address)
    return ""

"""ALTER: change the given attributes of an object."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from mqsc.language.messages import message_line
from mqsc.language.request import Naming, Request
from mqsc.reply import Answer, done
from mqsc.verbs.command_options import verb
from mqsc.verbs.common_options import disposition_of
from mqsc.verbs.group_copies import refreshed
from mqsc.verbs.subscription_names import NAMED_OR_IDENTIFIED, name_in
from store.catalog import Stored
from store.constants import MQRC, name_of
from store.rules.sharing import GROUP

if TYPE_CHECKING:
    from store.client.api import QueueManager


def perform(qmgr: QueueManager, request: Request) -> Answer:
    """Change the object; MQError if it is missing, of another type, or open and the change needs FORCE."""
    from store.admin.altering import change, change_queue_manager

    force, kind, disposition = request.has("FORCE"), request.kind, disposition_of(request)
    if request.noun == "QMGR":
        intervals = change_queue_manager(qmgr, request.given, force=force)
        remarks = [*_warning(intervals, request.yet_to_perform), *_dead_letter_queue(qmgr, request.given)]
        return done(request.verb, kind.namespace, *remarks)
    change(qmgr, kind, name_in(qmgr, request), request.given, force=force, disposition=disposition)
    return done(request.verb, kind.namespace, *(refreshed(qmgr, kind, request.name) if disposition == GROUP else ()))


def _warning(intervals: Mapping[str, int], yet_to_perform: frozenset[str]) -> Iterator[str]:
    """The warning about members with different EXPRYINT, without those that the same command is about to change."""
    settled = {name: interval for name, interval in intervals.items() if name not in yet_to_perform}
    if len(set(settled.values())) > 1:
        yield message_line("MQSC0033W", detail=", ".join(f"{name} {interval}" for name, interval in settled.items()))


def _dead_letter_queue(qmgr: QueueManager, given: Mapping[str, Stored]) -> Iterator[str]:
    """The warning about a DEADQ that exists, but takes no messages because of its type."""
    from store.admin.put_preview import PutPreview

    name = str(given.get("DEADQ", ""))
    reason = PutPreview(qmgr).reason_for(name, "") if name else 0
    if reason not in (0, MQRC.UNKNOWN_OBJECT_NAME):
        yield message_line("MQSC0047W", name, f"{reason} {name_of('MQRC', reason)}")


VERB = verb("ALTER", Naming.EXACT, perform, takes_attributes=True, namings=NAMED_OR_IDENTIFIED)

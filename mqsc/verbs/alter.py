"""ALTER: change the given attributes of an object."""

from collections.abc import Iterator, Mapping

from mqsc.language.reply import Answer, done, message_line
from mqsc.language.request import Naming, Request
from mqsc.store.catalog import Stored
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQRC, name_of
from mqsc.store.rules.sharing import GROUP
from mqsc.verbs import group_copies
from mqsc.verbs.command_options import verb
from mqsc.verbs.options import disposition_of
from mqsc.verbs.row_sources import NAMED_OR_IDENTIFIED, name_in


def perform_alter(qmgr: QueueManager, request: Request) -> Answer:
    """Change the object; MQError if it is missing, of another type, or open and the change needs
    FORCE.
    """
    from mqsc.store.admin.altering import change, change_queue_manager

    force = request.has("FORCE")
    kind = request.kind
    disposition = disposition_of(request)
    if request.noun == "QMGR":
        intervals = change_queue_manager(qmgr, request.attributes, force=force)
        remarks = [
            *_warning(intervals, request.yet_to_perform),
            *_dead_letter_queue(qmgr, request.attributes),
        ]
        return done(request.verb, kind.namespace, *remarks)
    if request.noun == "SUB":
        from mqsc.store.admin import topics

        own = topics.own_subscription(qmgr, request.name, str(request.options.get("SUBID", "")))
        if own:
            topics.alter_own(qmgr, own, request.attributes)
            return done(request.verb, kind.namespace)
    change(
        qmgr, kind, name_in(qmgr, request), request.attributes, force=force, disposition=disposition
    )
    return done(
        request.verb,
        kind.namespace,
        *(group_copies.refreshed(qmgr, kind, request.name) if disposition == GROUP else ()),
    )


def _warning(intervals: Mapping[str, int], yet_to_perform: frozenset[str]) -> Iterator[str]:
    """The warning about members with different EXPRYINT, without those that the same command is
    about to change.
    """
    settled = {name: interval for name, interval in intervals.items() if name not in yet_to_perform}
    if len(set(settled.values())) > 1:
        yield message_line(
            "MQSC0033W",
            detail=", ".join(f"{name} {interval}" for name, interval in settled.items()),
        )


def _dead_letter_queue(qmgr: QueueManager, attributes: Mapping[str, Stored]) -> Iterator[str]:
    """The warning about a DEADQ that exists, but takes no messages because of its type."""
    from mqsc.store.admin.put_preview import PutPreview

    name = str(attributes.get("DEADQ", ""))
    reason = PutPreview(qmgr).reason_for(name, "") if name else 0
    if reason not in (0, MQRC.UNKNOWN_OBJECT_NAME):
        yield message_line("MQSC0047W", name, f"{reason} {name_of('MQRC', reason)}")


ALTER = verb(
    "ALTER",
    Naming.EXACT,
    perform_alter,
    takes_attributes=True,
    namings=NAMED_OR_IDENTIFIED,
)

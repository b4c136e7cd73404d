"""What a user reaches, through aliases and remote queues too."""

from __future__ import annotations

from typing import NamedTuple

from mqsc.store.admin.command_authority import names_of
from mqsc.store.engine import authorization, name_resolution
from mqsc.store.engine.state import QueueManagerState


class Reached(NamedTuple):
    """What a user may do with a queue that it may open, and where that leads; `elsewhere` is a
    queue manager or blank.

    `is_transmission`: what is put there reaches every queue of a partner.
    """

    name: str
    words: frozenset[str]
    queue: str
    elsewhere: str
    is_transmission: bool


_REACHING = frozenset({"BROWSE", "GET", "PUT", "SETALL"})


def reached(qmgr: QueueManagerState, user: str) -> list[Reached]:
    """The queues that a user may get from, browse or put to, by name."""
    reached_queues, leading = [], targets_of_names(qmgr)
    with qmgr.reading() as (reading, call):
        about = reading, qmgr.store, call.qmgr
        identity = authorization.identity_of(*about, user)
        held = {
            name: authorization.held(*about, identity, "QUEUE", name) & _REACHING
            for name in leading
        }
    for name, leads in leading.items():
        if words := held[name]:
            queue, elsewhere = (
                (leads.remote_queue, leads.remote_queue_manager) if leads.is_remote else ("", "")
            )
            direct = bool(leads.queue.is_transmission) and not leads.is_remote
            reached_queues.append(
                Reached(name, words, queue or leads.queue.name, elsewhere, direct)
            )
    return reached_queues


def targets_of_names(qmgr: QueueManagerState) -> dict[str, name_resolution.Destination]:
    """Where the names of queues lead, if they lead anywhere."""
    names = names_of(qmgr, "QUEUE", "*")
    with qmgr.reading() as (reading, call):
        found = {name: name_resolution.resolve(reading, call.qmgr, name, "") for name in names}
    return {
        name: each for name, each in found.items() if isinstance(each, name_resolution.Destination)
    }

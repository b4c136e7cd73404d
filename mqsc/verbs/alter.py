"""ALTER: change the given attributes of an object."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mqsc.language.nouns import objects_of
from mqsc.language.request import Naming, Request, Verb
from mqsc.reply import Answer, done
from mqsc.verbs.common_options import ALTERED_QSGDISP, CMDSCOPE, disposition_of, flag
from mqsc.verbs.group_copies import refreshed
from mqsc.verbs.subscription_names import NAMED_OR_IDENTIFIED, SUBID, name_in

if TYPE_CHECKING:
    from store.client.api import QueueManager


def perform(qmgr: QueueManager, request: Request) -> Answer:
    """Change the object; MQError if it is missing, of another type, or open and the change needs FORCE."""
    from store.admin.altering import change, change_queue_manager

    force = request.has("FORCE")
    if request.noun == "QMGR":
        change_queue_manager(qmgr, request.given, force=force)
    else:
        change(
            qmgr, request.kind, name_in(qmgr, request), request.given, force=force, disposition=disposition_of(request)
        )
    return done(request.verb, request.kind.namespace, *refreshed(qmgr, request))


VERB = Verb(
    "ALTER",
    objects_of("ALTER"),
    Naming.EXACT,
    perform,
    (
        flag("FORCE", "", "Change the object even if it is open.", "QLOCAL", "QALIAS", "QREMOTE", "QMGR"),
        SUBID,
        CMDSCOPE,
        ALTERED_QSGDISP,
    ),
    takes_attributes=True,
    namings=NAMED_OR_IDENTIFIED,
)

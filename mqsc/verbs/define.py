"""DEFINE: create an object; attributes that are not given come from the LIKE object or the default object."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mqsc.language.messages import message_line
from mqsc.language.request import Naming, Request
from mqsc.reply import Answer, done
from mqsc.verbs.command_options import verb
from mqsc.verbs.common_options import disposition_of
from mqsc.verbs.group_copies import refreshed
from store.rules.sharing import GROUP

if TYPE_CHECKING:
    from store.client.api import QueueManager


def perform(qmgr: QueueManager, request: Request) -> Answer:
    """Create or replace the object; MQError if it exists without REPLACE, or if the LIKE object does not exist."""
    from store.admin.defining import create

    kind, name, disposition = request.kind, request.name, disposition_of(request)
    like = str(request.options["LIKE"]) if "LIKE" in request.options else None
    replaces = request.options.get("REPLACE") == "REPLACE"
    unusable = create(qmgr, kind, name, request.given, like=like, replace=replaces, disposition=disposition)
    warnings = refreshed(qmgr, kind, name) if disposition == GROUP else []
    for member in unusable:
        why = "is not usable there, because of a queue of that name: MQOPEN answers 2343"
        warnings.append(message_line("MQSC0032W", member, f"{name} {why}"))
    return done(request.verb, kind.namespace, *warnings)


VERB = verb("DEFINE", Naming.EXACT, perform, takes_attributes=True)

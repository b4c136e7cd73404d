"""DEFINE: create an object; attributes that are not given come from the LIKE object or the default
object.
"""

from mqsc.language.reply import Answer, done, message_line
from mqsc.language.request import Naming, Request
from mqsc.store.admin import defining
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.rules.sharing import GROUP
from mqsc.verbs import group_copies
from mqsc.verbs.command_options import verb
from mqsc.verbs.options import disposition_of


def perform_define(qmgr: QueueManager, request: Request) -> Answer:
    """Create or replace the object; MQError if it exists without REPLACE, or if the LIKE object
    does not exist.
    """
    kind = request.kind
    name = request.name
    disposition = disposition_of(request)
    like = str(request.options["LIKE"]) if "LIKE" in request.options else None
    replaces = request.options.get("REPLACE") == "REPLACE"
    unusable = defining.create(
        qmgr,
        kind,
        name,
        request.attributes,
        like=like,
        replace=replaces,
        disposition=disposition,
        keep_secrets=request.keeps_secrets,
    )
    warnings = group_copies.refreshed(qmgr, kind, name) if disposition == GROUP else []
    for member in unusable:
        why = "is not usable there, because of a queue of that name: MQOPEN answers 2343"
        warnings.append(message_line("MQSC0032W", member, f"{name} {why}"))
    return done(request.verb, kind.namespace, *warnings)


DEFINE = verb("DEFINE", Naming.EXACT, perform_define, takes_attributes=True)

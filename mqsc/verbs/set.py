"""SET: add, replace and remove channel authentication records and authority records."""

from mqsc.language.reply import Answer, done
from mqsc.language.request import Naming, Request
from mqsc.store.admin import authority_records, channel_auth_records
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQRCCF
from mqsc.store.error import refuse_if
from mqsc.verbs import authority_parameters
from mqsc.verbs.command_options import verb
from mqsc.verbs.options import words_of


def perform_set(qmgr: QueueManager, request: Request) -> Answer:
    """Change the records; MQError if the parameters conflict, or a record is missing or exists
    already.
    """
    options, answer = request.options, done(request.verb, request.kind.namespace)
    if request.noun == "CHLAUTH":
        channel_auth_records.set_channel_rule(
            qmgr,
            request.name,
            request.attributes,
            str(options.get("ACTION", "ADD")),
        )
        return answer
    words = [words_of(request, option) for option in ("AUTHADD", "AUTHRMV")]
    refuse_if(not any(words), MQRCCF.AUTH_VALUE_MISSING, request.noun)
    doubts = authority_records.set_authority(
        qmgr,
        authority_parameters.authority_of(request),
        authority_parameters.entities_of(request),
        *words,
    )
    return done(request.verb, request.kind.namespace, *doubts) if doubts else answer


SET = verb(
    "SET",
    Naming.EXACT,
    perform_set,
    takes_attributes=True,
    namings={"AUTHREC": Naming.NONE},
)

"""The verbs of MQSC, each in its file. To add a verb, write its file and add a line to VERBS."""

from collections.abc import Mapping

from msgspec.structs import replace

from mqsc.language.command_table import UNSUPPORTED, answer_with_reason, remarks
from mqsc.language.reply import Answer, failed
from mqsc.language.request import Request, Verb
from mqsc.store.admin import user_accounts
from mqsc.store.client.api import QueueManager
from mqsc.store.client.command_server import answer_commands
from mqsc.store.error import MQError
from mqsc.store.rules.command_message import COMMAND_QUEUE
from mqsc.verbs import group_refusals, ping, preconditions, scope
from mqsc.verbs.alter import ALTER
from mqsc.verbs.clear import CLEAR
from mqsc.verbs.define import DEFINE
from mqsc.verbs.delete import DELETE
from mqsc.verbs.display import DISPLAY
from mqsc.verbs.move import MOVE
from mqsc.verbs.refresh import REFRESH
from mqsc.verbs.reset import RESET
from mqsc.verbs.resolve import RESOLVE
from mqsc.verbs.set import SET
from mqsc.verbs.start import START
from mqsc.verbs.stop import STOP
from mqsc.verbs.suspend import RESUME, SUSPEND

_EVERY = (
    ALTER,
    CLEAR,
    DEFINE,
    DELETE,
    DISPLAY,
    MOVE,
    ping.PING,
    REFRESH,
    RESET,
    RESOLVE,
    SET,
    START,
    STOP,
    RESUME,
    SUSPEND,
)
VERBS: Mapping[str, Verb] = {verb.keyword: verb for verb in _EVERY}

_FAILED = 2
# The values of CMDEV for which a command causes no event, by verb.
_DISABLED = frozenset({"DISABLED"})
_WITHOUT_EVENT = {"DISPLAY": _DISABLED | {"NODISPLAY"}}


def rehearse(qmgr: QueueManager, request: Request) -> Answer:
    """Perform a request on a copy of a queue manager, without a look at other queue managers."""
    if (request.verb, request.noun) != ("PING", "CHANNEL"):
        return perform(qmgr, request)
    try:
        return ping.rehearse(qmgr, request)
    except MQError as error:
        return failed(error)


def perform(qmgr: QueueManager, request: Request) -> Answer:
    """Perform a request, by CMDSCOPE also on other members of the queue-sharing group.

    If the store refuses it, the answer says so. A command that succeeds may be an event.
    """
    try:
        in_scope = "CMDSCOPE" in request.options and scope.names_members(qmgr, request)
        return (
            scope.perform_in_scope(qmgr, request, _perform_here)
            if in_scope
            else _perform_here(qmgr, request)
        )
    except MQError as error:
        return failed(error)


def _perform_here(qmgr: QueueManager, request: Request) -> Answer:
    performing = user_accounts.for_one_command(qmgr)
    performing.place = request.place
    if qmgr.is_owners:
        answer = _perform(performing, request)
    else:
        from mqsc.verbs.permission import permitted

        answer = permitted(performing, request, _perform)
    if answer.completion == _FAILED:
        return answer
    if request.name == COMMAND_QUEUE and "GET" in request.given:
        answer_commands(qmgr)
    settings = {user_accounts.command_event_setting(performing)}
    if "CMDEV" in request.given:
        settings.add(user_accounts.command_event_setting(qmgr, now=True))
    if settings - _WITHOUT_EVENT.get(request.verb, _DISABLED):
        from mqsc.language.pcf_data import command_data

        user_accounts.raise_command_event(performing, *command_data(request))
    return answer


def _perform(qmgr: QueueManager, request: Request) -> Answer:
    try:
        refusal = group_refusals.out_of_scope(request)
        if refusal is None and not group_refusals.OF_GROUPS.isdisjoint(request.options):
            refusal = group_refusals.refusal_for_group(request, qmgr)
        if refusal is not None:
            return refusal
        if (request.verb, request.noun) in UNSUPPORTED:
            return refuse(qmgr, request)
        answer = VERBS[request.verb].perform(qmgr, request)
    except MQError as error:
        return failed(error, *group_refusals.in_other_disposition(qmgr, request, error))
    once = tuple(sentence for _, sentence in remarks(request))
    return replace(answer, once=once) if once and answer.completion == 0 else answer


def refuse(qmgr: QueueManager, request: Request) -> Answer:
    """The refusal of a command that is not supported here; MQError 2059 if the queue manager is
    not running.
    """
    preconditions.check_running(qmgr)
    return answer_with_reason(request.verb, request.noun)

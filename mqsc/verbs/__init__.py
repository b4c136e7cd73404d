"""The verbs of MQSC, each in its file. To add a verb, write its file and add a line to _HOMES."""

from collections.abc import Iterator, Mapping
from importlib import import_module

from msgspec.structs import replace

from mqsc.language.command_table import SETTING
from mqsc.language.reply import Answer, failed
from mqsc.language.request import Request, Verb
from mqsc.language.support import UNSUPPORTED
from mqsc.store.admin import command_events
from mqsc.store.client.command_server import answer_commands
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.error import MQError
from mqsc.store.rules.command_message import COMMAND_QUEUE
from mqsc.verbs import group_refusals, preconditions

# The file of each verb.
_HOMES: Mapping[str, str] = {
    "ALTER": "alter",
    "CLEAR": "clear",
    "DEFINE": "define",
    "DELETE": "delete",
    "DISPLAY": "display",
    "MOVE": "move",
    "PING": "ping",
    "REFRESH": "refresh",
    "RESET": "reset",
    "RESOLVE": "resolve",
    "SET": "set",
    "START": "start",
    "STOP": "stop",
    "RESUME": "suspend",
    "SUSPEND": "suspend",
}


class _Verbs(Mapping[str, Verb]):
    """The verbs by keyword. The file of a verb is loaded when the verb is first used: most programs
    use one or two of them.
    """

    def __getitem__(self, keyword: str) -> Verb:
        verb: Verb = getattr(import_module(f"mqsc.verbs.{_HOMES[keyword]}"), keyword)
        return verb

    def __iter__(self) -> Iterator[str]:
        return iter(_HOMES)

    def __len__(self) -> int:
        return len(_HOMES)


VERBS: Mapping[str, Verb] = _Verbs()

_FAILED = 2
# The values of CMDEV for which a command causes no event, by verb.
_DISABLED = frozenset({"DISABLED"})
_WITHOUT_EVENT = {"DISPLAY": _DISABLED | {"NODISPLAY"}}


def rehearse(qmgr: QueueManager, request: Request) -> Answer:
    """Perform a request on a copy of a queue manager, without a look at other queue managers."""
    if (request.verb, request.noun) != ("PING", "CHANNEL"):
        return perform_request(qmgr, request)
    from mqsc.verbs import ping

    try:
        return ping.rehearse(qmgr, request)
    except MQError as error:
        return failed(error)


def perform_request(qmgr: QueueManager, request: Request) -> Answer:
    """Perform a request, by CMDSCOPE also on other members of the queue-sharing group.

    If the store refuses it, the answer says so. A command that succeeds may be an event.
    """
    try:
        if "CMDSCOPE" in request.options:
            from mqsc.verbs.scope import names_members, perform_in_scope

            if names_members(qmgr, request):
                return perform_in_scope(qmgr, request, _perform_here)
        return _perform_here(qmgr, request)
    except MQError as error:
        return failed(error)


def _perform_here(qmgr: QueueManager, request: Request) -> Answer:
    performing = command_events.for_one_command(qmgr)
    performing.place = request.place
    if qmgr.is_owners:
        answer = _perform_verb(performing, request)
    else:
        from mqsc.verbs.permission import permitted

        answer = permitted(performing, request, _perform_verb)
    if answer.completion == _FAILED:
        return answer
    if request.name == COMMAND_QUEUE and "GET" in request.attributes:
        answer_commands(qmgr)
    settings = {command_events.command_event_setting(performing)}
    if "CMDEV" in request.attributes:
        settings.add(command_events.command_event_setting(qmgr, now=True))
    if settings - _WITHOUT_EVENT.get(request.verb, _DISABLED):
        from mqsc.language.pcf_data import command_data

        command_events.raise_command_event(performing, *command_data(request))
    return answer


def _perform_verb(qmgr: QueueManager, request: Request) -> Answer:
    try:
        refusal = group_refusals.out_of_scope(request)
        if refusal is None and not group_refusals.OF_GROUPS.isdisjoint(request.options):
            refusal = group_refusals.refusal_for_group(request, qmgr)
        if refusal is not None:
            return refusal
        if (request.verb, request.noun) in UNSUPPORTED:
            return refuse(qmgr, request)
        answer = VERBS[request.verb].performer(qmgr, request)
    except MQError as error:
        return failed(error, *group_refusals.in_other_disposition(qmgr, request, error))
    once = _remarks(request)
    return replace(answer, once=once) if once and answer.completion == 0 else answer


def _remarks(request: Request) -> tuple[str, ...]:
    """What a command sets although nothing acts on it. Most commands set nothing, so that the list
    is not read for them.
    """
    if request.verb not in SETTING:
        return ()
    from mqsc.language.inert import remarks

    return tuple(sentence for _, sentence in remarks(request))


def refuse(qmgr: QueueManager, request: Request) -> Answer:
    """The refusal of a command that is not supported here; MQError 2059 if the queue manager is
    not running.
    """
    preconditions.check_running(qmgr)
    from mqsc.language.command_support import answer_with_reason

    return answer_with_reason(request.verb, request.noun)

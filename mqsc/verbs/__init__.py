"""The verbs of MQSC, one file each. To add a verb, add its file and its line in VERBS."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from msgspec.structs import replace

from mqsc.language.inert import remarks
from mqsc.language.request import Request, Verb
from mqsc.language.support import answer_with_reason
from mqsc.language.unsupported import UNSUPPORTED
from mqsc.reply import Answer, failed
from mqsc.verbs import (
    alter,
    clear,
    define,
    delete,
    display,
    move,
    ping,
    refresh,
    reset,
    resolve,
    set,
    start,
    stop,
    suspend,
)
from mqsc.verbs.command_scope import names_members, perform_in_scope
from mqsc.verbs.common_options import OF_GROUPS, in_other_disposition, out_of_scope, refusal_for_group
from mqsc.verbs.preconditions import check_running
from store.client.command_server import answer_commands
from store.error import MQError
from store.rules.command_messages import COMMAND_QUEUE

if TYPE_CHECKING:
    from store.client.api import QueueManager

_MODULES = (alter, clear, define, delete, display, move, ping, refresh, reset, resolve, set, start, stop)
VERBS: Mapping[str, Verb] = {
    verb.keyword: verb for verb in (*(each.VERB for each in _MODULES), suspend.RESUME, suspend.SUSPEND)
}


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
        in_scope = "CMDSCOPE" in request.options and names_members(qmgr, request)
        return perform_in_scope(qmgr, request, _perform_here) if in_scope else _perform_here(qmgr, request)
    except MQError as error:
        return failed(error)


def _perform_here(qmgr: QueueManager, request: Request) -> Answer:
    from store.admin import command_events as events

    performing = events.for_one_command(qmgr)
    answer = _perform(performing, request)
    if answer.completion == _FAILED:
        return answer
    if request.name == COMMAND_QUEUE and "GET" in request.given:
        answer_commands(qmgr)
    settings = {events.command_event_setting(performing)}
    if "CMDEV" in request.given:
        settings.add(events.current_command_event_setting(qmgr))
    if settings - _WITHOUT_EVENT.get(request.verb, _DISABLED):
        from mqsc.language.pcf_data import command_data

        events.raise_command_event(performing, *command_data(request))
    return answer


def _perform(qmgr: QueueManager, request: Request) -> Answer:
    try:
        refusal = out_of_scope(request)
        if refusal is None and not OF_GROUPS.isdisjoint(request.options):
            refusal = refusal_for_group(request, qmgr)
        if refusal is not None:
            return refusal
        if (request.verb, request.noun) in UNSUPPORTED:
            return refuse(qmgr, request)
        answer = VERBS[request.verb].perform(qmgr, request)
    except MQError as error:
        return failed(error, *in_other_disposition(qmgr, request, error))
    once = tuple(sentence for _, sentence in remarks(request))
    return replace(answer, once=once) if once and answer.completion == 0 else answer


def refuse(qmgr: QueueManager, request: Request) -> Answer:
    """The refusal of a command that is not supported here; MQError 2059 if the queue manager is not running."""
    check_running(qmgr)
    return answer_with_reason(request.verb, request.noun)

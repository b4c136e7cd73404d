"""Options and parameters that several verbs have, the checks before a command, and CMDSCOPE: the
members of a queue-sharing group that carry it out.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from msgspec.structs import replace

from mqsc.language.command_table import answer_with_reason, refused_here
from mqsc.language.reply import Answer, Row, failed, message_line, message_text, refused
from mqsc.language.request import Request
from mqsc.store.admin import sharing_groups
from mqsc.store.admin.channel.sync_records import CHANNEL, QUEUE, SavedRecord, saved_records
from mqsc.store.admin.inquiring import inquire
from mqsc.store.admin.records import authority_change
from mqsc.store.catalog import KINDS, Kind
from mqsc.store.client.api import QueueManager
from mqsc.store.constants import MQRC, MQRCCF
from mqsc.store.error import MQError, refuse_if
from mqsc.store.rules.authorization import CLASS, SELF
from mqsc.store.rules.sharing import MEANT, in_the_way
from mqsc.store.sql.rows import MessageState

# QSGDISP that a queue manager outside a group may use: its own objects.
_WITHOUT_GROUP = frozenset({"QMGR", "PRIVATE", "LIVE", "ALL"})
_SHARED_NOUNS = frozenset({"QLOCAL", "QUEUE"})


def ignores_state(request: Request) -> bool:
    """Whether IGNSTATE(YES) was given."""
    return request.options.get("IGNSTATE") == "YES"


def disposition_of(request: Request, default: str = "QMGR") -> str:
    """QSGDISP as given, or the default of the command."""
    return str(request.options.get("QSGDISP", default))


_SHARED_CHANNELS = frozenset(("SHARED", "FIXSHARED"))
_OF_GROUP_CHANNELS = "SYSTEM.QSG."


def out_of_scope(request: Request) -> Answer | None:
    """The refusal of shared channels and of intra-group queuing, which do not exist here; or
    None.
    """
    disposition = request.options.get("CHLDISP")
    if disposition in _SHARED_CHANNELS and request.verb != "DISPLAY":
        return refused_here(
            f"CHLDISP({disposition})",
            "Shared channels do not exist here: each channel is a member's own.",
        )
    if request.given.get("IGQ") == "ENABLED":
        return refused_here(
            "IGQ(ENABLED)",
            "Intra-group queuing does not exist here: use a shared queue or a channel.",
        )
    if request.verb == "DEFINE" and request.name.startswith(_OF_GROUP_CHANNELS):
        what = (
            "Shared channels and intra-group queuing, which these objects are for, do not exist "
            "here."
        )
        return refused_here(f"DEFINE {request.noun}({request.name})", what)
    return None


# Parameters that refusal_for_group() is about.
OF_GROUPS = frozenset(("CMDSCOPE", "QSGDISP"))


def refusal_for_group(request: Request, qmgr: QueueManager) -> Answer | None:
    """The refusal of a command for another queue manager, or for objects that cannot be shared
    here; or None.
    """
    asked = request.options.get("CMDSCOPE", "")
    # In a group the members that it names have been found already (`perform_in_scope`).
    if isinstance(asked, str) and asked not in ("", "*", qmgr.name):
        remark = (
            f"CMDSCOPE takes blank, * or {qmgr.name}, not {asked}: there is no queue-sharing group"
        )
        return refused("AMQ8425E", "", int(MQRCCF.ATTR_VALUE_ERROR), remark)
    disposition = disposition_of(request)
    if disposition in _WITHOUT_GROUP:
        return None
    if not qmgr.row().sharing_group:
        return failed(MQError(MQRCCF.Q_MGR_NOT_IN_QSG, qmgr.name))
    if disposition == "SHARED" and request.noun not in _SHARED_NOUNS and request.verb != "DISPLAY":
        return refused(
            "AMQ8425E",
            "",
            int(MQRCCF.DISPOSITION_CONFLICT),
            "Only a QLOCAL can be QSGDISP(SHARED).",
        )
    return None


_MISSING = frozenset((MQRC.UNKNOWN_OBJECT_NAME, MQRCCF.CHANNEL_NOT_FOUND))
_OF_MESSAGES = frozenset(("CLEAR", "MOVE"))
_EXISTING = frozenset((MQRCCF.OBJECT_ALREADY_EXISTS, MQRCCF.CHANNEL_ALREADY_EXISTS))


def in_other_disposition(qmgr: QueueManager, request: Request, error: MQError) -> list[str]:
    """A sentence about the objects of another disposition that a command does not mean, or that are
    in its way (sharing §1), if there are any.
    """
    name, asked = (
        error.object_name,
        disposition_of(request, "PRIVATE" if request.verb in _OF_MESSAGES else "QMGR"),
    )
    kind = request.kinds[0]
    if (
        error.reason not in _MISSING | _EXISTING
        or name != request.name
        or "QSGDISP" not in kind.attributes
    ):
        return []
    # Objects with a status are of another kind.
    found = sharing_groups.dispositions_of_name(qmgr, kind, name) if kind.keyword in KINDS else []
    other = (
        in_the_way(asked, found)
        if error.reason in _EXISTING
        else [each for each in found if each not in MEANT[asked]]
    )
    return [f"{name} exists with QSGDISP({each})." for each in other]


# Checks that verbs make first: the queue manager runs, the object exists.


def check_running(qmgr: QueueManager) -> None:
    """Raise MQError 2059 if the queue manager is not running."""
    refuse_if(not qmgr.is_running, MQRC.Q_MGR_NOT_AVAILABLE, qmgr.name)


def channel_of(qmgr: QueueManager, name: str, types: frozenset[str]) -> dict[str, Any]:
    """The channel of that name; MQError 4032 if it does not exist, 4041 if its type is not one of
    `types`.

    A client connection channel is considered only if no other channel has the name.
    """
    rows = list(inquire(qmgr, (CHANNEL,), name))
    refuse_if(not rows, MQRCCF.CHANNEL_NOT_FOUND, name)
    suitable = [row for row in rows if row["CHLTYPE"] in types]
    refuse_if(not suitable, MQRCCF.WRONG_CHANNEL_TYPE, name)
    return suitable[0]


def by_noun(
    commands: Mapping[str, Callable[[QueueManager, Request], Answer]],
) -> Callable[..., Answer]:
    """Performs a verb of a running queue manager by the noun; without one of `commands`, the answer
    says why it does nothing.
    """

    def perform(qmgr: QueueManager, request: Request) -> Answer:
        check_running(qmgr)
        if request.noun in commands:
            return commands[request.noun](qmgr, request)
        return answer_with_reason(request.verb, request.noun)

    return perform


# Warnings of commands that remove the synchronization records of channels.


def records_on(qmgr: QueueManager, queue: str) -> list[SavedRecord]:
    """The records that a command removes together with the messages of a queue."""
    return _records(qmgr) if queue == QUEUE else []


def records_of(qmgr: QueueManager, channel: str) -> list[SavedRecord]:
    """The records that a command removes together with a channel."""
    return [each for each in _records(qmgr) if each.channel == channel]


def _records(qmgr: QueueManager) -> list[SavedRecord]:
    return [
        each
        for each in qmgr.store.read(saved_records, qmgr.name)
        if each.state == MessageState.AVAILABLE
    ]


def cost_of(removed: Iterable[SavedRecord]) -> list[str]:
    """The warning about removed records; no line when none was removed."""
    words = {"receiver": "from", "sender": "to"}
    detail = ", ".join(
        f"{each.channel} (batches {words[each.role]} {each.partner})" for each in removed
    )
    return [message_line("MQSC0046W", detail=detail)] if detail else []


# The parameters of commands on authority records: a profile, a type of object, and users or groups.

# The reason code for a missing record (AMQ8958E).
AUTHORITY_MISSING = int(MQRCCF.PROFILE_NAME_ERROR)


def authority_of(request: Request) -> tuple[str, str]:
    """The (profile, type of object) of a command; MQError if the profile is missing, 2410 if
    SERVCOMP is given.

    There are no service components here.
    """
    component = request.options.get("SERVCOMP")
    refuse_if(component, MQRC.UNKNOWN_COMPONENT_NAME, str(component))
    given = request.given
    type = str(given["OBJTYPE"])
    profile = profile_of(type, str(given.get("PROFILE", "")))
    refuse_if(not profile, MQRCCF.PROFILE_NAME_MISSING, type)
    return profile, type


def profile_of(type: str, profile: str) -> str:
    """The profile of a type; OBJTYPE(QMGR) has only one besides @class, so its name is ignored."""
    return SELF if type == "QMGR" and profile != CLASS else profile


def entities_of(request: Request) -> list[tuple[str, str]]:
    """The (PRINCIPAL or GROUP, name) pairs of a command; MQError if there are none."""
    found = named_entities(request)
    refuse_if(not found, MQRCCF.ENTITY_NAME_MISSING, request.noun)
    return found


def named_entities(request: Request) -> list[tuple[str, str]]:
    """The (PRINCIPAL or GROUP, name) pairs of a command."""
    return [(word, name) for word in ("PRINCIPAL", "GROUP") for name in words_of(request, word)]


def authority_changes(request: Request) -> tuple[frozenset[str], frozenset[str]]:
    """The authorities that SET AUTHREC adds and removes; MQError 3171 for a wrong one."""
    return authority_change(
        *authority_of(request),
        words_of(request, "AUTHADD"),
        words_of(request, "AUTHRMV"),
    )


def words_of(request: Request, option: str) -> list[str]:
    """The words of an option that takes a list; none when it is not given."""
    words = request.options.get(option, [])
    return words if isinstance(words, list) else [str(words)]


# CMDSCOPE: a command is performed by other members of the queue-sharing group too (sharing §2).

EVERYWHERE = "*"
_FAILED = 2
_REPLY_OF = "MQSC0030I"
# Commands that address one queue manager, so that `*` is an error of syntax.
_ONE_ONLY = frozenset({"MOVE"})


def scope_of(request: Request) -> str:
    """CMDSCOPE as given, or blank."""
    asked = request.options.get("CMDSCOPE", "")
    return asked if isinstance(asked, str) else ""


def names_members(qmgr: QueueManager, request: Request) -> bool:
    """Whether the command names members of the queue manager's group, which then reply one by
    one.
    """
    return bool(scope_of(request) and qmgr.row().sharing_group)


def perform_in_scope(
    qmgr: QueueManager,
    request: Request,
    perform: Callable[[QueueManager, Request], Answer],
) -> Answer:
    """The replies of the members that CMDSCOPE names, as one answer; it failed if any of them
    failed.
    """
    scope = scope_of(request)
    if scope == EVERYWHERE and request.verb in _ONE_ONLY:
        return Answer(
            "AMQ8405I",
            f"{message_text('AMQ8405I')}\n{request.verb} takes the name of one queue manager.",
            2,
        )
    if (
        request.options.get("QSGDISP") in ("SHARED", "GROUP")
        and request.verb != "DISPLAY"
        and scope != qmgr.name
    ):
        remark = "Objects of the group are changed once: leave out CMDSCOPE."
        return refused("AMQ8425E", "", int(MQRCCF.DISPOSITION_CONFLICT), remark)
    members = sharing_groups.running_members(qmgr)
    if scope != EVERYWHERE:
        if scope not in members:
            remark = f"{scope} is not a member of the queue-sharing group: {', '.join(members)}."
            return refused("AMQ8425E", "", int(MQRCCF.ATTR_VALUE_ERROR), remark)
        if not members[scope]:
            return failed(MQError(MQRC.Q_MGR_NOT_AVAILABLE, scope))
        chosen = [scope]
    else:
        chosen = [
            qmgr.name,
            *(name for name, runs in members.items() if runs and name != qmgr.name),
        ]
    here = replace(
        request,
        options={word: value for word, value in request.options.items() if word != "CMDSCOPE"},
    )
    answers = []
    for number, name in enumerate(chosen, start=1):
        asked = replace(here, yet_to_perform=frozenset(chosen[number:]))
        if name != qmgr.name:
            asked = _elsewhere(asked, everywhere=scope == EVERYWHERE)
        member = qmgr.store.queue_manager(name)
        # A user has the same authority however a command reaches a member.
        member.issuer = qmgr.issuer
        answers.append((name, perform(member, asked)))
    return _together(answers, request)


def _elsewhere(request: Request, *, everywhere: bool) -> Request:
    """The command as another member performs it: only the issuer displays objects of the group."""
    request = replace(request, elsewhere=everywhere)
    if request.verb != "DISPLAY" or "QSGDISP" not in request.kinds[0].attributes:
        return request
    disposition = request.options.get("QSGDISP", "LIVE")
    private = "PRIVATE" if disposition in ("LIVE", "ALL") else disposition
    return replace(request, options={**request.options, "QSGDISP": private})


def _together(answers: Sequence[tuple[str, Answer]], request: Request) -> Answer:
    if request.verb == "DISPLAY" and any(answer.completion != _FAILED for _, answer in answers):
        # A member that has nothing to display is silent if another has something.
        answers = [(name, answer) for name, answer in answers if answer.completion != _FAILED]
    lines: list[str] = []
    for name, answer in answers:
        lines.append(message_line(_REPLY_OF, name))
        if not answer.each:
            lines.append(f"{answer.message_id}: {answer.text}")
    text = "\n".join(lines).removeprefix(f"{_REPLY_OF}: ")
    worst = next((answer for _, answer in answers if answer.completion == _FAILED), answers[0][1])
    once = tuple(dict.fromkeys(chain.from_iterable(answer.once for _, answer in answers)))
    replies = tuple((message_line(_REPLY_OF, name), answer) for name, answer in answers)
    return Answer(
        _REPLY_OF,
        text,
        worst.completion,
        worst.reason,
        rows=_rows(answers),
        once=once,
        replies=replies,
    )


def _rows(answers: Sequence[tuple[str, Answer]]) -> Iterator[Row]:
    """The rows of all members, each with its queue manager."""
    for name, answer in answers:
        for row in answer.rows:
            named: Mapping[str, object] = {"qmgr": name, **row}
            yield named


# The copies of GROUP objects are refreshed after a command that changes one (sharing §1).

_OWN = "it has one of its own"
_WHY: Mapping[int, str] = {
    MQRCCF.OBJECT_ALREADY_EXISTS: _OWN,
    MQRCCF.CHANNEL_ALREADY_EXISTS: _OWN,
    MQRCCF.OBJECT_OPEN_FORCE: "it is in use, and the change needs FORCE",
    MQRC.OBJECT_IN_USE: "it is open",
    MQRC.Q_NOT_EMPTY: "it has messages",
}


def refreshed(
    qmgr: QueueManager,
    kind: Kind,
    name: str,
    *,
    with_authority: bool = True,
) -> list[str]:
    """Refresh the copies after a change of a GROUP object; a line for each member that could not
    follow.
    """
    return refresh_lines(
        sharing_groups.refresh_members(qmgr, kind, name, with_authority=with_authority),
    )


def refresh_lines(failures: Iterable[sharing_groups.NotRefreshed]) -> list[str]:
    """What to print about copies that could not follow their GROUP objects."""
    return [
        message_line("MQSC0032W", each.member, f"{each.name} not refreshed: {_why(each)}")
        for each in failures
    ]


def _why(failure: sharing_groups.NotRefreshed) -> str:
    known = _WHY.get(failure.reason)
    if known is not None:
        return known
    answer = failed(MQError(failure.reason, failure.name))
    return f"{answer.message_id}: {answer.text}".replace("\n", " ").removesuffix(".")

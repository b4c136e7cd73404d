"""CMDSCOPE: a command is performed by other members of the queue-sharing group too (sharing §2)."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain

from msgspec.structs import replace

from mqsc.language.reply import Answer, ReplyRow, failed, message_line, message_text, refused
from mqsc.language.request import Request
from mqsc.store.admin import sharing_groups
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQRC, MQRCCF
from mqsc.store.error import MQError

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
    performer: Callable[[QueueManager, Request], Answer],
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
        member_request = replace(here, yet_to_perform=frozenset(chosen[number:]))
        if name != qmgr.name:
            member_request = _elsewhere(member_request, everywhere=scope == EVERYWHERE)
        member = qmgr.store.queue_manager(name)
        # A user has the same authority however a command reaches a member.
        member.issuer = qmgr.issuer
        answers.append((name, performer(member, member_request)))
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
        if not answer.shows_rows:
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
        rows=_rows_of_members(answers),
        once=once,
        replies=replies,
    )


def _rows_of_members(answers: Sequence[tuple[str, Answer]]) -> Iterator[ReplyRow]:
    """The rows of all members, each with its queue manager."""
    for name, answer in answers:
        for row in answer.rows:
            named: Mapping[str, object] = {"qmgr": name, **row}
            yield named

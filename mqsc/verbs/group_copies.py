"""The copies of GROUP objects, refreshed after a command that changes one (sharing §1)."""

from collections.abc import Iterable, Mapping

from mqsc.language.reply import failed, message_line
from mqsc.store.admin import group_copies
from mqsc.store.catalog import Kind
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQRC, MQRCCF
from mqsc.store.error import MQError

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
        group_copies.refresh_members(qmgr, kind, name, with_authority=with_authority),
    )


def refresh_lines(failures: Iterable[group_copies.NotRefreshed]) -> list[str]:
    """What to print about copies that could not follow their GROUP objects."""
    return [
        message_line("MQSC0032W", each.member, f"{each.name} not refreshed: {_why(each)}")
        for each in failures
    ]


def _why(failure: group_copies.NotRefreshed) -> str:
    known = _WHY.get(failure.reason)
    if known is not None:
        return known
    answer = failed(MQError(failure.reason, failure.name))
    return f"{answer.message_id}: {answer.text}".replace("\n", " ").removesuffix(".")

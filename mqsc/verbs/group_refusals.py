"""Refusals of commands about a queue-sharing group: what does not exist here, other members, and
objects of another disposition.
"""

from mqsc.language.reply import Answer, failed, refused, refused_here
from mqsc.language.request import Request
from mqsc.store.admin import sharing_groups
from mqsc.store.catalog import KINDS
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQRC, MQRCCF
from mqsc.store.error import MQError
from mqsc.store.rules.sharing import MEANT, in_the_way
from mqsc.verbs.options import disposition_of

# QSGDISP that a queue manager outside a group may use: its own objects.
_WITHOUT_GROUP = frozenset({"QMGR", "PRIVATE", "LIVE", "ALL"})
_SHARED_NOUNS = frozenset({"QLOCAL", "QUEUE"})

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
    if request.attributes.get("IGQ") == "ENABLED":
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
    name = error.object_name
    disposition = disposition_of(request, "PRIVATE" if request.verb in _OF_MESSAGES else "QMGR")
    kind = request.kinds[0]
    if (
        error.reason not in _MISSING | _EXISTING
        or name != request.name
        or "QSGDISP" not in kind.attributes
    ):
        return []
    # Objects with a status are of another kind.
    dispositions = (
        sharing_groups.dispositions_of_name(qmgr, kind, name) if kind.keyword in KINDS else []
    )
    other = (
        in_the_way(disposition, dispositions)
        if error.reason in _EXISTING
        else [
            other_disposition
            for other_disposition in dispositions
            if other_disposition not in MEANT[disposition]
        ]
    )
    return [f"{name} exists with QSGDISP({other_disposition})." for other_disposition in other]

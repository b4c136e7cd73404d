"""Properties and fields of the MQMD that a put takes from message handles, by MQPMO.Action
(properties §5).
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from mqsc.store.constants import MQACTP, MQCOPY, MQEI, MQMT, MQPD, MQRC, MQRO
from mqsc.store.descriptor import NO_ID
from mqsc.store.rules.properties.property_set import Properties, Property, is_copied, merged

NEW = int(MQACTP.NEW)
FORWARD = int(MQACTP.FORWARD)
REPLY = int(MQACTP.REPLY)
REPORT = int(MQACTP.REPORT)
_COPIED = {FORWARD: int(MQCOPY.FORWARD), REPLY: int(MQCOPY.REPLY), REPORT: int(MQCOPY.REPORT)}
_MESSAGE_TYPES = {REPLY: int(MQMT.REPLY), REPORT: int(MQMT.REPORT)}
# The queue manager knows no property that needs its support, so it refuses those that require it.
_REQUIRED = frozenset((int(MQPD.SUPPORT_REQUIRED), int(MQPD.SUPPORT_REQUIRED_IF_LOCAL)))
_PASS_MSG_ID, _PASS_CORREL_ID = int(MQRO.PASS_MSG_ID), int(MQRO.PASS_CORREL_ID)
_PASS_EXPIRY, _UNLIMITED = int(MQRO.PASS_DISCARD_AND_EXPIRY), int(MQEI.UNLIMITED)


class HandleContent(NamedTuple):
    """The properties of a message handle, and the fields of the MQMD that were set in it."""

    properties: Properties
    fields: Mapping[str, object]


EMPTY = HandleContent({}, {})


def action_fault(action: int, *, has_original: bool) -> int:
    """2535 for an unknown action, 2460 for one that needs an original message handle; else 0."""
    if action != NEW and action not in _COPIED:
        return int(MQRC.ACTION_ERROR)
    return int(MQRC.HMSG_ERROR) if action != NEW and not has_original else 0


def properties_of(action: int, original: HandleContent, new: HandleContent) -> Properties:
    """The properties of the message that is put."""
    from_original: Iterable[Property] = original.properties.values()
    if action != NEW:
        from_original = [each for each in from_original if is_copied(each, _COPIED[action])]
    return merged(from_original, new.properties.values())


def support_fault(properties: Properties) -> int:
    """2490 for a property whose support is required, but which the queue manager does not know;
    else 0.
    """
    required = any(each.descriptor.support in _REQUIRED for each in properties.values())
    return int(MQRC.UNSUPPORTED_PROPERTY) if required else 0


def fields_of(action: int, original: HandleContent, new: HandleContent) -> dict[str, object]:
    """The fields of the MQMD that the handles decide, for a put without an MQMD of its own."""
    if action in _MESSAGE_TYPES:
        fields = _answering(original.fields, _MESSAGE_TYPES[action])
        if action == REPORT and "feedback" in new.fields:
            fields["feedback"] = new.fields["feedback"]
        given = {name: value for name, value in new.fields.items() if name not in fields}
        return {**given, **fields}
    return {**original.fields, **new.fields}


def _answering(original: Mapping[str, object], msg_type: int) -> dict[str, object]:
    """The MQMD of a reply or report, from that of the message it answers."""
    report = original.get("report", 0)
    requested = report if isinstance(report, int) else 0
    ids = {"msg_id": original.get("msg_id", NO_ID), "correl_id": original.get("correl_id", NO_ID)}
    fields: dict[str, object] = {
        "msg_type": msg_type,
        "report": 0,
        "feedback": 0,
        "msg_id": ids["msg_id"] if requested & _PASS_MSG_ID else NO_ID,
        "correl_id": ids["correl_id"] if requested & _PASS_CORREL_ID else ids["msg_id"],
        "expiry": original.get("expiry", _UNLIMITED) if requested & _PASS_EXPIRY else _UNLIMITED,
        "reply_to_q": "",
        "reply_to_q_mgr": "",
    }
    for name in ("priority", "persistence"):
        if name in original:
            fields[name] = original[name]
    return fields

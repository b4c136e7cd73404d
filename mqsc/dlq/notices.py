"""The messages of the handler.

A failed call has two ids: one for reasons that an operator can cause, one for all others.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from msgspec import Struct, field

from mqsc.console.text.reasons import meaning_of
from mqsc.store.constants import MQRC, name_of
from mqsc.store.error import MQError
from mqsc.store.table import cells

STARTED = "AMQ8708"
ENDING = "AMQ8709"
USAGE = "AMQ8710"
NO_HEADER = "AMQ8721"
PUT_FAILED = "AMQ8722"
# Ids of our own, because MQ has none for actions that only this handler has.
RETURNED = "MQSC0031"
TABLE_READ = "MQSC0032"
TABLE_REJECTED = "MQSC0033"
RULE_TOTALS = "MQSC0036"
TOTALS = "MQSC0037"
PUT_FAILED_AGAIN = "MQSC0038"
WOULD_LOSE_HEADER = "MQSC0039"


# The texts of runmqdlq that are known word for word; the others are in our words in both layouts.
IBM_TEXTS: Mapping[str, str] = {
    STARTED: "Dead-letter queue handler started to process INPUTQ({queue}).",
    ENDING: "Dead-letter queue handler ending.",
}
_SEVERITIES = {STARTED: "I", ENDING: "I", NO_HEADER: "W", PUT_FAILED: "W"}


class CatalogRow(NamedTuple):
    """A message: its text with places for inserts, what causes it, and what to do about it."""

    text: str
    cause: str
    action: str


CATALOG = {
    message_id: CatalogRow(*texts)
    for message_id, *texts in cells(__file__, "notices.csv", ("id", "text", "cause", "action"))
}
TEXTS: Mapping[str, str] = {message_id: row.text for message_id, row in CATALOG.items()}


class FailedCall(NamedTuple):
    """The ids for a failed call: `expected` for these reasons, which an operator can cause,
    `unexpected` for others.
    """

    expected: str
    unexpected: str
    reasons: frozenset[int]


_ENDING = frozenset({MQRC.Q_MGR_QUIESCING, MQRC.Q_MGR_STOPPING})
_NO_RESOURCES = frozenset({MQRC.STORAGE_NOT_AVAILABLE, MQRC.RESOURCE_PROBLEM})
_REFUSED = frozenset({MQRC.NOT_AUTHORIZED, MQRC.SECURITY_ERROR, *_ENDING, *_NO_RESOURCES})
_NOT_USABLE = {
    MQRC.UNKNOWN_OBJECT_NAME,
    MQRC.ALIAS_BASE_Q_TYPE_ERROR,
    MQRC.UNKNOWN_ALIAS_BASE_Q,
    MQRC.OBJECT_IN_USE,
}

CONNECT = FailedCall(
    "AMQ8741",
    "AMQ8761",
    _REFUSED | {MQRC.Q_MGR_NAME_ERROR, MQRC.Q_MGR_NOT_AVAILABLE},
)
OPEN = FailedCall(
    "AMQ8745",
    "AMQ8765",
    _REFUSED | _NOT_USABLE | {MQRC.HANDLE_NOT_AVAILABLE, MQRC.OBJECT_DAMAGED},
)
CLOSE = FailedCall("AMQ8746", "AMQ8766", _NO_RESOURCES)
GET = FailedCall(
    "AMQ8748",
    "AMQ8767",
    _NO_RESOURCES | {MQRC.GET_INHIBITED, MQRC.OBJECT_CHANGED, MQRC.Q_DELETED},
)
END = FailedCall("AMQ8749", "AMQ8768", _NO_RESOURCES)
DISCONNECT = FailedCall("AMQ8769", "AMQ8769", frozenset())

# The queue manager has ended or is ending: the handler ends without further messages.
BROKEN = _ENDING | {MQRC.CONNECTION_BROKEN, MQRC.CONNECTION_QUIESCING, MQRC.CONNECTION_STOPPING}


class Notice(Struct, frozen=True):
    """A message of the handler, with its inserts for JSON output; `explanation` says what its
    reason code means.
    """

    message_id: str
    text: str
    inserts: Mapping[str, Any] = field(default_factory=dict)

    @property
    def explanation(self) -> str:
        return " ".join(meaning_of(int(self.inserts["reason"]))) if "reason" in self.inserts else ""

    @property
    def line(self) -> str:
        """Id, text and explanation."""
        return " ".join(filter(None, (f"{self.message_id}: {self.text}", self.explanation)))

    @property
    def ibm_line(self) -> str:
        """As `line`, with IBM's text where it is known, and the severity letter behind its ids."""
        text = IBM_TEXTS.get(self.message_id, "").format(**self.inserts) or self.text
        is_ibm = self.message_id.startswith("AMQ")
        letter = _SEVERITIES.get(self.message_id, "E") if is_ibm else ""
        return " ".join(filter(None, (f"{self.message_id}{letter}: {text}", self.explanation)))

    @property
    def for_json(self) -> dict[str, Any]:
        explained = {"explanation": self.explanation} if self.explanation else {}
        return {"message_id": self.message_id, "text": self.text, **self.inserts, **explained}


def notice(message_id: str, **inserts: object) -> Notice:
    return Notice(message_id, TEXTS[message_id].format(**inserts), inserts)


def failure_notice(call: FailedCall, error: MQError, name: str) -> Notice:
    """The message for a failed call on the object `name`."""
    reason = int(error.reason)
    message_id = call.expected if reason in call.reasons else call.unexpected
    inserts = {"completion": int(error.completion), "reason": reason, "name": name or "' '"}
    text = TEXTS[message_id].format(**{**inserts, "reason": f"{reason} {name_of('MQRC', reason)}"})
    return Notice(message_id, text, inserts)

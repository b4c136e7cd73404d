"""Errors as answers, with the ids of IBM's messages (rest §6). To add one, add its row to
errors.csv.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec

from mqsc.console.terminal import printable
from mqsc.http import contract
from mqsc.store.constants import MQCC, MQRC
from mqsc.store.error import MQError, StoreError
from mqsc.store.table import table

# A detail may be text of the client, of any length.
_LONGEST_DETAIL = 300
_FAILED = int(MQCC.FAILED)
_RETRY_SECONDS = "1"


class _Text(NamedTuple):
    text: str
    explanation: str
    action: str


_TEXTS: Mapping[str, _Text] = {
    row["id"]: _Text(row["text"], row["explanation"], row["action"])
    for row in table(__file__, "errors.csv", ("id", "text", "explanation", "action"))
}


class RestError(Exception):
    """The request is answered with this error. `reason` is the code of MQ, 0 if MQ said nothing;
    `headers` are further headers of the answer.
    """

    def __init__(
        self,
        status: int,
        message_id: str,
        detail: str = "",
        *,
        reason: int = 0,
        headers: Sequence[tuple[str, str]] = (),
    ) -> None:
        super().__init__(status, message_id, detail)
        self.status = status
        self.message_id = message_id
        self.detail = detail
        self.reason = reason
        self.headers = tuple(headers)

    def body(self) -> bytes:
        """The error as JSON."""
        row = _TEXTS[self.message_id]
        detail = printable(self.detail)[:_LONGEST_DETAIL]
        error = {
            "action": row.action,
            "completionCode": _FAILED if self.reason else 0,
            "explanation": row.explanation,
            "message": f"{self.message_id}: {row.text.format(detail=detail)}",
            "msgId": self.message_id,
            "reasonCode": self.reason,
            "type": "rest",
        }
        return msgspec.json.encode({"error": [error]})


def invalid(detail: str) -> RestError:
    """400: the body or the query is not what the resource takes."""
    return RestError(400, "MQWB0106E", detail)


def busy(detail: str) -> RestError:
    """503: there are more requests than the server takes."""
    return RestError(503, "MQSC0602E", detail, headers=(("Retry-After", _RETRY_SECONDS),))


def unknown_queue_manager(name: str) -> RestError:
    """404: there is no queue manager of that name."""
    reason = int(MQRC.Q_MGR_NAME_ERROR)
    return RestError(404, contract.UNKNOWN_QUEUE_MANAGER, name, reason=reason)


def ended_queue_manager(name: str) -> RestError:
    """503: the queue manager is not running."""
    reason = int(MQRC.Q_MGR_NOT_AVAILABLE)
    return RestError(503, contract.ENDED_QUEUE_MANAGER, name, reason=reason)


def error_of_store(error: MQError | StoreError) -> RestError:
    """The answer to a failure of the store that no resource explains itself."""
    if isinstance(error, MQError):
        reason = int(error.reason)
        if reason == MQRC.Q_MGR_NAME_ERROR:
            return unknown_queue_manager(error.object_name)
        if reason == MQRC.Q_MGR_NOT_AVAILABLE:
            return ended_queue_manager(error.object_name)
        if reason == MQRC.NOT_AUTHORIZED:
            return RestError(403, contract.NOT_AUTHORIZED, str(error), reason=reason)
        if reason != MQRC.RESOURCE_PROBLEM:
            return RestError(500, "MQWB0303E", str(error), reason=reason)
    reason = int(MQRC.RESOURCE_PROBLEM)
    retry = (("Retry-After", _RETRY_SECONDS),)
    return RestError(503, "MQWB0004E", "it is busy or full", reason=reason, headers=retry)

"""The names of IBM's REST contract, which the server and the client of targets share."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

BASE = "/ibmmq/rest"
VERSIONS = ("v1", "v2", "v3")
# It must be there, with any value: no other site can make a browser send it.
CSRF_HEADER = "ibm-mq-rest-csrf-token"
GATEWAY_HEADER = "ibm-mq-rest-gateway-qmgr"
TOKEN_COOKIE = "LtpaToken2"
AS_TEXT, AS_JSON = "runCommand", "runCommandJSON"

ADMINISTRATOR_ROLE = "MQWebAdmin"
READER_ROLE = "MQWebAdminRO"
USER_ROLE = "MQWebUser"

# Ids of messages.
UNKNOWN_QUEUE_MANAGER = "MQWB0009E"
ENDED_QUEUE_MANAGER = "MQWB0010E"
CSRF_MISSING = "MQWB0100E"
NOT_AUTHORIZED = "MQWB0103E"
NOT_AUTHENTICATED = "MQWB0104E"
BASIC_FAILED = "MQWB0105E"
ROLE_MISSING = "MQWB0108E"
TOKEN_INVALID = "MQWB0112E"
UNKNOWN_URL = "MQWB0116E"


def command_path(queue_manager: str, version: str = "v2") -> str:
    """The path of the resource that performs commands of MQSC."""
    name = quote(queue_manager, safe="")
    return f"{BASE}/{version}/admin/action/qmgr/{name}/mqsc"


def command_text(command: str) -> dict[str, Any]:
    """The body of a request to perform a command that is text."""
    return {"type": AS_TEXT, "parameters": {"command": command}}


def command_body(verb: str, qualifier: str, name: str = "", **more: object) -> dict[str, Any]:
    """The body of a request to perform a command in JSON; `more` are its other fields."""
    body = {"type": AS_JSON, "command": verb, "qualifier": qualifier}
    return {**body, **({"name": name} if name else {}), **more}


def texts_of(item: Mapping[str, Any]) -> list[str]:
    """The messages of an item of an answer."""
    texts = item.get("text") or item.get("message") or ()
    return [str(text) for text in ([texts] if isinstance(texts, str) else texts)]

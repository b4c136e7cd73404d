"""The schemas of the OpenAPI document: names, queries, headers and bodies, as the server checks
them (rest §1, §5).
"""

from __future__ import annotations

from typing import Any

from mqsc.http import contract, managers, message_headers
from mqsc.http.user_properties import HEADER as PROPERTIES
from mqsc.language.installation import INSTALLATION

Schema = dict[str, Any]
STRING: Schema = {"type": "string"}
_INTEGER: Schema = {"type": "integer"}
_NAMES: Schema = {"type": "array", "items": STRING}
_NOT_ZERO = "(?!0{48}$)"
_HEX = "[0-9A-Fa-f]{48}"


def _matching(pattern: str) -> Schema:
    return {"type": "string", "pattern": pattern}


def _list_of(name: str, item: Schema) -> Schema:
    return {
        "type": "object",
        "required": [name],
        "properties": {name: {"type": "array", "items": item}},
    }


def _object(required: list[str], properties: Schema) -> Schema:
    """An object that has no other fields."""
    return {
        "type": "object",
        "required": required,
        "properties": properties,
        "additionalProperties": False,
    }


_OBJECT_NAME = _matching("^[A-Za-z0-9._/%]{1,48}$")
PATH_NAMES: dict[str, Schema] = {
    "qmgr": _OBJECT_NAME,
    "queue": _OBJECT_NAME,
    "topic": {"type": "string", "minLength": 1},
    "installation": {"const": INSTALLATION},
}


def _selection(group: str, names: tuple[str, ...]) -> Schema:
    """What selects all attributes of a group, or some of them."""
    one = rf"{group}\.({'|'.join(names)})"
    return _matching(rf"^(\*|{group}|{one}(,{one})*)$")


_ATTRIBUTES = {
    "installation": {"type": "string", "enum": ["*", "extended"]},
    "qmgr": _selection("extended", managers.EXTENDED),
}


def query_schema(name: str, resource: str, version: str) -> Schema:
    """The schema of a parameter of the query of a resource."""
    if name in ("messageId", "correlationId"):
        prefix = "ID:" if version == message_headers.NEWEST else ""
        return _matching(f"^{prefix}{_NOT_ZERO}{_HEX}$")
    if name == "attributes":
        return _ATTRIBUTES[resource]
    return _QUERY[name]


_QUERY: dict[str, Schema] = {
    "wait": {"type": "integer", "minimum": 0, "maximum": 2**31 - 1},
    "limit": {"type": "integer", "minimum": 1, "maximum": 10_000},
    "state": {"type": "string", "enum": ["running", "ended"]},
    "status": _selection("status", managers.STATUS),
}

_EXPIRY = _matching(f"^({message_headers.UNLIMITED_WORD}|[1-9][0-9]{{0,10}})$")
_PERSISTENCE: Schema = {"type": "string", "enum": [*message_headers.PERSISTENCES]}
_PRIORITY = _matching(f"^({message_headers.AS_DESTINATION}|[0-9])$")
_REPLY_TO = _matching("^[A-Za-z0-9._/%]{1,48}(@[A-Za-z0-9._/%]{1,48})?$")


def message_header_schemas(version: str) -> dict[str, Schema]:
    """The headers that describe a message."""
    is_newest = version == message_headers.NEWEST
    of_all = {
        # In v3 an application may use any text.
        message_headers.CORRELATION_ID: _matching(r"\S" if is_newest else f"^{_HEX}$"),
        message_headers.EXPIRY: _EXPIRY,
        message_headers.PERSISTENCE: _PERSISTENCE,
        message_headers.REPLY_TO: _REPLY_TO,
    }
    of_newest = {message_headers.PRIORITY: _PRIORITY, PROPERTIES: STRING}
    return {**of_all, **of_newest} if is_newest else of_all


def message_id_schema(version: str) -> dict[str, Schema]:
    """The header that names a message."""
    prefix = "ID:" if version == message_headers.NEWEST else ""
    return {message_headers.MESSAGE_ID: _matching(f"^{prefix}[0-9a-f]{{48}}$")}


_ITEM = _object(
    ["completionCode", "reasonCode"],
    {
        "completionCode": _INTEGER,
        "reasonCode": _INTEGER,
        "parameters": {"type": "object"},
        "text": _NAMES,
        "message": _NAMES,
    },
)
ERRORS = _list_of(
    "error",
    {
        "type": "object",
        "required": ["msgId", "message", "type", "completionCode", "reasonCode"],
        "properties": {
            "action": STRING,
            "completionCode": _INTEGER,
            "explanation": STRING,
            "message": STRING,
            "msgId": STRING,
            "reasonCode": _INTEGER,
            "type": {"type": "string", "enum": ["rest", "pcf"]},
        },
    },
)
HEALTH = _object(["status"], {"status": {"type": "string", "enum": ["ok", "unavailable"]}})
# The bodies of answers in JSON, by the end of the path.
ANSWERS: dict[str, Schema] = {
    "login": _list_of("user", {"type": "object", "required": ["name", "role"]}),
    "installation": _list_of("installation", {"type": "object", "required": ["name", "version"]}),
    "qmgr": _list_of("qmgr", {"type": "object", "required": ["name", "state"]}),
    "messagelist": _list_of(
        "messages",
        {"type": "object", "required": ["messageId", "correlationId", "format"]},
    ),
    "mqsc": _object(
        ["commandResponse", "overallCompletionCode", "overallReasonCode"],
        {
            "commandResponse": {"type": "array", "items": _ITEM},
            "overallCompletionCode": _INTEGER,
            "overallReasonCode": _INTEGER,
        },
    ),
    "live": HEALTH,
    "ready": HEALTH,
    "openapi.json": {"type": "object", "required": ["openapi", "paths"]},
}
# What a command of one line has no character of.
_LINE = "[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]"
_TEXT_COMMAND = _object(
    ["type", "parameters"],
    {
        "type": {"const": contract.AS_TEXT},
        "parameters": _object(["command"], {"command": _matching(f"^{_LINE}+$")}),
    },
)
_VALUE: Schema = {"type": ["string", "integer", "boolean", "array"]}
_PARAMETERS: Schema = {"type": "object", "additionalProperties": _VALUE}
_ANY_VERB: Schema = {
    "type": {"const": contract.AS_JSON},
    "command": STRING,
    "qualifier": STRING,
    "name": STRING,
    "parameters": _PARAMETERS,
}
_DISPLAY = _matching("^[Dd][Ii][Ss]([Pp][Ll][Aa][Yy])?$")
_REQUIRED = ["type", "command", "qualifier"]
_JSON_COMMAND = _object(_REQUIRED, _ANY_VERB)
_JSON_DISPLAY = _object(
    [*_REQUIRED, "responseParameters"],
    {**_ANY_VERB, "command": _DISPLAY, "responseParameters": _NAMES},
)
_LOGIN = _object(["username", "password"], {"username": STRING, "password": STRING})
BODIES: dict[str, Schema] = {
    "login": _LOGIN,
    "mqsc": {"oneOf": [_TEXT_COMMAND, _JSON_COMMAND, _JSON_DISPLAY]},
}

"""The resources as an OpenAPI document, made of the rows of `routes`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from http import HTTPStatus
from typing import Any

from mqsc.http import contract
from mqsc.http.routes import OPERATIONS, Operation
from mqsc.version import __version__

_PARAMETER = re.compile(r"{(\w+)(?::\w+)?}")
_KINDS = {
    "kind": ["queue", "subscription", "channel"],
    "service": ["mft", "agent", "transfer", "monitor"],
}
_STRING = {"type": "string"}
_INTEGER = {"type": "integer"}
_NAMES = {"type": "array", "items": _STRING}
_JSON, _TEXT = "application/json", "text/plain"
_ERRORS = (400, 401, 403, 404, 405, 408, 413, 414, 415, 421, 429, 500, 503)
_ITEM = {
    "type": "object",
    "required": ["completionCode", "reasonCode"],
    "properties": {
        "completionCode": _INTEGER,
        "reasonCode": _INTEGER,
        "parameters": {"type": "object"},
        "text": _NAMES,
        "message": _NAMES,
    },
    "additionalProperties": False,
}
_ERROR = {
    "type": "object",
    "required": ["msgId", "message", "type", "completionCode", "reasonCode"],
    "properties": {
        "action": _STRING,
        "completionCode": _INTEGER,
        "explanation": _STRING,
        "message": _STRING,
        "msgId": _STRING,
        "reasonCode": _INTEGER,
        "type": {"type": "string", "enum": ["rest", "pcf"]},
    },
}
_QUERY_SCHEMAS: dict[str, dict[str, Any]] = {
    "wait": {"type": "integer", "minimum": 0, "maximum": 2**31 - 1},
    "limit": {"type": "integer", "minimum": 1, "maximum": 10_000},
    "state": {"type": "string", "enum": ["running", "ended"]},
}


def _list_of(name: str, item: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "required": [name],
        "properties": {name: {"type": "array", "items": item}},
    }


# The bodies of answers in JSON, by the end of the path.
_ANSWERS: dict[str, dict[str, Any]] = {
    "login": _list_of("user", {"type": "object", "required": ["name", "role"]}),
    "installation": _list_of("installation", {"type": "object", "required": ["name", "version"]}),
    "qmgr": _list_of("qmgr", {"type": "object", "required": ["name", "state"]}),
    "messagelist": _list_of(
        "messages",
        {"type": "object", "required": ["messageId", "correlationId", "format"]},
    ),
    "mqsc": {
        "type": "object",
        "required": ["commandResponse", "overallCompletionCode", "overallReasonCode"],
        "properties": {
            "commandResponse": {"type": "array", "items": _ITEM},
            "overallCompletionCode": _INTEGER,
            "overallReasonCode": _INTEGER,
        },
        "additionalProperties": False,
    },
}
_COMMAND = {
    "oneOf": [
        {
            "type": "object",
            "required": ["type", "parameters"],
            "properties": {
                "type": {"const": contract.AS_TEXT},
                "parameters": {
                    "type": "object",
                    "required": ["command"],
                    "properties": {"command": _STRING},
                    "additionalProperties": False,
                },
            },
            "additionalProperties": False,
        },
        {
            "type": "object",
            "required": ["type", "command", "qualifier"],
            "properties": {
                "type": {"const": contract.AS_JSON},
                "command": _STRING,
                "qualifier": _STRING,
                "name": _STRING,
                "parameters": {"type": "object"},
                "responseParameters": _NAMES,
            },
            "additionalProperties": False,
        },
    ],
}
_LOGIN = {
    "type": "object",
    "required": ["username", "password"],
    "properties": {"username": _STRING, "password": _STRING},
    "additionalProperties": False,
}
_BODIES = {"login": _LOGIN, "mqsc": _COMMAND}


def described() -> dict[str, Any]:
    """The document."""
    paths: dict[str, dict[str, Any]] = {}
    for operation in OPERATIONS:
        path = _PARAMETER.sub(r"{\1}", operation.path)
        paths.setdefault(path, {})[operation.method.lower()] = _operation(operation)
    return {
        "openapi": "3.1.0",
        "info": {"title": "mqsc: the REST API of IBM MQ on a store", "version": __version__},
        "paths": paths,
        "components": {
            "schemas": {"Error": _list_of("error", _ERROR)},
            "securitySchemes": {
                "basic": {"type": "http", "scheme": "basic"},
                "token": {"type": "apiKey", "in": "cookie", "name": contract.TOKEN_COOKIE},
            },
        },
    }


def _operation(operation: Operation) -> dict[str, Any]:
    described: dict[str, Any] = {
        "summary": operation.summary,
        "parameters": [*_parameters(operation)],
        "responses": _responses(operation),
        "security": [{"basic": []}, {"token": []}] if operation.roles else [],
    }
    body = _body(operation)
    if body:
        described["requestBody"] = {"required": True, "content": body}
    return described


def _end(operation: Operation) -> str:
    """The last fixed part of the path."""
    return [part for part in operation.path.split("/") if part and not part.startswith("{")][-1]


def _body(operation: Operation) -> dict[str, Any]:
    if operation.takes_text:
        return {_TEXT: {"schema": _STRING}}
    body = _BODIES.get(_end(operation)) if operation.method == "POST" else None
    return {} if body is None else {_JSON: {"schema": body}}


def _parameters(operation: Operation) -> Iterator[dict[str, Any]]:
    for name in _PARAMETER.findall(operation.path):
        schema: dict[str, Any] = {"type": "string", "minLength": 1}
        if name == "version":
            schema = {"type": "string", "enum": [*operation.versions]}
        elif name in _KINDS:
            schema = {"type": "string", "enum": _KINDS[name]}
        yield {"name": name, "in": "path", "required": True, "schema": schema}
    for name in operation.query:
        schema = _QUERY_SCHEMAS.get(name, _STRING)
        yield {"name": name, "in": "query", "required": False, "schema": schema}
    if operation.needs_csrf:
        yield {"name": contract.CSRF_HEADER, "in": "header", "required": True, "schema": _STRING}


def _responses(operation: Operation) -> dict[str, Any]:
    responses: dict[str, Any] = {}
    content = {_JSON: {"schema": {"$ref": "#/components/schemas/Error"}}}
    for status in sorted({*_ERRORS, *operation.more_errors}):
        responses[str(status)] = {"description": HTTPStatus(status).phrase, "content": content}
    for status in operation.answers:
        described: dict[str, Any] = {"description": HTTPStatus(status).phrase}
        schema = _ANSWERS.get(_end(operation))
        if status == 200 and schema is not None:
            described["content"] = {_JSON: {"schema": schema}}
        responses[str(status)] = described
    return responses

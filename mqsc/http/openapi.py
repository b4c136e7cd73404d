"""The resources as an OpenAPI document, made of the rows of `routes`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from http import HTTPStatus
from typing import Any

from mqsc.http import contract, schemas
from mqsc.http.content_types import TEXT_TYPES
from mqsc.http.routes import OPERATIONS, Operation
from mqsc.http.schemas import Schema
from mqsc.version import __version__

_PARAMETER = re.compile(r"{(\w+)(?::\w+)?}")
_JSON, _TEXT = "application/json", "text/plain"
_METRICS = "application/openmetrics-text"
_ERRORS = (400, 401, 403, 404, 405, 408, 413, 414, 415, 421, 429, 431, 500, 503)


def described() -> dict[str, Any]:
    """The document. Resources that are refused are not in it."""
    paths: dict[str, dict[str, Any]] = {}
    for operation in OPERATIONS:
        # Versions differ in the headers and the identifiers of messages.
        for version in operation.versions or ("",):
            if operation.answers:
                path = _path(operation, version)
                paths.setdefault(path, {})[operation.method.lower()] = _operation(
                    operation, version
                )
    return {
        "openapi": "3.1.0",
        "info": {"title": "mqsc: the REST API of IBM MQ on a store", "version": __version__},
        "paths": paths,
        "components": {
            "schemas": {"Error": schemas.ERRORS},
            "securitySchemes": {
                "basic": {"type": "http", "scheme": "basic"},
                "token": {"type": "apiKey", "in": "cookie", "name": contract.TOKEN_COOKIE},
            },
        },
    }


def _path(operation: Operation, version: str) -> str:
    return _PARAMETER.sub(r"{\1}", operation.path).replace("{version}", version)


def _operation(operation: Operation, version: str) -> dict[str, Any]:
    described: dict[str, Any] = {
        "summary": operation.summary,
        "parameters": [*_parameters(operation, version)],
        "responses": _responses(operation, version),
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
        return {type_: {"schema": schemas.STRING} for type_ in TEXT_TYPES}
    body = schemas.BODIES.get(_end(operation)) if operation.method == "POST" else None
    return {} if body is None else {_JSON: {"schema": body}}


def _parameters(operation: Operation, version: str) -> Iterator[dict[str, Any]]:
    for name in _PARAMETER.findall(operation.path):
        if name != "version":
            schema = schemas.PATH_NAMES[name]
            yield {"name": name, "in": "path", "required": True, "schema": schema}
    for name in operation.query:
        schema = schemas.query_schema(name, _end(operation), version)
        yield {"name": name, "in": "query", "required": False, "schema": schema}
    if operation.needs_csrf:
        header = {"name": contract.CSRF_HEADER, "in": "header", "required": True}
        yield {**header, "schema": schemas.STRING}
    if operation.takes_text:
        for name, schema in schemas.message_header_schemas(version).items():
            yield {"name": name, "in": "header", "required": False, "schema": schema}


def _responses(operation: Operation, version: str) -> dict[str, Any]:
    responses: dict[str, Any] = {}
    content = {_JSON: {"schema": {"$ref": "#/components/schemas/Error"}}}
    for status in sorted({*_ERRORS, *operation.more_errors}):
        responses[str(status)] = {"description": HTTPStatus(status).phrase, "content": content}
    for status in operation.answers:
        described: dict[str, Any] = {"description": HTTPStatus(status).phrase}
        if status == HTTPStatus.OK or status >= HTTPStatus.BAD_REQUEST:
            described["content"] = _content(operation)
        headers = _answer_headers(operation, status, version)
        if headers:
            described["headers"] = headers
        responses[str(status)] = described
    return responses


def _content(operation: Operation) -> dict[str, Any]:
    """The body of an answer: JSON, a message, or metrics."""
    schema = schemas.ANSWERS.get(_end(operation))
    if schema is not None:
        return {_JSON: {"schema": schema}}
    types = (_TEXT, _METRICS) if _end(operation) == "metrics" else (_TEXT,)
    return {type_: {"schema": schemas.STRING} for type_ in types}


def _answer_headers(operation: Operation, status: int, version: str) -> dict[str, Any]:
    """The headers of an answer that has, or is about, a message."""
    if _end(operation) != "message" or status == HTTPStatus.NO_CONTENT:
        return {}
    found: dict[str, Schema] = dict(schemas.message_id_schema(version))
    if status == HTTPStatus.OK:
        found |= schemas.message_header_schemas(version)
    return {name: {"schema": schema} for name, schema in found.items()}

"""The resources: their paths, methods and queries, who may use them, and what answers (rest §1).

To add one, add a row; the OpenAPI document is made of the same rows. A row without `answers` is a
resource that is refused, and not in the document.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import NamedTuple

from starlette.responses import Response

from mqsc.http import administration, contract, login, messaging, monitoring
from mqsc.http.exchange import Exchange

Endpoint = Callable[[Exchange], Awaitable[Response]]
_REST = f"{contract.BASE}/{{version}}"
_QUEUE = f"{_REST}/messaging/qmgr/{{qmgr}}/queue/{{queue}}"
_READERS = frozenset((contract.ADMINISTRATOR_ROLE, contract.READER_ROLE))
_USERS = frozenset((contract.ADMINISTRATOR_ROLE, contract.READER_ROLE, contract.USER_ROLE))
_ONE_MESSAGE = ("messageId", "correlationId")
# The methods of the resources of v1 that are not here; an object has a longer path.
_NOT_HERE = (
    ("GET", ""),
    ("POST", ""),
    ("GET", "/{object}"),
    ("PATCH", "/{object}"),
    ("DELETE", "/{object}"),
)
_CHANGING = frozenset(("POST", "PATCH", "DELETE"))


class Operation(NamedTuple):
    """A method of a resource. `roles` is empty for one that needs no login; `versions` are those
    of a path that has them. `answers` are the statuses of success, `more_errors` those of errors
    that not every resource has. `takes_text`: the body is that of a message.
    """

    method: str
    path: str
    endpoint: Endpoint
    summary: str
    answers: tuple[int, ...] = (200,)
    roles: frozenset[str] = _USERS
    query: tuple[str, ...] = ()
    versions: tuple[str, ...] = contract.VERSIONS
    takes_text: bool = False
    more_errors: tuple[int, ...] = ()

    @property
    def is_refused(self) -> bool:
        """Whether the resource is only there to say that it is not supported."""
        return not self.answers

    @property
    def needs_csrf(self) -> bool:
        """Whether the header must be there that no other site can make a browser send."""
        return self.method in _CHANGING and bool(self.roles)


# Routes are tried in this order: what programs do again and again comes first.
OPERATIONS: tuple[Operation, ...] = (
    Operation(
        "POST",
        f"{_REST}/admin/action/qmgr/{{qmgr}}/mqsc",
        administration.perform_command,
        "Perform one command of MQSC",
    ),
    Operation(
        "POST",
        f"{_QUEUE}/message",
        messaging.put,
        "Put a message",
        (201,),
        takes_text=True,
    ),
    Operation(
        "GET",
        f"{_QUEUE}/message",
        messaging.browse,
        "Browse the next message",
        (200, 204),
        query=_ONE_MESSAGE,
        more_errors=(406, 501),
    ),
    Operation(
        "DELETE",
        f"{_QUEUE}/message",
        messaging.take,
        "Get the next message",
        (200, 204),
        query=(*_ONE_MESSAGE, "wait"),
        more_errors=(406, 501),
    ),
    Operation(
        "GET",
        f"{_QUEUE}/messagelist",
        messaging.list_messages,
        "The identifiers of the next messages",
        query=(*_ONE_MESSAGE, "limit"),
    ),
    Operation("POST", f"{_REST}/login", login.log_in, "Log in", (204,), frozenset()),
    Operation("GET", f"{_REST}/login", login.show_login, "The user with the roles"),
    Operation("DELETE", f"{_REST}/login", login.log_out, "Log out", (204,)),
    Operation(
        "GET",
        f"{_REST}/admin/installation",
        administration.show_installation,
        "The installation",
        query=("attributes",),
    ),
    Operation(
        "GET",
        f"{_REST}/admin/installation/{{installation}}",
        administration.show_installation,
        "The installation by its name",
        query=("attributes",),
    ),
    Operation(
        "GET",
        f"{_REST}/admin/qmgr",
        administration.show_queue_managers,
        "The queue managers",
        query=("state", "attributes", "status"),
    ),
    Operation(
        "GET",
        f"{_REST}/admin/qmgr/{{qmgr}}",
        administration.show_queue_managers,
        "A queue manager",
        query=("state", "attributes", "status"),
    ),
    Operation(
        "POST",
        f"{_REST}/messaging/qmgr/{{qmgr}}/topic/{{topic:path}}/message",
        messaging.put,
        "Publish a message on a topic",
        (201,),
        takes_text=True,
    ),
    *(
        Operation(
            method,
            f"{contract.BASE}/v1/admin/qmgr/{{qmgr}}/{{kind:v1_kind}}{end}",
            administration.refuse_resource,
            "A resource of v1 that is not here: refused",
            (),
            versions=(),
        )
        for method, end in _NOT_HERE
    ),
    Operation(
        "GET",
        f"{_REST}/admin/{{service:file_transfer}}",
        administration.refuse_file_transfer,
        "Managed File Transfer: refused",
        (),
    ),
    Operation(
        "GET", "/metrics", monitoring.metrics, "Metrics for Prometheus", roles=_READERS, versions=()
    ),
    Operation(
        "GET",
        "/health/live",
        monitoring.is_alive,
        "Whether the server answers",
        roles=frozenset(),
        versions=(),
    ),
    Operation(
        "GET",
        "/health/ready",
        monitoring.is_ready,
        "Whether the store can be used",
        (200, 503),
        roles=frozenset(),
        versions=(),
    ),
    Operation(
        "GET",
        "/openapi.json",
        monitoring.openapi,
        "This document",
        versions=(),
    ),
)

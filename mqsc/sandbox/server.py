"""The server of `mqsc mcp`: the tools, as agents see them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import click
from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import ToolAnnotations

from mqsc.console.text.reasons import error_text
from mqsc.sandbox.answers import UNTRUSTED, lines_escaped
from mqsc.sandbox.sandbox import Sandbox
from mqsc.store.error import MQError, StoreError
from mqsc.version import __version__

_INSTRUCTIONS = f"""These tools look at an MQ-style queue manager and try changes of it. \
Every call works on a copy of the store, made for that call and removed after it, so nothing that you \
do here changes anything. Changes are made by a person: try_changes answers with a plan, what it would \
have changed on the last day, and where the plan is saved. {UNTRUSTED}"""
# What is true of every tool, for programs that ask before they call one.
_READS = ToolAnnotations(
    read_only_hint=True,
    destructive_hint=False,
    idempotent_hint=True,
    open_world_hint=False,
)


def made_server(sandbox: Sandbox) -> MCPServer:
    """The server for a store, which is not started yet."""
    server: MCPServer = MCPServer(
        "mqsc",
        version=__version__,
        instructions=_INSTRUCTIONS,
        log_level="ERROR",
    )
    for tool in _tools(sandbox):
        server.add_tool(tool, annotations=_READS, structured_output=True)
    return server


def _tools(sandbox: Sandbox) -> tuple[Callable[..., dict[str, Any]], ...]:
    def display(command: str) -> dict[str, Any]:
        """Perform one MQSC DISPLAY command, such as DISPLAY QLOCAL(*) CURDEPTH, and return its rows.
        Anything but one DISPLAY command is refused.
        """
        with _failing():
            return sandbox.display(command)

    def browse(queue: str, limit: int = 20) -> dict[str, Any]:
        """Return the first messages on a queue (at most 50): descriptor, properties, and the beginning
        of the data, which is untrusted. The messages stay where they are.
        """
        with _failing():
            return sandbox.browse(queue, limit)

    def why(queue: str, put: str = "") -> dict[str, Any]:
        """Explain why a queue does or does not trigger: each condition with the values it depends on,
        and what would change it. `put` describes a put to predict, such as "put priority 5 persistent".
        """
        with _failing():
            return sandbox.why(queue, put)

    def history(
        queue: str = "", kinds: str = "", since: str = "", limit: int = 50
    ) -> dict[str, Any]:
        """Return the newest events of the history (at most 100), oldest first. `queue` may be generic
        (APP.*); `kinds` is a list such as PUT,GET,EXPIRE,ALTER; `since` a time (2026-03-01T09:00) or a
        length of time before now (90s, 2h, 1d).
        """
        with _failing():
            return sandbox.history(queue, kinds, since, limit)

    def trace(msg_id: str) -> dict[str, Any]:
        """Return the life of one message: every event in order, its cause, and where it is now.
        `msg_id` is hexadecimal; the first digits are enough.
        """
        with _failing():
            return sandbox.trace(msg_id)

    def explain(words: str) -> dict[str, Any]:
        """Explain reason codes (2053, MQRC_Q_FULL), messages (AMQ8405), keywords, verbs and object
        types of MQSC, and concepts (backout).
        """
        with _failing():
            return sandbox.explain(words)

    def try_changes(script: str) -> dict[str, Any]:
        """Try a script of MQSC that defines, alters, sets or deletes, on a copy. Returns the plan (what
        would be created, updated, deleted, and what would fail), what would have been different on
        the last day with it, and the file with the plan that a person applies. Commands that define
        nothing are listed as skipped.
        """
        with _failing():
            return sandbox.try_changes(script)

    return display, browse, why, history, trace, explain, try_changes


@contextmanager
def _failing() -> Iterator[None]:
    """Turn a failure that has a sentence into the answer of the tool."""
    try:
        yield
    except click.ClickException as error:
        raise ToolError(lines_escaped(error.format_message())) from error
    except MQError as error:
        raise ToolError(lines_escaped(error_text(error))) from error
    except (StoreError, ValueError) as error:
        raise ToolError(lines_escaped(str(error))) from error

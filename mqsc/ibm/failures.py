"""How a command with a name of IBM's fails: IBM's exit codes, and IBM's texts without `mqsc: `
before them.
"""

from __future__ import annotations

from enum import IntEnum

import click
from msgspec import Struct

from mqsc.console.choices import Choices
from mqsc.console.inputs import InputError
from mqsc.console.plain_failure import PlainFailureError
from mqsc.console.target import (
    NotAuthorizedError,
    NothingRunError,
    NotRunningError,
    UnknownQueueManagerError,
)
from mqsc.console.text.reasons import sentence_of
from mqsc.language.reply import message_line
from mqsc.store.constants import MQRC
from mqsc.store.error import MQError, SharingGroupError, StoreError

NAME_ERROR = "AMQ7048E: The queue manager name is either not valid or not known."


class Code(IntEnum):
    """Exit codes that several of IBM's commands share, and on which scripts act."""

    RUNNING = 5
    EXISTS = 8
    DOES_NOT_EXIST = 16
    WRONG_ARGUMENTS = 36
    WRONG_PARAMETER = 39
    NOT_AVAILABLE = 40
    STOPPING = 49
    UNEXPECTED = 71
    WRONG_NAME = 72
    CANNOT_SWITCH_OVER = 77
    ACTIVE_INSTANCE_NOT_ENDED = 79
    NOT_AUTHORIZED = 119


class ExitCodes(Struct, frozen=True):
    """The exit codes of a command by what went wrong; the defaults are those of runmqsc.

    `failed` is for what the command itself could not do, `not_begun` for a store that cannot be
    used.
    """

    wrong_arguments: int = 20
    unknown_queue_manager: int = 20
    not_running: int = 20
    not_authorized: int = 20
    not_begun: int = 20
    failed: int = 10


class WrongArgumentsError(NothingRunError):
    """The arguments are wrong: the text ends with the usage."""


def unknown_queue_manager(name: str) -> str:
    """The text of most commands when there is no such queue manager."""
    return message_line("AMQ8118E", name)


def not_available(name: str) -> str:
    """The text of most commands when the queue manager has ended."""
    return f"AMQ8146E: IBM MQ queue manager '{name}' not available."


def failure_of(error: Exception, codes: ExitCodes, choices: Choices) -> PlainFailureError | None:
    """What the command prints, and its exit code; None for an error that is no failure of a
    command.
    """
    if isinstance(error, PlainFailureError):
        return error
    code = _exit_code(error, codes, choices)
    return None if code is None else PlainFailureError(_text(error, choices), code)


def _exit_code(error: Exception, codes: ExitCodes, choices: Choices) -> int | None:
    if isinstance(error, (WrongArgumentsError, click.UsageError)):
        return codes.wrong_arguments
    if isinstance(error, UnknownQueueManagerError) or _is_about_missing_store(error, choices):
        return codes.unknown_queue_manager
    if isinstance(error, NotRunningError) or _has_ended(error):
        return codes.not_running
    if isinstance(error, NotAuthorizedError):
        return codes.not_authorized
    if isinstance(error, (NothingRunError, StoreError, InputError)):
        return codes.not_begun
    if isinstance(error, (click.ClickException, MQError, SharingGroupError)):
        return codes.failed
    return None


def _text(error: Exception, choices: Choices) -> str:
    name = choices.qmgr_name()
    if _is_about_missing_store(error, choices) and name is not None:
        return f"{unknown_queue_manager(name)}\n{error}"
    if isinstance(error, click.ClickException):
        return error.format_message()
    return sentence_of(error) if isinstance(error, MQError) else str(error)


def _is_about_missing_store(error: Exception, choices: Choices) -> bool:
    """Whether there is no store: to a script, that is a machine without queue managers."""
    if not isinstance(error, StoreError):
        return False
    try:
        return choices.store_is_missing()
    except StoreError:
        # The URL names no file.
        return False


def _has_ended(error: Exception) -> bool:
    return isinstance(error, MQError) and error.reason == MQRC.Q_MGR_NOT_AVAILABLE

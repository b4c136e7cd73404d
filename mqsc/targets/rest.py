"""A queue manager elsewhere through mqweb, the REST API of IBM MQ: definitions and states by DISPLAY
in JSON, a script command by command as text (targets §2).

What is read gets the form in which IBM's programs write it, so that the same code reads it.
"""

from __future__ import annotations

import json
import ssl
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from socket import SHUT_RDWR
from threading import Timer
from time import gmtime, strftime
from typing import Any, Self
from urllib.parse import urlsplit

from mqsc.console.terminal import printable
from mqsc.constants import MQRC, MQRCCF
from mqsc.grammar.lines import LogicalLine, logical_lines
from mqsc.http import contract
from mqsc.store.catalog import KINDS
from mqsc.store.catalog.status import STATUS_KINDS
from mqsc.store.environment import MICROSECONDS, SystemClock
from mqsc.targets.calls import READING_CALLS, CallFailedError, Output, calls_under_way
from mqsc.targets.declared import user_and_password
from mqsc.targets.displayed_definitions import definition_line, is_defined_there
from mqsc.targets.target import Target, TargetError

_LONGEST = 200
_ZOS = "MVS"
_NOT_ON_ZOS = frozenset({"LISTENER", "SERVICE", "AUTHREC", "COMMINFO"})
_ONLY_ON_ZOS = frozenset({"STGCLASS", "CFSTRUCT"})
# A DISPLAY that finds nothing is an error with one of these reasons.
_NOTHING_FOUND = frozenset(
    (
        MQRC.UNKNOWN_OBJECT_NAME,
        MQRC.NO_SUBSCRIPTION,
        MQRCCF.CHL_STATUS_NOT_FOUND,
        MQRCCF.CHLAUTH_NOT_FOUND,
        MQRCCF.CHANNEL_NOT_FOUND,
        MQRCCF.PROFILE_NAME_ERROR,
    ),
)
_REFUSALS = {
    contract.UNKNOWN_QUEUE_MANAGER: "the queue manager {queue_manager} does not exist there",
    contract.ENDED_QUEUE_MANAGER: "the queue manager {queue_manager} is not running",
    contract.CSRF_MISSING: f"the header {contract.CSRF_HEADER} did not arrive: a proxy may have removed it",
    contract.NOT_AUTHORIZED: "not authorized: the user may not do this at {queue_manager}",
    contract.ROLE_MISSING: "not authorized: the user has no role of mqweb for this, such as MQWebAdmin",
}
_STATUSES = {
    401: "mqweb does not accept the user or the password",
    403: "not authorized: mqweb refuses the user (HTTP 403)",
    404: "there is no REST API of mqweb at this URL (HTTP 404)",
}


class _FailedError(Exception):
    """A request was not answered. `may_be_done`: it may have been carried out all the same."""

    def __init__(self, sentence: str, *, may_be_done: bool = False) -> None:
        super().__init__(sentence)
        self.may_be_done = may_be_done


class Mqweb:
    """A connection to the mqweb of a target for a block that takes at most so many seconds."""

    def __init__(self, target: Target, limit_seconds: float) -> None:
        self._target = target
        self._limit = limit_seconds
        self._is_late = False
        user, password = user_and_password(target)
        self._headers = {
            "Authorization": f"Basic {b64encode(user + b':' + password).decode('ascii')}",
            "Content-Type": "application/json",
            # Any value will do: no other site can make a browser send the header.
            contract.CSRF_HEADER: "mqsc",
        }
        url = urlsplit(target.rest)
        self._path = url.path.rstrip("/") + contract.command_path(target.queue_manager)
        host = url.hostname or ""
        self._connection = (
            HTTPSConnection(host, url.port, timeout=limit_seconds, context=_context(target))
            if url.scheme == "https"
            else HTTPConnection(host, url.port, timeout=limit_seconds)
        )
        self._timer = Timer(limit_seconds, self._end_late)
        self._timer.daemon = True

    def __enter__(self) -> Self:
        calls_under_way.add(self._end)
        self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()
        calls_under_way.discard(self._end)
        self._connection.close()

    def _end_late(self) -> None:
        self._is_late = True
        self._end()

    def _end(self) -> None:
        """End the wait for an answer."""
        socket = self._connection.sock
        if socket is not None:
            with suppress(OSError):
                socket.shutdown(SHUT_RDWR)

    def perform(self, command: Mapping[str, object]) -> list[Mapping[str, Any]]:
        """The items of the answer to a command; _FailedError if there is no answer."""
        self._connect()
        if self._is_late:
            raise _FailedError(f"mqweb has not answered after {self._limit:g} s")
        try:
            self._connection.request("POST", self._path, json.dumps(command), self._headers)
            response = self._connection.getresponse()
            content = response.read()
        except (OSError, HTTPException, ValueError) as error:
            late = self._is_late or isinstance(error, TimeoutError)
            why = f"has not answered after {self._limit:g} s" if late else "cut its answer"
            raise _FailedError(f"mqweb {why}", may_be_done=True) from error
        if response.status not in (200, 201):
            raise self._refused(response.status, content)
        try:
            items = json.loads(content)["commandResponse"]
            are_whole = all(isinstance(item["completionCode"], int) for item in items)
        except (ValueError, KeyError, TypeError, RecursionError):
            are_whole = False
        if not are_whole:
            sentence = "the answer is not that of mqweb: it is cut, or not the JSON of the REST API"
            raise _FailedError(sentence, may_be_done=True)
        return list(items)

    def _connect(self) -> None:
        """Connect, if there is no connection yet; _FailedError."""
        if self._connection.sock is not None:
            return
        host = self._connection.host
        try:
            self._connection.connect()
        except ssl.SSLCertVerificationError as error:
            raise _FailedError(
                f"the certificate of {host} is not trusted ({error.verify_message}); cacert names "
                "the file with the one to trust",
            ) from error
        except TimeoutError as error:
            raise _FailedError(f"{host} has not answered after {self._limit:g} s") from error
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or error
            raise _FailedError(f"{host} cannot be reached: {printable(str(why))}") from error

    def _refused(self, status: int, content: bytes) -> _FailedError:
        """Why mqweb did nothing: by the id of its message, or by the status of HTTP."""
        message_id, message = "", ""
        with suppress(ValueError, KeyError, TypeError, IndexError, RecursionError):
            error = json.loads(content)["error"][0]
            message_id, message = str(error["msgId"]), str(error["message"])
        sentence = _REFUSALS.get(message_id) or _STATUSES.get(status)
        if sentence is None:
            said = f": {printable(message)[:_LONGEST]}" if message else ""
            sentence = f"mqweb failed with HTTP {status}{said}"
        else:
            sentence = sentence.format(queue_manager=self._target.queue_manager)
        return _FailedError(sentence, may_be_done=status >= 500 and message_id not in _REFUSALS)

    def display(
        self,
        noun: str,
        name: str = "",
        parameters: Mapping[str, str] | None = None,
        shown: Sequence[str] = ("all",),
    ) -> Iterator[Mapping[str, Any]]:
        """The attributes of each object that a DISPLAY shows, by keyword."""
        fields: dict[str, object] = {"responseParameters": [*shown]}
        if parameters:
            fields["parameters"] = parameters
        command = contract.command_body("display", noun.lower(), name, **fields)
        for item in self.perform(command):
            values = item.get("parameters")
            if item["completionCode"] == 0 and isinstance(values, dict):
                yield {word.upper(): value for word, value in values.items()}
            elif item["completionCode"] == 0 or item.get("reasonCode") not in _NOTHING_FOUND:
                said = printable(" ".join(contract.texts_of(item)))[:_LONGEST]
                raise _FailedError(f"DISPLAY {noun}: {said or item.get('reasonCode')}")


def _context(target: Target) -> ssl.SSLContext:
    try:
        return ssl.create_default_context(cafile=target.cacert or None)
    except (OSError, ValueError) as error:
        why = "has no certificates" if isinstance(error, ssl.SSLError) else error
        raise TargetError(f"{target.name}: {target.cacert}: {why}") from error


# Reading.


def read(target: Target, name: str, limit_seconds: float) -> Output:
    """What a call of one of IBM's programs to read would write; CallFailedError, and TargetError
    for messages.
    """
    if name == "messages":
        raise TargetError(f"{target.name}: messages are not read over REST; use via")
    try:
        with Mqweb(target, limit_seconds) as mqweb:
            lines = [*(_dump(mqweb, target) if name == "definitions" else _states(mqweb))]
    except _FailedError as failure:
        raise CallFailedError(f"{target.name}: {failure}") from failure
    text = "".join(f"{line}\n" for line in lines)
    return Output(0, text.encode("utf-8", "replace"), b"")


def _dump(mqweb: Mqweb, target: Target) -> Iterator[str]:
    """The definitions in the form of dmpmqcfg -o 1line."""
    manager = next(mqweb.display("QMGR"), {})
    platform = str(manager.get("PLATFORM", ""))
    level = str(manager.get("CMDLEVEL", ""))
    now = gmtime(SystemClock().now() // MICROSECONDS)
    at = strftime("%Y-%m-%d   at %H.%M.%S", now)
    yield f"* Script generated on {at}"
    yield f"* Queue manager name: {printable(str(manager.get('QMNAME', target.queue_manager)))}"
    yield f"* Queue manager platform: {printable(platform)}"
    yield f"* Queue manager command level: ({printable(level)}/{printable(level)})"
    yield "* Command issued: DISPLAY of each kind of object over REST"
    yield from definition_line(KINDS["QMGR"], manager)
    left_out = _NOT_ON_ZOS if platform == _ZOS else _ONLY_ON_ZOS
    for kind in KINDS.values():
        if kind.keyword != "QMGR" and kind.keyword not in left_out:
            name = "" if kind.keyword == "AUTHREC" else "*"
            objects = [*mqweb.display(kind.keyword, name)]
            if kind.keyword == "CHANNEL":
                # Channels of clients may be shown only to those who ask for them.
                objects += mqweb.display("CHANNEL", "*", {"chltype": "clntconn"})
            defined = filter(is_defined_there, objects)
            lines = (line for values in defined for line in definition_line(kind, values))
            yield from dict.fromkeys(lines)
    yield f"* Script ended on {at}"


def _states(mqweb: Mqweb) -> Iterator[str]:
    """The states in the form of runmqsc, an attribute a line, the name first."""
    for command in READING_CALLS["state"].commands:
        _, subject, *shown = command.split()
        noun, _, name = subject.rstrip(")").partition("(")
        kind = KINDS.get(noun) or STATUS_KINDS[noun]
        for values in mqweb.display(noun, name, shown=shown):
            yield f"{kind.heading_id}: {kind.heading}"
            first = [word for word in ("QMNAME", "QUEUE", "CHSTATUS", "CHANNEL") if word in values]
            for word in dict.fromkeys((*first, *values)):
                yield f"   {printable(word)}({printable(str(values[word]))})"


# Sending.


def send(target: Target, commands: Sequence[Sequence[str]], limit_seconds: float) -> Output:
    """Send commands, each given as lines, one by one, and give the replies as runmqsc echoes them.

    A command that fails does not keep the others from being sent. CallFailedError, with what was
    answered so far, if mqweb did not answer one.
    """
    echo = ""
    try:
        with Mqweb(target, limit_seconds) as mqweb:
            for number, lines in enumerate(commands, 1):
                items = mqweb.perform(contract.command_text(_text(lines)))
                replies = (text for item in items for text in contract.texts_of(item))
                echo += "\n".join((f"{number:>6} : {lines[0]}", *replies, ""))
    except _FailedError as failure:
        # As of a program that was killed, of which it is not known what it did last, or of runmqsc
        # when it performs nothing.
        code = -1 if failure.may_be_done else 20
        output = Output(code, echo.encode("utf-8", "replace"), b"")
        raise CallFailedError(f"{target.name}: {failure}", output) from failure
    return Output(0, echo.encode("utf-8", "replace"), b"")


def _text(lines: Sequence[str]) -> str:
    """A command in one line."""
    parts = (line.text.strip() for line in logical_lines(lines) if isinstance(line, LogicalLine))
    return " ".join(parts)

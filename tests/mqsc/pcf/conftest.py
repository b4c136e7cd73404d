"""A queue manager whose command server answers, and PCF as tests write it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

import mqsc
from mqsc import Message, MessageDescriptor, MQError, QueueManager
from mqsc.store.constants import MQOO, MQPMO
from mqsc.store.environment import Environment, FrozenClock
from mqsc.store.headers import pcf
from mqsc.store.headers.pcf import CommandHeader, Parameter
from mqsc.store.message import PutMessageOptions

COMMANDS, REPLIES = "SYSTEM.ADMIN.COMMAND.QUEUE", "REPLIES"
NAME, TYPE, LOCAL = 2016, 20, 1


@dataclass(frozen=True)
class Response:
    """A response: the numbers of its header, and its parameters."""

    completion: int
    reason: int
    parameters: dict[int, Any] = field(default_factory=dict)
    command: int = 0
    sequence: int = 0
    control: int = 0
    version: int = 0

    @property
    def outcome(self) -> tuple[int, int]:
        return self.completion, self.reason


@dataclass
class Administrator:
    """A program that puts commands and gets the responses."""

    qmgr: QueueManager

    def __post_init__(self) -> None:
        self.connection = self.qmgr.connect("admin", "alice")
        self.commands = self.connection.open(COMMANDS, int(MQOO.OUTPUT))
        self.replies = self.connection.open(REPLIES, int(MQOO.INPUT_SHARED))

    def put(self, data: bytes, *, unit: bool = False, **descriptor: Any) -> MessageDescriptor:
        given = {"msg_type": 1, "format": "MQADMIN", "reply_to_q": REPLIES, **descriptor}
        options = PutMessageOptions(int(MQPMO.SYNCPOINT) if unit else 0)
        return self.commands.put(Message(data, MessageDescriptor(**given)), options)

    def messages(self) -> Iterator[Message]:
        while True:
            try:
                yield self.replies.get()
            except MQError:
                return

    def responses(self) -> list[Response]:
        return [response(each) for each in self.messages()]

    def ask(self, command: int, *parameters: Parameter, **header: int) -> list[Response]:
        """The responses to a command."""
        self.put(request(command, *parameters, **header))
        return self.responses()

    def outcomes(
        self,
        command: int,
        *parameters: Parameter,
        **header: int,
    ) -> list[tuple[int, int]]:
        return [each.outcome for each in self.ask(command, *parameters, **header)]

    def run(self, text: str) -> list[str]:
        return [each.message_id for each in mqsc.run(self.qmgr, text.splitlines())]


def request(
    command: int,
    *parameters: Parameter,
    encoding: int = 546,
    ccsid: int = 1208,
    **header: int,
) -> bytes:
    fields = {"type": pcf.COMMAND_XR, "version": 3, **header}
    return pcf.pack(CommandHeader(command=command, **fields), parameters, encoding, ccsid)


def response(message: Message) -> Response:
    header, parameters = pcf.unpack(message.body)
    values = {each.number: each.value for each in parameters}
    numbers = header.command, header.msg_seq_number, header.control, header.version
    return Response(header.comp_code, header.reason, values, *numbers)


def named(name: str, *more: Parameter) -> Sequence[Parameter]:
    """The parameters that name a local queue, and more."""
    return [Parameter(NAME, name), Parameter(TYPE, LOCAL), *more]


@pytest.fixture
def admin(environment: Environment[FrozenClock]) -> Iterator[Administrator]:
    with mqsc.open_store("sqlite://", environment=environment) as store:
        qmgr = store.create_queue_manager("QM1")
        mqsc.run(qmgr, f"DEFINE QLOCAL({REPLIES})")
        yield Administrator(qmgr)

"""Scenarios with consumers. A program's consumer of a queue lives as long as its connection.

fail 3 unit=5                   a program gets the first messages, one unless unit says so, and
backs out; 3 times receive from Q wait=100 => m1   a synchronous receive: the message, `nothing`, or
CC/RC unit from Q batch=5 => m1 m2    several messages for one unit of work listen to Q batch=5
bad=m2      the messages that the listener was given, in order; it fails for the bad one report =>
feedback=2362         the first message of the queue REPLIES
"""

from __future__ import annotations

from typing import Any

from mqsc.store.client.consumer import Consumer
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQGMO, MQOO
from mqsc.store.error import MQError
from mqsc.store.message import GetMessageOptions, Message
from tests.scenarios.play import Play, done
from tests.scenarios.words import Outcome, after, shown

SYNCPOINT = GetMessageOptions(MQGMO.SYNCPOINT)


class PoisonPlay(Play):
    """A queue manager, its programs, and their consumers."""

    def __init__(self, qmgr: QueueManager, *others: QueueManager) -> None:
        super().__init__(qmgr, *others)
        self.consumers: dict[tuple[str, str], Consumer] = {}

    def consumer(self, who: str, queue: str, words: list[str]) -> Consumer:
        """Return the consumer of a program, opening it if necessary with the settings among the
        words.
        """
        settings: dict[str, Any] = {
            name: int(value) for name, _, value in (each.partition("=") for each in words)
        }
        key = (who, queue)
        if key not in self.consumers:
            self.consumers[key] = self.connection(who).consumer(queue, **{"wait": 0, **settings})
        return self.consumers[key]

    def _fail(self, who: str, words: list[str]) -> Outcome:
        handle = self.handle("FAILING", after(words, "on") or "Q", "get", MQOO.INPUT_SHARED)
        in_unit = next(
            (int(each.removeprefix("unit=")) for each in words if each.startswith("unit=")),
            1,
        )
        for _ in range(int(words[0])):
            for _ in range(in_unit):
                handle.get(SYNCPOINT)
            handle.connection.back()
        return done

    def _receive(self, who: str, words: list[str]) -> Outcome:
        message = self.consumer(who, after(words, "from") or "Q", words).receive()
        if message is None:
            return lambda wanted: ["nothing"]
        return lambda wanted: shown(message, wanted, self.placed)

    def _unit(self, who: str, words: list[str]) -> Outcome:
        units = self.consumer(who, after(words, "from") or "Q", words).units()
        return _texts([text(message) for message in next(units, [])])

    def _listen(self, who: str, words: list[str]) -> Outcome:
        queue = after(words, "to") or "Q"
        bad = {each.removeprefix("bad=") for each in words if each.startswith("bad=")}
        others = [each for each in words if not each.startswith("bad=")]
        given: list[str] = []

        def deliver(message: Message) -> None:
            given.append(text(message))
            if text(message) in bad:
                raise ValueError(text(message))

        try:
            self.consumer(who, queue, others).listen(deliver, lambda message, error: None)
        except MQError as ended:
            given.append(f"{ended.completion}/{int(ended.reason)}")
        return _texts(given)

    def _report(self, who: str, words: list[str]) -> Outcome:
        message = self.handle("LOOKING", "REPLIES", "get", MQOO.BROWSE).get(
            GetMessageOptions(MQGMO.BROWSE_FIRST),
        )
        return lambda wanted: shown(message, wanted, self.placed)


def text(message: Message) -> str:
    """Return the data without trailing dots."""
    return message.body.rstrip(b".").decode()


def _texts(texts: list[str]) -> Outcome:
    return lambda wanted: texts or ["nothing"]

"""The dead-letter queue handler: browse with lock, choose, act; each message is its own unit of work (dlq-rules §4)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mqsc.dlq import scanning
from mqsc.dlq.action import Plan, Put, is_repeated_failure, plan_of
from mqsc.dlq.matching import Chooser
from mqsc.dlq.message import facts_of
from mqsc.dlq.move import TAKING, failure_of, got, outcome_of
from mqsc.dlq.notices import BROKEN, END, GET, NO_LETTER, PUT_FAILED, RETURNING, Call, Notice, notice, of_failure
from mqsc.dlq.rules import Rule, RulesTable
from mqsc.dlq.scanning import Key, Look
from store.constants import MQGMO, MQMO, MQOO, name_of
from store.error import MQError
from store.headers import mqdlh
from store.headers.layout import HeaderError
from store.headers.mqdlh import DeadLetterHeader
from store.message import GetMessageOptions, Message

if TYPE_CHECKING:
    from store.client.api import ObjectHandle

TO_HANDLE = MQOO.BROWSE | MQOO.INPUT_AS_Q_DEF | MQOO.SAVE_ALL_CONTEXT | MQOO.FAIL_IF_QUIESCING
# Not with CONVERT: it would turn the data behind the header too, and say so in the header. The header alone is read in
# the encoding and CCSID of its descriptor, which is what the conversion of a copy is for (§4.1).
LOOKING = MQGMO.LOCK | MQGMO.ACCEPT_TRUNCATED_MSG | MQGMO.FAIL_IF_QUIESCING
UNLOCKING = GetMessageOptions(MQGMO.UNLOCK)
EXACT = MQMO.MATCH_MSG_ID | MQMO.MATCH_CORREL_ID
# A message that rules send back to the queue it came from is left alone when it has come back so often (trap 30).
RETURNS = 10
MILLISECOND = 1000


class HandlerStoppedError(Exception):
    """The handler cannot go on. `said` is what there is to say of it; None when the queue manager has gone."""

    def __init__(self, said: Notice | None) -> None:
        super().__init__(said.text if said else "the queue manager has ended")
        self.said = said


def ended_by(call: Call, error: MQError, name: str) -> HandlerStoppedError:
    """The end that a failed call about the object `name` brings."""
    return HandlerStoppedError(None if int(error.reason) in BROKEN else of_failure(call, error, name))


@dataclass(frozen=True, slots=True)
class Letter:
    """A message that was browsed, with its dead-letter header."""

    message: Message
    header: DeadLetterHeader
    key: Key


class Handler:
    """Works on a queue by a rules table. Holds how often it has attempted each message that it saw and left there.

    The queue is open with TO_HANDLE. `leads_back` tells whether a put to a queue on a queue manager arrives at the very
    queue worked on.
    """

    def __init__(
        self,
        queue: ObjectHandle,
        table: RulesTable,
        say: Callable[[Notice], None],
        leads_back: Callable[[str, str], bool],
    ) -> None:
        self._queue = queue
        self._connection = queue.connection
        self._say = say
        self._leads_back = leads_back
        self._returned: dict[Key, int] = {}
        # What `leads_back` said since the queue was last begun from its head: objects are defined anew now and then.
        self._own: dict[tuple[str, str], bool] = {}
        self.adopt(table)

    def adopt(self, table: RulesTable) -> None:
        """Work by this table from now on, as if started anew: no message was attempted, the whole queue is read."""
        self._chooser = Chooser(table)
        self._attempts: dict[Key, int] = {}
        self._scanning = scanning.beginning(table.control, self._now())

    def run(self, goes_on: Callable[[], bool]) -> None:
        """Work until there is nothing left to do, or `goes_on` says no between two messages. HandlerEnded."""
        now = self._now()
        while goes_on():
            look = scanning.next_look(self._scanning, now)
            message = self._browsed(look)
            now = self._now()
            if look.is_scan:
                self._own.clear()
            if message is not None:
                self._scanning = scanning.found(self._scanning, look, now)
                self._meet(message, now)
                continue
            left = scanning.nothing_found(self._scanning, look, now)
            if left is None:
                return
            self._scanning = left

    def _now(self) -> int:
        return self._connection.qmgr.now()

    def _browsed(self, look: Look) -> Message | None:
        """The message that the look comes upon, locked; None when there is none in time."""
        options = GetMessageOptions(
            LOOKING | (MQGMO.BROWSE_FIRST if look.from_head else MQGMO.BROWSE_NEXT), buffer_length=mqdlh.LENGTH
        )
        if look.message is not None:
            options.match_options = EXACT
            options.msg_id, options.correl_id = look.message
        if look.wait != 0:
            options.options |= MQGMO.WAIT
            options.wait_interval = -1 if look.wait is None else -(-look.wait // MILLISECOND)
        return self._get(options)

    def _meet(self, message: Message, now: int) -> None:
        """Deal with one message that is locked: it is gone afterwards, or remembered."""
        descriptor = message.descriptor
        key = (descriptor.msg_id, descriptor.correl_id)
        try:
            header = mqdlh.unpack(message.body, descriptor.encoding, descriptor.coded_char_set_id)
        except HeaderError as fault:
            self._say(notice(NO_LETTER, msg_id=_hexadecimal(key), fault=str(fault)))
            self._first_sight(key, now)
            self._get(UNLOCKING)
            return
        rule = self._chooser.choose(facts_of(descriptor, header), self._attempts.get(key, 0))
        # Whole and as it is: it keeps its own bytes, encoding and CCSID (trap 6).
        whole = self._get(TAKING)
        if whole is None:
            return
        letter = Letter(whole, header, key)
        plan = None if rule is None else plan_of(rule, whole.descriptor, header, whole.body)
        if plan is None or not plan.removes or self._goes_round(plan, letter):
            self._leave(letter, now)
        elif self._carried_out(plan, letter):
            self._scanning = scanning.worked(self._scanning, now)
        else:
            self._scanning = scanning.worked(self._scanning, now)
            self._try_again(letter, now)

    def _get(self, options: GetMessageOptions) -> Message | None:
        """The message that the options ask for; None when there is none (any more)."""
        try:
            return got(self._queue, options)
        except MQError as error:
            raise ended_by(GET, error, self._queue.name) from error

    def _carried_out(self, plan: Plan, letter: Letter) -> bool:
        """Do what the rule says and commit; whether that succeeded. Backed out when not."""
        failure = None if plan.put is None else failure_of(self._queue, plan.put)
        if failure is not None and plan.put is not None:
            self._end_unit(self._connection.back)
            self._report_failure(plan.rule, plan.put, failure, letter)
            return False
        attempt = self._attempts.get(letter.key, 0) + 1
        outcome = outcome_of(plan, letter.header, "handler", attempt)
        self._end_unit(lambda: self._connection.commit(outcome))
        self._attempts.pop(letter.key, None)
        return True

    def _report_failure(self, rule: Rule, put: Put, reason: int, letter: Letter) -> None:
        if is_repeated_failure(put, reason, letter.header):
            return
        target = f"{put.queue} on {put.queue_manager}" if put.queue_manager else put.queue or "' '"
        name, msg_id = name_of("MQRC", reason), _hexadecimal(letter.key)
        self._say(notice(PUT_FAILED, line=rule.line, target=target, reason=reason, name=name, msg_id=msg_id))

    def _goes_round(self, plan: Plan, letter: Letter) -> bool:
        """Whether the message would come back once more than it may; counts how often it is sent back here."""
        if plan.put is None or not self._is_own(plan.put.queue, plan.put.queue_manager):
            return False
        times = self._returned.get(letter.key, 0)
        if times == RETURNS:
            self._say(notice(RETURNING, times=times, target=plan.put.queue, msg_id=_hexadecimal(letter.key)))
        self._returned[letter.key] = times + 1
        return times >= RETURNS

    def _is_own(self, queue: str, queue_manager: str) -> bool:
        target = (queue, queue_manager)
        if target not in self._own:
            self._own[target] = self._leads_back(*target)
        return self._own[target]

    def _leave(self, letter: Letter, now: int) -> None:
        """Nothing is done with the message: it goes back to its place, its backout count one higher (trap 23)."""
        self._end_unit(self._connection.back)
        self._first_sight(letter.key, now)
        self._attempts[letter.key] += 1

    def _first_sight(self, key: Key, now: int) -> None:
        """Remember a message that stays; to have seen it for the first time is useful work."""
        if key not in self._attempts:
            self._attempts[key] = 0
            self._scanning = scanning.worked(self._scanning, now)

    def _try_again(self, letter: Letter, now: int) -> None:
        """A put failed: count the attempt; while a rule is left for the message it is tried again after RETRYINT."""
        attempts = self._attempts[letter.key] = self._attempts.get(letter.key, 0) + 1
        rule = self._chooser.choose(facts_of(letter.message.descriptor, letter.header), attempts)
        if rule is not None and rule.action != "IGNORE":
            self._scanning = scanning.failed(self._scanning, letter.key, now)

    def _end_unit(self, end: Callable[[], None]) -> None:
        try:
            end()
        except MQError as error:
            raise ended_by(END, error, self._queue.name) from error


def _hexadecimal(key: Key) -> str:
    return key[0].hex().upper()

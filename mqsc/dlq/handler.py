"""The dead-letter queue handler: browse with lock, find a rule, act (dlq-rules §4).

The browsed header decides. Only a message that is moved or discarded is got, in a unit of work of
its own.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from typing import Literal, NamedTuple

from msgspec import Struct

from mqsc.console.getting import get_or_none
from mqsc.dlq import browse_state, notices
from mqsc.dlq.browse_state import Browse, MessageKey
from mqsc.dlq.facts import facts_of
from mqsc.dlq.matching import RuleMatcher
from mqsc.dlq.moving import BROWSE_OPTIONS, GET_UNDER_CURSOR, STORED, outcome_of, put_in_unit
from mqsc.dlq.notices import FailedCall, Notice, failure_notice, notice
from mqsc.dlq.planned_put import (
    PlannedPut,
    is_repeated_failure,
    planned_put,
    strips_header,
    target_of,
)
from mqsc.dlq.rules_table import Rule, RulesTable
from mqsc.dlq.seen_messages import SeenMessages
from mqsc.dlq.text_parts import target_text
from mqsc.store.client.object_handle import ObjectHandle
from mqsc.store.constants import MQGMO, MQMO, MQOO, name_of
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.error import MQError
from mqsc.store.headers import mqdlh
from mqsc.store.headers.layout import HeaderError
from mqsc.store.headers.mqdlh import DeadLetterHeader
from mqsc.store.message import GetMessageOptions, Message

HANDLER_OPEN_OPTIONS = (
    MQOO.BROWSE | MQOO.INPUT_AS_Q_DEF | MQOO.SAVE_ALL_CONTEXT | MQOO.FAIL_IF_QUIESCING
)
# Without CONVERT, which would also convert the data after the header and change the header's
# encoding and CCSID. The header alone is unpacked in the encoding and CCSID of its descriptor;
# dlq-rules §4.1 converts a copy instead.
UNLOCK = GetMessageOptions(MQGMO.UNLOCK)
BY_KEY = MQMO.MATCH_MSG_ID | MQMO.MATCH_CORREL_ID
# How often a message may be moved to a queue and come back, before moving it there counts as a
# failure: a rule may forward a message in a circle (dlq-rules §7, 30).
MOST_RETURNS = 10
MILLISECOND = 1000


class HandlerStoppedError(Exception):
    """The handler cannot continue. `notice` is None when the queue manager has ended, for which
    there is no message.
    """

    def __init__(self, ended_by: Notice | None) -> None:
        super().__init__(ended_by.text if ended_by else "the queue manager has ended")
        self.notice = ended_by


def stopped_by(call: FailedCall, error: MQError, name: str) -> HandlerStoppedError:
    """The error that ends the handler after a failed call on the object `name`."""
    return HandlerStoppedError(
        None if int(error.reason) in notices.BROKEN else failure_notice(call, error, name),
    )


class BrowsedMessage(Struct, frozen=True):
    """A message under the cursor, locked, and cut off after its dead-letter header."""

    descriptor: MessageDescriptor
    header: DeadLetterHeader
    key: MessageKey

    @property
    def arrived(self) -> int:
        return self.descriptor.put_at or 0


class Failed(NamedTuple):
    """The action was refused, or its put failed and was backed out. RETRYINT begins at `at`."""

    at: int


# What became of an action. GONE: the message left the queue between the browse and the get.
DONE: Literal["done"] = "done"
GONE: Literal["gone"] = "gone"
ActionOutcome = Failed | Literal["done", "gone"]


class Handler:
    """Processes a queue, opened with HANDLER_OPEN_OPTIONS, by a rules table.

    Counts the attempts for each message that it left on the queue. `leads_back` tells whether a put
    to a queue on a queue manager arrives on the processed queue. `times_moved` tells how often the
    message was moved from the processed queue to a queue before it arrived.
    """

    def __init__(
        self,
        queue: ObjectHandle,
        table: RulesTable,
        report: Callable[[Notice], None],
        leads_back: Callable[[str, str], bool],
        times_moved: Callable[[MessageDescriptor, str], int],
    ) -> None:
        self._queue = queue
        self._connection = queue.connection
        self._report = report
        # Until the next scan from the head of the queue, because definitions may change.
        self._leads_back = cache(leads_back)
        self._times_moved = times_moved
        self._holds_lock = False
        self._done = 0
        self.use(table)

    def use(self, table: RulesTable) -> None:
        """Apply this table from now on as if just started: count attempts from zero, scan the
        whole queue.
        """
        self._matcher = RuleMatcher(table)
        self._seen = SeenMessages()
        self._state = browse_state.initial_state(table.control, self._now())
        # By line of the rule.
        self._moved: Counter[int] = Counter()
        self._failed: Counter[int] = Counter()

    def run(self, may_continue: Callable[[], bool]) -> None:
        """Process messages until none is left to process, or `may_continue` returns False between
        two messages.

        Raises HandlerStoppedError.
        """
        while may_continue():
            now = self._now()
            browse = browse_state.next_browse(self._state, now)
            message = self._browsed(browse, now)
            now = self._now()
            if message is not None:
                if browse.is_scan:
                    self._start_scan()
                self._state = browse_state.after_message(self._state, browse, now)
                self._process(message, now)
                continue
            if self._state.is_scanning:
                self._seen.end_scan()
            state = browse_state.after_no_message(self._state, browse, now)
            if state is None:
                return
            self._state = state

    def rule_totals(self) -> Iterator[Notice]:
        """The totals of each rule of the present table that has done anything."""
        for line in sorted(self._moved.keys() | self._failed.keys()):
            yield notice(
                notices.RULE_TOTALS,
                line=line,
                done=self._moved[line],
                failed=self._failed[line],
            )

    def totals(self) -> Iterator[Notice]:
        """The totals of each rule, and the outcomes of all messages."""
        yield from self.rule_totals()
        failed, left = self._seen.remaining()
        yield notice(
            notices.TOTALS,
            queue=self._queue.name,
            done=self._done,
            failed=failed,
            left=left,
        )

    def _now(self) -> int:
        return self._connection.qmgr.now()

    def _start_scan(self) -> None:
        self._leads_back.cache_clear()
        self._seen.start_scan()

    def _browsed(self, browse: Browse, since: int) -> Message | None:
        """The message, locked; None when there is none within the wait, which began at `since`."""
        options = GetMessageOptions(
            BROWSE_OPTIONS | (MQGMO.BROWSE_FIRST if browse.from_head else MQGMO.BROWSE_NEXT),
            buffer_length=mqdlh.MQDLH_LENGTH,
            property_control=STORED,
        )
        if browse.message is not None:
            options.match_options = BY_KEY
            options.msg_id, options.correl_id = browse.message
        if browse.wait == 0:
            return self._locked(options)
        # The lock would keep other programs from getting the last message during the wait.
        self._unlock()
        if browse.is_scan:
            message = self._locked(options)
            if message is not None:
                return message
            # The queue is empty.
            self._start_scan()
            self._seen.end_scan()
        options.options |= MQGMO.WAIT
        # Otherwise a manual clock that was advanced just before would end this wait only when it is
        # advanced again.
        options.waits_since = since
        options.wait_interval = -1 if browse.wait is None else -(-browse.wait // MILLISECOND)
        return self._locked(options)

    def _locked(self, options: GetMessageOptions) -> Message | None:
        message = self._get(options)
        self._holds_lock = self._holds_lock or message is not None
        return message

    def _unlock(self) -> None:
        if self._holds_lock:
            self._get(UNLOCK)
            self._holds_lock = False

    def _get(self, options: GetMessageOptions) -> Message | None:
        try:
            return get_or_none(self._queue, options)
        except MQError as error:
            raise stopped_by(notices.GET, error, self._queue.name) from error

    def _process(self, message: Message, now: int) -> None:
        """Apply a rule to a locked message. It then has left the queue, or stays there and is
        counted as seen.
        """
        descriptor = message.descriptor
        key = (descriptor.msg_id, descriptor.correl_id)
        try:
            header = mqdlh.unpack_mqdlh(
                message.body,
                descriptor.encoding,
                descriptor.coded_char_set_id,
            )
        except HeaderError as fault:
            if self._leave(key, descriptor.put_at or 0, now):
                self._report(notice(notices.NO_HEADER, msg_id=_hexadecimal(key), fault=str(fault)))
            return
        browsed = BrowsedMessage(descriptor, header, key)
        rule = self._matcher.rule_for(
            facts_of(descriptor, header),
            self._seen.attempts(key, browsed.arrived),
        )
        if rule is None or rule.effect.does_nothing:
            self._leave(key, browsed.arrived, now)
            return
        outcome = self._refusal(rule, browsed) or self._carried_out(rule, browsed)
        if outcome == DONE:
            self._count_success(rule, browsed)
        elif isinstance(outcome, Failed):
            self._count_failure(rule, browsed, outcome.at)

    def _count_success(self, rule: Rule, browsed: BrowsedMessage) -> None:
        self._moved[rule.line] += 1
        self._done += 1
        self._seen.forget(browsed.key)
        self._state = browse_state.after_work(self._state, self._now())

    def _count_failure(self, rule: Rule, browsed: BrowsedMessage, failed_at: int) -> None:
        self._failed[rule.line] += 1
        self._state = browse_state.after_work(self._state, failed_at)
        self._schedule_retry(browsed, failed_at)

    def _refusal(self, rule: Rule, browsed: BrowsedMessage) -> Failed | None:
        """Report and refuse a move that would lead in a circle, or to this queue without the
        MQDLH; None when the action may be carried out.
        """
        target = target_of(rule, browsed.descriptor, browsed.header)
        if target is None:
            return None
        inserts = {
            "line": rule.line,
            "target": target_text(target),
            "msg_id": _hexadecimal(browsed.key),
        }
        if strips_header(rule) and self._leads_back(*target):
            return self._reported_failure(notice(notices.WOULD_LOSE_HEADER, **inserts))
        times = self._times_moved(browsed.descriptor, target[0])
        if times >= MOST_RETURNS:
            return self._reported_failure(notice(notices.RETURNED, times=times, **inserts))
        return None

    def _reported_failure(self, report: Notice) -> Failed:
        """Report a failed action. RETRYINT begins before that: a reader of the report may
        advance the clock.
        """
        failed = Failed(self._now())
        self._report(report)
        return failed

    def _carried_out(self, rule: Rule, browsed: BrowsedMessage) -> ActionOutcome:
        """Get the message and act on it in one unit of work: committed when the action is done,
        backed out when its put failed.
        """
        # Without conversion: the data keeps its bytes, encoding and CCSID (dlq-rules §7, 6).
        whole = self._get(GET_UNDER_CURSOR)
        self._holds_lock = False
        if whole is None:
            return GONE
        put = planned_put(rule, whole.descriptor, browsed.header, whole.body)
        if put is not None:
            reason = put_in_unit(self._queue, put)
            if reason is not None:
                self._end_unit(self._connection.back)
                return self._failed_put(rule, browsed, put, reason)
        attempt = self._seen.attempts(browsed.key, browsed.arrived) + 1
        outcome = outcome_of(rule, put, browsed.header, "handler", attempt)
        self._end_unit(lambda: self._connection.commit(outcome))
        return DONE

    def _failed_put(
        self,
        rule: Rule,
        browsed: BrowsedMessage,
        put: PlannedPut,
        reason: int,
    ) -> Failed:
        """Report a put that failed with this MQRC."""
        is_repeated = is_repeated_failure(put, reason, browsed.header)
        report = notice(
            notices.PUT_FAILED_AGAIN if is_repeated else notices.PUT_FAILED,
            line=rule.line,
            target=target_text((put.queue, put.queue_manager)),
            reason=reason,
            name=name_of("MQRC", reason),
            msg_id=_hexadecimal(browsed.key),
        )
        return self._reported_failure(report)

    def _leave(self, key: MessageKey, arrived: int, now: int) -> bool:
        """The message stays; whether it is seen for the first time, which counts as work."""
        is_new = self._seen.meet(key, arrived, now, is_scanning=self._state.is_scanning)
        if is_new:
            self._state = browse_state.after_work(self._state, now)
        return is_new

    def _schedule_retry(self, browsed: BrowsedMessage, now: int) -> None:
        """Count a failure. The message is retried after RETRYINT unless the next rule is IGNORE
        or there is none.
        """
        self._leave(browsed.key, browsed.arrived, now)
        attempts = self._seen.count_attempt(browsed.key)
        rule = self._matcher.rule_for(facts_of(browsed.descriptor, browsed.header), attempts)
        if rule is not None and not rule.effect.does_nothing:
            self._state = browse_state.after_failed_put(self._state, browsed.key, now)

    def _end_unit(self, end: Callable[[], None]) -> None:
        try:
            end()
        except MQError as error:
            raise stopped_by(notices.END, error, self._queue.name) from error


def _hexadecimal(key: MessageKey) -> str:
    return key[0].hex().upper()

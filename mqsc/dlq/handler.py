"""The dead-letter queue handler: browse with lock, find a rule, act (dlq-rules §4). Each message is a unit of work."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mqsc.dlq import browse_state
from mqsc.dlq.action import ActionPlan, PlannedPut, is_repeated_failure, plan_action
from mqsc.dlq.browse_state import Browse, MessageKey
from mqsc.dlq.facts import facts_of
from mqsc.dlq.matching import RuleMatcher
from mqsc.dlq.move import GET_UNDER_CURSOR, disposition_of, get_or_none, put_in_unit
from mqsc.dlq.notices import (
    BROKEN,
    END,
    GET,
    NO_HEADER,
    PUT_FAILED,
    RETURNED,
    FailedCall,
    Notice,
    failure_notice,
    notice,
)
from mqsc.dlq.rules import Rule, RulesTable
from store.constants import MQGMO, MQMO, MQOO, name_of
from store.error import MQError
from store.headers import mqdlh
from store.headers.layout import HeaderError
from store.headers.mqdlh import DeadLetterHeader
from store.message import GetMessageOptions, Message

if TYPE_CHECKING:
    from store.client.api import ObjectHandle

HANDLER_OPEN_OPTIONS = MQOO.BROWSE | MQOO.INPUT_AS_Q_DEF | MQOO.SAVE_ALL_CONTEXT | MQOO.FAIL_IF_QUIESCING
# Without CONVERT, which would also convert the data after the header and change the header's encoding and CCSID. The
# header alone is unpacked in the encoding and CCSID of its descriptor; dlq-rules §4.1 converts a copy instead.
BROWSE_OPTIONS = MQGMO.LOCK | MQGMO.ACCEPT_TRUNCATED_MSG | MQGMO.FAIL_IF_QUIESCING
UNLOCK = GetMessageOptions(MQGMO.UNLOCK)
BY_KEY = MQMO.MATCH_MSG_ID | MQMO.MATCH_CORREL_ID
# How often rules may put a message back on the queue it came from, before it is ignored (trap 30).
MOST_RETURNS = 10
MILLISECOND = 1000


class HandlerStoppedError(Exception):
    """The handler cannot continue. `notice` is None when the queue manager has ended, for which there is no message."""

    def __init__(self, notice: Notice | None) -> None:
        super().__init__(notice.text if notice else "the queue manager has ended")
        self.notice = notice


def stopped_by(call: FailedCall, error: MQError, name: str) -> HandlerStoppedError:
    """The error that ends the handler after a failed call on the object `name`."""
    return HandlerStoppedError(None if int(error.reason) in BROKEN else failure_notice(call, error, name))


@dataclass(frozen=True, slots=True)
class TakenMessage:
    """A message got in the current unit of work, with its dead-letter header."""

    message: Message
    header: DeadLetterHeader
    key: MessageKey


class Handler:
    """Processes a queue, opened with HANDLER_OPEN_OPTIONS, by a rules table.

    Counts the attempts for each message that it left on the queue. `leads_back` tells whether a put to a queue on a
    queue manager arrives on the processed queue.
    """

    def __init__(
        self,
        queue: ObjectHandle,
        table: RulesTable,
        report: Callable[[Notice], None],
        leads_back: Callable[[str, str], bool],
    ) -> None:
        self._queue = queue
        self._connection = queue.connection
        self._report = report
        self._leads_back = leads_back
        self._returns: dict[MessageKey, int] = {}
        # Caches `leads_back` until the next scan from the head of the queue, because definitions may change.
        self._leads_back_cache: dict[tuple[str, str], bool] = {}
        self.use(table)

    def use(self, table: RulesTable) -> None:
        """Apply this table from now on as if just started: count attempts from zero, scan the whole queue."""
        self._matcher = RuleMatcher(table)
        self._attempts: dict[MessageKey, int] = {}
        self._state = browse_state.initial_state(table.control, self._now())

    def run(self, may_continue: Callable[[], bool]) -> None:
        """Process messages until none is left to process, or `may_continue` returns False between two messages.

        Raises HandlerStoppedError.
        """
        now = self._now()
        while may_continue():
            browse = browse_state.next_browse(self._state, now)
            message = self._browsed(browse)
            now = self._now()
            if browse.is_scan:
                self._leads_back_cache.clear()
            if message is not None:
                self._state = browse_state.after_message(self._state, browse, now)
                self._process(message, now)
                continue
            state = browse_state.after_no_message(self._state, browse, now)
            if state is None:
                return
            self._state = state

    def _now(self) -> int:
        return self._connection.qmgr.now()

    def _browsed(self, browse: Browse) -> Message | None:
        """The message, locked; None when there is none within the wait."""
        options = GetMessageOptions(
            BROWSE_OPTIONS | (MQGMO.BROWSE_FIRST if browse.from_head else MQGMO.BROWSE_NEXT),
            buffer_length=mqdlh.LENGTH,
        )
        if browse.message is not None:
            options.match_options = BY_KEY
            options.msg_id, options.correl_id = browse.message
        if browse.wait != 0:
            options.options |= MQGMO.WAIT
            options.wait_interval = -1 if browse.wait is None else -(-browse.wait // MILLISECOND)
        return self._get(options)

    def _process(self, message: Message, now: int) -> None:
        """Apply a rule to a locked message. Afterwards the message is gone, or its attempts are counted."""
        descriptor = message.descriptor
        key = (descriptor.msg_id, descriptor.correl_id)
        try:
            header = mqdlh.unpack(message.body, descriptor.encoding, descriptor.coded_char_set_id)
        except HeaderError as fault:
            self._report(notice(NO_HEADER, msg_id=_hexadecimal(key), fault=str(fault)))
            self._note_first_time(key, now)
            self._get(UNLOCK)
            return
        rule = self._matcher.rule_for(facts_of(descriptor, header), self._attempts.get(key, 0))
        # Without conversion: the data keeps its bytes, encoding and CCSID (trap 6).
        whole = self._get(GET_UNDER_CURSOR)
        if whole is None:
            return
        taken = TakenMessage(whole, header, key)
        plan = None if rule is None else plan_action(rule, whole.descriptor, header, whole.body)
        if plan is None or not plan.removes or self._returns_too_often(plan, taken):
            self._leave(taken, now)
        elif self._carried_out(plan, taken):
            self._state = browse_state.after_work(self._state, now)
        else:
            self._state = browse_state.after_work(self._state, now)
            self._schedule_retry(taken, now)

    def _get(self, options: GetMessageOptions) -> Message | None:
        try:
            return get_or_none(self._queue, options)
        except MQError as error:
            raise stopped_by(GET, error, self._queue.name) from error

    def _carried_out(self, plan: ActionPlan, taken: TakenMessage) -> bool:
        """Commit the action; False when its put failed and the unit of work was backed out."""
        failure = None if plan.put is None else put_in_unit(self._queue, plan.put)
        if failure is not None and plan.put is not None:
            self._end_unit(self._connection.back)
            self._report_failure(plan.rule, plan.put, failure, taken)
            return False
        attempt = self._attempts.get(taken.key, 0) + 1
        disposition = disposition_of(plan, taken.header, "handler", attempt)
        self._end_unit(lambda: self._connection.commit(disposition))
        self._attempts.pop(taken.key, None)
        return True

    def _report_failure(self, rule: Rule, put: PlannedPut, reason: int, taken: TakenMessage) -> None:
        if is_repeated_failure(put, reason, taken.header):
            return
        target = f"{put.queue} on {put.queue_manager}" if put.queue_manager else put.queue or "' '"
        name, msg_id = name_of("MQRC", reason), _hexadecimal(taken.key)
        self._report(notice(PUT_FAILED, line=rule.line, target=target, reason=reason, name=name, msg_id=msg_id))

    def _returns_too_often(self, plan: ActionPlan, taken: TakenMessage) -> bool:
        """Whether the rule would put the message back on this queue once too often. Counts the returns."""
        if plan.put is None or not self._leads_back_cached(plan.put.queue, plan.put.queue_manager):
            return False
        times = self._returns.get(taken.key, 0)
        if times == MOST_RETURNS:
            self._report(notice(RETURNED, times=times, target=plan.put.queue, msg_id=_hexadecimal(taken.key)))
        self._returns[taken.key] = times + 1
        return times >= MOST_RETURNS

    def _leads_back_cached(self, queue: str, queue_manager: str) -> bool:
        target = (queue, queue_manager)
        if target not in self._leads_back_cache:
            self._leads_back_cache[target] = self._leads_back(*target)
        return self._leads_back_cache[target]

    def _leave(self, taken: TakenMessage, now: int) -> None:
        """Back out, which restores the message to its place with a higher backout count (trap 23)."""
        self._end_unit(self._connection.back)
        self._note_first_time(taken.key, now)
        self._attempts[taken.key] += 1

    def _note_first_time(self, key: MessageKey, now: int) -> None:
        """Start to count the attempts for a message that stays. Seeing it for the first time counts as work."""
        if key not in self._attempts:
            self._attempts[key] = 0
            self._state = browse_state.after_work(self._state, now)

    def _schedule_retry(self, taken: TakenMessage, now: int) -> None:
        """Count a failed put. The message is retried after RETRYINT unless the next rule is IGNORE or there is none."""
        attempts = self._attempts[taken.key] = self._attempts.get(taken.key, 0) + 1
        rule = self._matcher.rule_for(facts_of(taken.message.descriptor, taken.header), attempts)
        if rule is not None and rule.action != "IGNORE":
            self._state = browse_state.after_failed_put(self._state, taken.key, now)

    def _end_unit(self, end: Callable[[], None]) -> None:
        try:
            end()
        except MQError as error:
            raise stopped_by(END, error, self._queue.name) from error


def _hexadecimal(key: MessageKey) -> str:
    return key[0].hex().upper()

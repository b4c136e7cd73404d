"""MQGET."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from msgspec import Struct
from msgspec.structs import replace

from mqsc.store.argument_checks import bits, must_be
from mqsc.store.constants import MQCC, MQRC
from mqsc.store.engine import depth, dequeue, queue_events
from mqsc.store.engine.change_watch import NEVER
from mqsc.store.engine.delivery import deliver
from mqsc.store.engine.recovery import recover
from mqsc.store.engine.state import CallContext
from mqsc.store.error import MQError
from mqsc.store.message import GetMessageOptions, Message
from mqsc.store.mqi import browse, group_position, received_properties, selection_strings
from mqsc.store.mqi.get_fairness import GetFairness
from mqsc.store.mqi.get_message import delivered
from mqsc.store.mqi.get_wait import GetWait
from mqsc.store.mqi.message_choice import Selection, check_index, selection
from mqsc.store.mqi.message_handle import in_use
from mqsc.store.mqi.state import HandleState, revalidate
from mqsc.store.mqi.syncpoint import joined, may_join
from mqsc.store.rules import getting, opening
from mqsc.store.rules.expiry import is_expired
from mqsc.store.rules.grouping import NO_GROUP
from mqsc.store.rules.properties.property_set import Properties
from mqsc.store.rules.report_message import COD
from mqsc.store.sql import messages
from mqsc.store.sql.messages import AT_ONCE
from mqsc.store.sql.rows import QueueRow, StoredMessage
from mqsc.store.sqlite.database import Reading, Transaction

# Each get asks for it twice, and Python 3.11 takes a third of a microsecond to find a member of an
# enumeration.
_TRUNCATED_MSG_FAILED = int(MQRC.TRUNCATED_MSG_FAILED)
# Such a get removes nothing by itself: only the commit of its unit of work must be on disk.
_IN_UNIT = getting.SYNCPOINT | getting.SYNCPOINT_IF_PERSISTENT
_NOT_FINAL = getting.BROWSE | _IN_UNIT
# Such a browse that finds nothing unlocks the message that the handle had locked, before any wait.
_MOVES_CURSOR = getting.BROWSE_FIRST | getting.BROWSE_NEXT
# Such a get takes or browses no second message.
_ONE_BY_ONE = (
    getting.BROWSE
    | getting.MSG_UNDER_CURSOR
    | getting.LOGICAL_ORDER
    | getting.MARK_SKIP_BACKOUT
    | getting.SYNCPOINT_IF_PERSISTENT
)


class _GetResult(Struct, frozen=True):
    """The result of one transaction of a get."""

    message: Message | None
    # Look again: expired messages were discarded instead, or the transaction must be a synced one.
    again: bool
    # Raised after COMMIT, which keeps the event message about it.
    refusal: MQError | None = None
    # The message as stored, and whether the unit of work holds it now.
    stored: StoredMessage | None = None
    in_unit: bool = False
    # For the message handle; None when that is not used.
    properties: Properties | None = None
    # The messages that were taken before it in the same transaction.
    before: Sequence[Message] = ()


def get(handle: HandleState, options: GetMessageOptions) -> Message:
    """The next message that the options select, taken from the queue or browsed.

    Warnings (2079, 2080, 2209 …) are on the Message. Failures raise MQError, 2033 among them when
    no message came in time.
    """
    return get_many(handle, options, 1)[0]


def get_many(handle: HandleState, options: GetMessageOptions, most: int) -> list[Message]:
    """The next message as `get` returns it, and up to `most` in all that one transaction can
    take with it, in order.
    """
    if not handle.is_open:
        raise MQError(MQRC.HOBJ_ERROR)
    option_bits, matched = options.options, options.match_options
    if not type(option_bits) is type(matched) is type(options.wait_interval) is int:
        option_bits, matched = bits(option_bits, "options"), bits(matched, "match_options")
        must_be(int, options.wait_interval, "wait_interval")
    fault = getting.options_fault(option_bits, matched, handle.options)
    if (
        not fault
        and options.buffer_length is not None
        and must_be(int, options.buffer_length, "buffer_length") < 0
    ):
        fault = MQRC.BUFFER_LENGTH_ERROR
    if fault or (
        option_bits & getting.BROWSE_NEXT
        and group_position.browse_order_broken(handle, option_bits)
    ):
        raise MQError(fault or MQRC.INCONSISTENT_BROWSE, handle.name)
    if option_bits & getting.UNLOCK:
        return [browse.unlock(handle)]
    if (
        option_bits & getting.PROPERTIES_IN_HANDLE
        or options.message_handle is not None
        or options.property_control
    ):
        received_properties.check_get_properties(handle, options, option_bits)
    unit = handle.connection.unit
    before = unit.snapshot if option_bits & _IN_UNIT else None
    try:
        look = _wait if option_bits & getting.WAIT else _search
        if options.message_handle is None:
            return look(handle, options, option_bits, most)
        with in_use(options.message_handle):
            return look(handle, options, option_bits, 1)
    # Not for an interruption, which may come after COMMIT; then the unit of work holds the message.
    except Exception:
        if before is not None:
            unit.restore(before)
        raise


def _wait(
    handle: HandleState, options: GetMessageOptions, option_bits: int, most: int
) -> list[Message]:
    connection = handle.connection
    fairness = GetFairness(handle, option_bits, options.wait_interval)
    wait = GetWait(handle, options)
    connection.cancel_wait = wait.cancel
    try:
        return _search(handle, options, option_bits, most, wait, fairness)
    except BaseException:
        fairness.over()
        raise
    finally:
        connection.cancel_wait = None


def _search(
    handle: HandleState,
    options: GetMessageOptions,
    option_bits: int,
    most: int,
    wait: GetWait | None = None,
    fairness: GetFairness | None = None,
) -> list[Message]:
    """Look for the message, repeatedly as long as there is reason to. A get that waits is fair
    to others that do.
    """
    store = handle.connection.store
    while True:
        # Read before looking, so that a message that arrives in between is noticed.
        seen = store.database.data_version() if wait else 0
        if handle.selector is not None:
            _ask_selector(handle, options)
        result = _attempt(handle, options, option_bits, most, fairness)
        if result.refusal is not None:
            raise result.refusal
        if result.message is not None:
            # Only after COMMIT, so that a failed one leaves the cursor unchanged.
            _update_handle(handle, result, option_bits)
            if result.properties is not None:
                received_properties.fill_handle(
                    options, result.properties, result.message.descriptor
                )
            return [*result.before, result.message]
        if result.again:
            continue
        if option_bits & _MOVES_CURSOR:
            handle.holds_lock = False
        if option_bits & (getting.MSG_UNDER_CURSOR | getting.BROWSE_MSG_UNDER_CURSOR):
            raise MQError(MQRC.NO_MSG_UNDER_CURSOR, handle.name)
        if wait:
            # Marks expire without a change of the store; so does the claim of a waiter that does
            # not take its message.
            seen = (
                NEVER
                if (fairness and fairness.left_something)
                or option_bits & getting.UNMARKED_BROWSE_MSG
                else seen
            )
        if not (wait.goes_on(seen) if wait else recover(store)):
            raise MQError(MQRC.NO_MSG_AVAILABLE, handle.name)


def _ask_selector(handle: HandleState, options: GetMessageOptions) -> None:
    """Have the selector asked about messages that it does not know yet, before the look holds up
    other programs.
    """
    selector, destination = handle.selector, handle.destination
    if selector is None or destination is None or not selector.selector.is_stable:
        return
    with Reading(handle.connection.store.database) as reading:
        for each in selection(handle, destination.queue.id, options, now=0):
            if selection_strings.exists(reading, selector, each, now=0):
                return


def _attempt(
    handle: HandleState,
    options: GetMessageOptions,
    option_bits: int,
    most: int,
    fairness: GetFairness | None,
) -> _GetResult:
    connection = handle.connection
    durable = handle.expects_persistent and not option_bits & _NOT_FINAL
    with Transaction(connection.store.database, durable=durable) as tx:
        call, destination = revalidate(tx, handle, option_bits & getting.FAIL_IF_QUIESCING)
        fault = getting.wait_fault(options.wait_interval) if option_bits & getting.WAIT else 0
        if fault:
            raise MQError(fault, handle.name)
        queue = destination.queue
        if destination.get_inhibited:
            inhibited = queue_events.inhibited(
                tx, call, handle.name, destination, MQRC.GET_INHIBITED
            )
            deliver(tx, call, inhibited)
            refusal = MQError(MQRC.GET_INHIBITED, destination.get_inhibited)
            return _GetResult(None, again=False, refusal=refusal)
        if queue.structure and options.match_options | (option_bits & getting.LOGICAL_ORDER):
            check_index(handle, queue, options)
        if option_bits & getting.SYNCPOINT:
            may_join(connection, call, 1)
        if option_bits & getting.MARK_SKIP_BACKOUT and connection.unit.marked:
            raise MQError(MQRC.SECOND_MARK_NOT_ALLOWED, handle.name)
        for wanted in selection(handle, queue.id, options, call.now):
            chosen = fairness.narrowed(wanted) if fairness else wanted
            stored_message = selection_strings.first(tx, handle.selector, chosen, call.now)
            if stored_message is None:
                if fairness:
                    fairness.found_nothing(tx, queue.id, wanted, call.now)
                continue
            get = Get(tx, call, handle, queue, options, option_bits)
            unusable = _unusable(get, chosen, stored_message, durable)
            if unusable is not None:
                return unusable
            if fairness:
                fairness.found_message(tx)
            taken = _hand_over(get, stored_message)
            return taken if most == 1 else _with_more(get, chosen, taken, stored_message, most - 1)
        if handle.holds_lock and option_bits & _MOVES_CURSOR:
            browse.release(tx, handle)
    return _GetResult(None, again=False)


def _unusable(
    get: Get, chosen: Selection, stored_message: StoredMessage, durable: bool
) -> _GetResult | None:
    """The result if the message cannot be handed over in this transaction: it has expired, must
    not have been backed out, or is persistent and the transaction not `durable`. MQError 2247.
    """
    handle = get.handle
    if is_expired(stored_message.expires_at, get.call.now):
        # Looking again after discarding nothing would never end.
        discarded = _discard(get.tx, get.call, handle, get.queue, chosen)
        again = discarded > 0 and not get.option_bits & getting.MSG_UNDER_CURSOR
        return _GetResult(None, again=again)
    if stored_message.backout_count and get.options.unless_backed_out:
        refusal = MQError(MQRC.NO_MSG_AVAILABLE, handle.name)
        return _GetResult(None, again=False, refusal=refusal)
    if chosen.in_group and not chosen.matches(get.options, stored_message):
        raise MQError(MQRC.MATCH_OPTIONS_ERROR, handle.name)
    if stored_message.persistence and not durable and not get.option_bits & _NOT_FINAL:
        handle.expects_persistent = True
        return _GetResult(None, again=True)
    return None


def _discard(
    tx: Transaction,
    call: CallContext,
    handle: HandleState,
    queue: QueueRow,
    chosen: Selection,
) -> int:
    """Discard the expired messages before the first live one (expiry X1, X5), never in the unit
    of work; how many.
    """
    expired = selection_strings.expired_before_first_live(
        tx,
        handle.selector,
        chosen,
        call.now,
        AT_ONCE,
    )
    deliver(tx, call, dequeue.expire_in_order(tx, call, queue, expired, chosen.cause))
    handle.connection.expired_discarded += len(expired)
    return len(expired)


class Get(Struct, frozen=True):
    """A call that has found its message."""

    tx: Transaction
    call: CallContext
    handle: HandleState
    queue: QueueRow
    options: GetMessageOptions
    option_bits: int


def _hand_over(get: Get, stored_message: StoredMessage) -> _GetResult:
    handle, option_bits = get.handle, get.option_bits
    convert = bool(option_bits & getting.CONVERT)
    message, properties = delivered(
        get.tx, handle, stored_message, get.call, get.options, convert=convert
    )
    if option_bits & getting.BROWSE and message.reason != _TRUNCATED_MSG_FAILED:
        browse.lock(get.tx, handle, stored_message, option_bits)
        browse.mark(get.tx, get.call, stored_message, option_bits)
    if option_bits & getting.BROWSE or message.reason == _TRUNCATED_MSG_FAILED:
        return _GetResult(message, again=False, stored=stored_message, properties=properties)
    in_unit = bool(
        option_bits & getting.SYNCPOINT
        or (option_bits & getting.SYNCPOINT_IF_PERSISTENT and stored_message.persistence),
    )
    warning = (
        group_position.order_broken(handle, message.descriptor, option_bits, in_unit=in_unit)
        if handle.positions
        else 0
    )
    _take(get, stored_message, in_unit=in_unit)
    if warning and not message.reason:
        message.completion, message.reason = MQCC.WARNING, warning
    return _GetResult(
        message, again=False, stored=stored_message, in_unit=in_unit, properties=properties
    )


def _with_more(
    get: Get,
    chosen: Selection,
    taken: _GetResult,
    first: StoredMessage,
    most: int,
) -> _GetResult:
    """Take up to `most` further messages that follow, as far as their gets do nothing else: no
    report, no event.
    """
    tx = get.tx
    call = get.call
    handle = get.handle
    queue = get.queue
    options = get.options
    in_order = handle.positions.get(group_position.GETS, NO_GROUP).ordered
    if (
        get.option_bits & _ONE_BY_ONE
        or in_order
        or handle.selector
        or options.buffer_length is not None
    ):
        return taken
    unit = handle.connection.unit
    room = call.qmgr.max_uncommitted - unit.count if taken.in_unit else most
    if room < 1 or queue.structure or depth.before_get(tx, call, queue):
        return taken

    def may_follow(candidate: StoredMessage) -> bool:
        # The transaction is a synced one if the first message is persistent.
        kept = taken.in_unit or candidate.persistence <= first.persistence
        alone = COD.is_requested(candidate.report) or (
            candidate.backout_count and options.unless_backed_out
        )
        return kept and not alone and not is_expired(candidate.expires_at, call.now)

    further = [
        *takewhile(
            may_follow,
            messages.first_batch(tx, chosen.conditions, chosen.values, min(most, room)),
        ),
    ]
    if not further or taken.message is None:
        return taken
    dequeue.dequeue_all(tx, call, queue, further, unit.number if taken.in_unit else None)
    if taken.in_unit:
        persistent = any(each.persistence for each in further)
        joined(handle.connection, call, queue, len(further), 0, persistent=persistent)
    convert = bool(get.option_bits & getting.CONVERT)
    *before, last = (
        delivered(tx, handle, each, call, options, convert=convert)[0] for each in further
    )
    return replace(taken, message=last, stored=further[-1], before=(taken.message, *before))


def _update_handle(handle: HandleState, result: _GetResult, option_bits: int) -> None:
    """Update the handle after a get or browse: cursor, position in a group, saved context."""
    message, stored = result.message, result.stored
    assert message is not None
    assert stored is not None
    if message.reason == _TRUNCATED_MSG_FAILED:
        if option_bits & getting.BROWSE_FIRST:
            group_position.back_to_the_start(handle)
        return
    if option_bits & getting.BROWSE:
        handle.holds_lock = bool(option_bits & getting.LOCK)
        browse.moved(handle, stored, option_bits)
        group_position.browsed(handle, message, stored, option_bits)
        handle.saved_context = None
        return
    group_position.got(handle, message, stored.length, option_bits, in_unit=result.in_unit)
    handle.expects_persistent = bool(stored.persistence)
    if handle.options & opening.SAVE_ALL_CONTEXT:
        # The program may change the descriptor it was given.
        handle.saved_context = message.descriptor.copy()
        handle.saved_message = stored.id
    if option_bits & getting.MSG_UNDER_CURSOR:
        handle.holds_lock = False


def _take(get: Get, stored_message: StoredMessage, *, in_unit: bool) -> None:
    """Remove the message from its queue, or reserve it for the unit of work, and deliver the
    effects.
    """
    connection = get.handle.connection
    unit = None
    if in_unit:
        may_join(connection, get.call, 1)
        unit = connection.unit.begin()
    marked = bool(get.option_bits & getting.MARK_SKIP_BACKOUT)
    effects = dequeue.dequeue(get.tx, get.call, get.queue, stored_message, unit, marked=marked)
    caused = deliver(get.tx, get.call, effects) if effects else 0
    if in_unit:
        joined(
            connection, get.call, get.queue, 1, caused, persistent=bool(stored_message.persistence)
        )
        if marked:
            connection.unit.marked = stored_message.id

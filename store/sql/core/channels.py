"""Channels: the status of those that are not inactive, injected faults, the map of host names,
and ended runs.
"""

from __future__ import annotations

from sqlalchemy import (
    ClauseElement,
    ColumnElement,
    delete,
    func,
    literal_column,
    or_,
    select,
    union_all,
    update,
)

from mqsc.store.constants import MQCHS
from mqsc.store.sql.channels import LONGEST_TEXT, EndedRun
from mqsc.store.sql.core.conditions import (
    BLANK,
    ONE,
    READY,
    columns_of,
    constant,
    one_of,
    values_of,
)
from mqsc.store.sql.core.declaring import Placeholder, statement
from mqsc.store.sql.core.schema import (
    channel_fault,
    channel_host,
    channel_status,
    event,
    message,
    queue as queue_table,
    queue_manager,
)
from mqsc.store.sql.managers import RUNNING

_s = channel_status.c
_f = channel_fault.c
_h = channel_host.c
_m = message.c
_q = queue_table.c
_g = queue_manager.c
_e = event.c


@statement
def of_queue_manager(qmgr: Placeholder) -> ClauseElement:
    return (
        select(channel_status)
        .where(channel_status.c.qmgr == qmgr)
        .order_by(channel_status.c.channel, channel_status.c.partner)
    )


@statement
def of_channel(qmgr: Placeholder, channel: Placeholder) -> ClauseElement:
    return (
        select(channel_status)
        .where(channel_status.c.qmgr == qmgr, channel_status.c.channel == channel)
        .order_by(channel_status.c.partner)
    )


@statement
def of_process(process: Placeholder) -> ClauseElement:
    return select(_s.channel).where(_s.process == process).distinct()


@statement
def instance(qmgr: Placeholder, channel: Placeholder, partner: Placeholder) -> ClauseElement:
    return select(channel_status).where(
        channel_status.c.qmgr == qmgr,
        channel_status.c.channel == channel,
        channel_status.c.partner == partner,
    )


@statement
def requested(qmgr: Placeholder, channel: Placeholder, partner: Placeholder) -> ClauseElement:
    return select(_s.requested, _s.requested_status).where(
        _s.qmgr == qmgr,
        _s.channel == channel,
        _s.partner == partner,
    )


@statement
def drop(qmgr: Placeholder, channel: Placeholder, partner: Placeholder) -> ClauseElement:
    return delete(channel_status).where(
        channel_status.c.qmgr == qmgr,
        channel_status.c.channel == channel,
        channel_status.c.partner == partner,
    )


@statement
def drop_channel(qmgr: Placeholder, channel: Placeholder) -> ClauseElement:
    return delete(channel_status).where(
        channel_status.c.qmgr == qmgr,
        channel_status.c.channel == channel,
    )


@statement
def drop_in_status(qmgr: Placeholder, status: Placeholder) -> ClauseElement:
    return delete(channel_status).where(
        channel_status.c.qmgr == qmgr,
        channel_status.c.status == status,
    )


@statement
def synchronization_messages(queue: Placeholder) -> ClauseElement:
    records = select(_m.id, _m.state, _m.body).where(
        _m.queue == queue,
        _m.length <= constant(LONGEST_TEXT),
    )
    return union_all(records.where(READY), records.where(_m.unit.is_not(None)))


def _is_trigger_message() -> ColumnElement[bool]:
    # An MQTM begins with its structure identifier.
    return func.substr(_m.body, ONE, constant(4)) == literal_column("x'544D2020'")


@statement
def has_trigger_message(queue: Placeholder) -> ClauseElement:
    return select(_m.id).where(_m.queue == queue, READY, _is_trigger_message()).limit(ONE)


@statement
def has_other_message(queue: Placeholder) -> ClauseElement:
    return select(_m.id).where(_m.queue == queue, READY, ~_is_trigger_message()).limit(ONE)


@statement
def run_and_start(qmgr: Placeholder, queues: Placeholder, now: Placeholder) -> ClauseElement:
    moment = func.coalesce(_g.clock_at, now)
    not_run = _s.process.is_(None) & _s.status.in_(
        [constant(int(MQCHS.STARTING)), constant(int(MQCHS.RETRYING))],
    )
    asked = select(ONE).where(
        _s.qmgr == qmgr,
        not_run,
        or_(_s.retry_at.is_(None), _s.retry_at <= moment),
    )
    read = select(_q.id).where(_q.owner == qmgr, _q.name.in_(values_of(queues)))
    arrived = select(ONE).where(_m.queue.in_(read), READY)
    is_due = or_(asked.correlate(queue_manager).exists(), arrived.exists())
    return select(_g.run, is_due).where(_g.name == qmgr, _g.state == constant(RUNNING))


@statement
def faults(qmgr: Placeholder, channel: Placeholder) -> ClauseElement:
    query = select(channel_fault).where(
        _f.qmgr == qmgr,
        or_(channel == BLANK, _f.channel == channel),
    )
    return query.order_by(_f.channel, _f.id)


@statement
def fault(id: Placeholder) -> ClauseElement:
    return select(channel_fault).where(channel_fault.c.id == id)


@statement
def change_fault(
    id: Placeholder,
    step: Placeholder,
    number: Placeholder,
    times: Placeholder,
) -> ClauseElement:
    return update(channel_fault).where(_f.id == id).values(step=step, number=number, times=times)


@statement
def remove_fault(id: Placeholder) -> ClauseElement:
    return delete(channel_fault).where(channel_fault.c.id == id)


@statement
def clear_faults(qmgr: Placeholder, channel: Placeholder) -> ClauseElement:
    return delete(channel_fault).where(
        channel_fault.c.qmgr == qmgr,
        channel_fault.c.channel == channel,
    )


@statement
def host(address: Placeholder) -> ClauseElement:
    return select(_h.target).where(_h.address == address)


@statement
def hosts() -> ClauseElement:
    return select(channel_host).order_by(channel_host.c.address)


@statement
def unmap_host(address: Placeholder) -> ClauseElement:
    return delete(channel_host).where(channel_host.c.address == address)


@statement
def last_end(qmgr: Placeholder, channel: Placeholder, after: Placeholder) -> ClauseElement:
    query = select(*columns_of(event, EndedRun)).where(
        _e.seq > after,
        _e.qmgr == qmgr,
        _e.kind == constant("CHANNEL"),
        _e.target == channel,
        one_of(_e.cause, "ended", "failed", "retry", "stopped"),
    )
    return query.order_by(_e.seq.desc()).limit(ONE)

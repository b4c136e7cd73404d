"""Subscriptions, retained publications, and who publishes to what."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ClauseElement, ColumnElement, delete, func, null, select, update
from sqlalchemy.dialects.sqlite import insert

from mqsc.store.sql.core.conditions import BLANK, ONE, constant, values_of
from mqsc.store.sql.core.declaring import Placeholder, statement
from mqsc.store.sql.core.schema import (
    message,
    object_,
    published_topic,
    publisher,
    retained,
    subscription,
)
from mqsc.store.sql.rows import MessageState, RetainedRow

_s = subscription.c
_r = retained.c
_t = published_topic.c
_p = publisher.c
_m = message.c
_o = object_.c


@statement
def by_id(id: Placeholder) -> ClauseElement:
    return select(subscription).where(_s.id == id)


@statement
def by_name(qmgr: Placeholder, name: Placeholder) -> ClauseElement:
    # As in the partial index.
    return select(subscription).where(_s.qmgr == qmgr, _s.name == name, _s.name != BLANK)


@statement
def by_identifier(qmgr: Placeholder, identifier: Placeholder) -> ClauseElement:
    return select(subscription).where(_s.qmgr == qmgr, _s.identifier == identifier)


@statement
def of_handle(handle: Placeholder) -> ClauseElement:
    return select(subscription).where(_s.handle == handle, _s.handle != constant(0))


@statement
def in_buckets(qmgr: Placeholder, buckets: Placeholder) -> ClauseElement:
    found = select(subscription).where(_s.qmgr == qmgr, _s.bucket.in_(values_of(buckets)))
    return found.order_by(_s.id)


@statement
def of_queue_manager(qmgr: Placeholder) -> ClauseElement:
    return select(subscription).where(_s.qmgr == qmgr).order_by(_s.name, _s.id)


@statement
def of_queue(qmgr: Placeholder, name: Placeholder) -> ClauseElement:
    return select(subscription).where(_s.qmgr == qmgr, _s.destination == name).order_by(_s.id)


@statement
def expired(qmgr: Placeholder, now: Placeholder) -> ClauseElement:
    found = select(subscription).where(
        _s.qmgr == qmgr, _s.expires_at.is_not(None), _s.expires_at <= now
    )
    return found.order_by(_s.id)


@statement
def note_delivery(ids: Placeholder, now: Placeholder) -> ClauseElement:
    changed = update(subscription).where(_s.id.in_(values_of(ids)))
    return changed.values(delivered=_s.delivered + ONE, delivered_at=now)


@statement
def note_one_delivery(id: Placeholder, now: Placeholder) -> ClauseElement:
    changed = update(subscription).where(_s.id == id)
    return changed.values(delivered=_s.delivered + ONE, delivered_at=now)


@statement
def close_all(qmgr: Placeholder) -> ClauseElement:
    changed = update(subscription).where(_s.qmgr == qmgr)
    return changed.values(connection=constant(0), handle=constant(0))


@statement
def count_anew(qmgr: Placeholder, now: Placeholder) -> ClauseElement:
    later = update(subscription).where(_s.qmgr == qmgr, _s.delivered_at > now)
    return later.values(delivered=constant(0), delivered_at=null())


@statement
def remove(id: Placeholder) -> ClauseElement:
    return delete(subscription).where(_s.id == id)


@statement
def topic_objects(owner: Placeholder, strings: Placeholder) -> ClauseElement:
    # As in the partial index.
    string: ColumnElement[Any] = literal_string()
    found = select(_o.name, _o.attributes).where(
        _o.owner == owner,
        _o.namespace == constant("topic"),
        string.in_(values_of(strings)),
    )
    return found.order_by(_o.name.desc())


def literal_string() -> ColumnElement[Any]:
    """The topic string of an object, as the index has it."""
    return func.json_extract(_o.attributes, constant("$.TOPICSTR"))


_IS_RETAINED = (_m.id == _r.message) & (_m.queue == _r.queue) & (_m.sequence == _r.sequence)


@statement
def retained_between(qmgr: Placeholder, low: Placeholder, high: Placeholder) -> ClauseElement:
    found = select(*(_r[name] for name in RetainedRow._fields)).select_from(
        retained.join(message, _IS_RETAINED)
    )
    found = found.where(
        _r.qmgr == qmgr,
        _r.topic_string >= low,
        _r.topic_string < high,
        _m.state != constant(int(MessageState.PUT)),
    )
    return found.order_by(_r.topic_string, _r.id)


@statement
def forget_removed(qmgr: Placeholder, topic_string: Placeholder) -> ClauseElement:
    there = select(ONE).where(_IS_RETAINED).correlate(retained).exists()
    return delete(retained).where(_r.qmgr == qmgr, _r.topic_string == topic_string, ~there)


@statement
def forget_earlier(
    qmgr: Placeholder, topic_string: Placeholder, than: Placeholder
) -> ClauseElement:
    return delete(retained).where(_r.qmgr == qmgr, _r.topic_string == topic_string, _r.id < than)


@statement
def forget_all_retained() -> ClauseElement:
    return delete(retained)


@statement
def note_topic(
    qmgr: Placeholder, topic_string: Placeholder, published_at: Placeholder
) -> ClauseElement:
    added = insert(published_topic).values(
        qmgr=qmgr, topic_string=topic_string, published_at=published_at
    )
    return added.on_conflict_do_update(
        index_elements=["qmgr", "topic_string"],
        set_={"published_at": published_at},
    )


@statement
def forget_topics(qmgr: Placeholder, until: Placeholder) -> ClauseElement:
    return delete(published_topic).where(_t.qmgr == qmgr, _t.published_at <= until)


@statement
def topics_since(qmgr: Placeholder, since: Placeholder) -> ClauseElement:
    found = select(_t.topic_string).where(_t.qmgr == qmgr, _t.published_at > since)
    return found.order_by(_t.topic_string)


@statement
def publishers(qmgr: Placeholder) -> ClauseElement:
    return select(publisher).where(_p.qmgr == qmgr).order_by(_p.handle)


@statement
def note_publications(handle: Placeholder, now: Placeholder, count: Placeholder) -> ClauseElement:
    changed = update(publisher).where(_p.handle == handle)
    return changed.values(published_at=now, publications=_p.publications + count)


@statement
def remove_publisher(handle: Placeholder) -> ClauseElement:
    return delete(publisher).where(_p.handle == handle)

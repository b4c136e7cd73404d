"""Copies of retained publications, which a subscription gets when it is made or asks for them
(publish-subscribe §3.5, §4).
"""

from __future__ import annotations

from mqsc.store.constants import MQRC
from mqsc.store.engine import copy_plan, retained, topic_tree
from mqsc.store.engine.effects import Effect
from mqsc.store.engine.published_message import Publication, PublishedMessage
from mqsc.store.engine.receivers import receiver_of
from mqsc.store.engine.state import CallContext
from mqsc.store.error import refuse_if
from mqsc.store.rules.topics.matching import Verdict, string_fault
from mqsc.store.sql.rows import SubscriptionRow
from mqsc.store.sqlite.database import Transaction


def put_retained(
    tx: Transaction, call: CallContext, row: SubscriptionRow
) -> tuple[int, list[Effect]]:
    """Put copies of the retained publications that the subscription has: how many, and the effects.

    MQError 2525 when they cannot be read, 2526 when one cannot be delivered.
    """
    receiver = receiver_of(row)
    count = 0
    effects: list[Effect] = []
    for each in retained.read(tx, call, receiver.pattern):
        settings = topic_tree.settings(tx, call, each.topic_string)
        if string_fault(receiver.pattern, each.topic_string, settings.block) is not None:
            continue
        publication = Publication(each.topic_string, each.descriptor, each.body, is_retained=True)
        published = PublishedMessage(publication, call.qmgr.ccsid, {})
        if not published.selects(receiver):
            continue
        plan = copy_plan.plan_copies(
            tx,
            call,
            published,
            [receiver],
            Verdict([receiver.id], {}),
            uses_dead_letter_queue=settings.uses_dead_letter_queue,
        )
        lost = [failed for failed in plan.failed if not failed.is_dead_lettered]
        refuse_if(lost, MQRC.RETAINED_NOT_DELIVERED, row.destination)
        effects += copy_plan.put_copies(tx, call, plan, None, 0)
        count += 1
    return count, effects

"""The table of messages is complete: every id that a verb or a reason can produce has a text."""

import pytest

from mqsc.language import reply
from mqsc.language.messages import TEXTS
from mqsc.language.refusal import REASONS
from mqsc.verbs import VERBS
from mqsc.verbs.analysis import VALUE_MESSAGES
from store.constants import MQRC, MQRCCF
from store.error import MQError


def test_every_id_has_a_text() -> None:
    used = {*reply.SUCCESS_MESSAGES.values(), *reply.FAILURE_MESSAGES.values(), *REASONS, *VALUE_MESSAGES.values()}
    assert used <= set(TEXTS)


def test_every_object_has_an_answer_to_every_verb_it_takes() -> None:
    taken = {
        (verb.keyword, kind.namespace)
        for verb in VERBS.values()
        if verb.keyword != "DISPLAY"
        for kinds in verb.objects.values()
        for kind in kinds
    }
    assert taken - {*reply.SUCCESS_MESSAGES} == set()


@pytest.mark.parametrize(
    ("reason", "message_id", "text"),
    [
        (MQRC.UNKNOWN_OBJECT_NAME, "AMQ8147E", "IBM MQ object Q.A not found."),
        (MQRC.OBJECT_IN_USE, "AMQ8148E", "IBM MQ object in use."),
        (MQRCCF.OBJECT_ALREADY_EXISTS, "AMQ8150E", "IBM MQ object already exists."),
        (MQRC.Q_FULL, "AMQ8101S", "IBM MQ error: 2053 MQRC_Q_FULL (Q.A)."),
    ],
)
def test_what_the_store_refuses(reason: int, message_id: str, text: str) -> None:
    answer = reply.failed(MQError(reason, "Q.A"))
    assert (answer.message_id, answer.text, answer.completion, answer.reason) == (message_id, text, 2, int(reason))

"""The table of messages is whole: every id that a verb or a reason leads to has a text."""

import pytest

from mqsc import reply
from mqsc.language.parameters import VALUE_MESSAGES
from mqsc.language.refusal import REASONS
from mqsc.verbs import VERBS
from store.constants import MQRC, MQRCCF
from store.error import MQError


def test_every_id_has_a_text() -> None:
    used = {*reply.DONE.values(), *reply.FAILED.values(), *REASONS, *VALUE_MESSAGES.values()}
    assert used <= set(reply.TEXTS)


@pytest.mark.parametrize("verb", sorted(set(VERBS) - {"DISPLAY"}))
def test_every_object_has_an_answer_to_every_verb_it_takes(verb: str) -> None:
    namespaces = {kind.namespace for kinds in VERBS[verb].objects.values() for kind in kinds}
    missing = {namespace for namespace in namespaces if (verb, namespace) not in reply.DONE}
    # Nobody answers the ping of a channel, and none is ever in doubt.
    assert missing == ({"channel"} if verb in ("PING", "RESOLVE") else set())


@pytest.mark.parametrize(
    ("reason", "message_id", "text"),
    [
        (MQRC.UNKNOWN_OBJECT_NAME, "AMQ8147E", "IBM MQ object Q.A not found."),
        (MQRC.OBJECT_IN_USE, "AMQ8148E", "IBM MQ object Q.A is in use."),
        (MQRCCF.OBJECT_ALREADY_EXISTS, "AMQ8150E", "IBM MQ object Q.A already exists."),
        (MQRC.Q_FULL, "AMQ8101S", "IBM MQ error: 2053 MQRC_Q_FULL (Q.A)."),
    ],
)
def test_what_the_store_refuses(reason: int, message_id: str, text: str) -> None:
    answer = reply.failed(MQError(reason, "Q.A"))
    assert (answer.message_id, answer.text, answer.completion, answer.reason) == (message_id, text, 2, int(reason))

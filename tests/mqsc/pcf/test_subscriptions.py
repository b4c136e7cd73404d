"""Topics and subscriptions in PCF (publish-subscribe §7, B89)."""

from __future__ import annotations

from mqsc.store.headers.pcf import Parameter
from tests.mqsc.pcf.conftest import Administrator

(
    INQUIRE_SUB,
    CREATE_SUB,
    CHANGE_SUB,
    DELETE_SUB,
    INQUIRE_SUB_STATUS,
    INQUIRE_TOPIC_STATUS,
    CLEAR_TOPIC_STRING,
    INQUIRE_PUBSUB_STATUS,
) = (176, 177, 178, 179, 182, 183, 184, 185)
TOPIC_STRING, SUB_NAME, SUB_ID = 2094, 3152, 7016
STATUS_TYPE, TOPIC_STATUS, SUBSCRIPTIONS, PUBLISHERS = 1302, 1295, 1296, 1297
DESTINATION, CLEAR_TYPE, RETAINED, USER_DATA = 3154, 1305, 1, 3159


def defined(admin: Administrator) -> None:
    admin.run("DEFINE QLOCAL(Q)\nDEFINE SUB(N) TOPICSTR('a/b') DEST(Q)")


def test_b89_the_subscriptions_of_a_topic(admin: Administrator) -> None:
    """B89: the rows of DISPLAY TPSTATUS TYPE(SUB)."""
    defined(admin)
    string = Parameter(TOPIC_STRING, "a/#")
    [found] = admin.ask(INQUIRE_TOPIC_STATUS, string, Parameter(STATUS_TYPE, SUBSCRIPTIONS))
    assert found.outcome == (0, 0)
    assert found.parameters[TOPIC_STRING] == "a/b"
    rows = admin.ask(INQUIRE_TOPIC_STATUS, string, Parameter(STATUS_TYPE, TOPIC_STATUS))
    assert [each.parameters[TOPIC_STRING] for each in rows] == ["a", "a/b"]
    assert [
        each.outcome
        for each in admin.ask(INQUIRE_TOPIC_STATUS, string, Parameter(STATUS_TYPE, PUBLISHERS))
    ][-1][0] == 2


def test_a_subscription_is_made_changed_and_deleted(admin: Administrator) -> None:
    admin.run("DEFINE QLOCAL(Q)")
    name = Parameter(SUB_NAME, "N")
    made = admin.ask(CREATE_SUB, name, Parameter(TOPIC_STRING, "a/b"), Parameter(DESTINATION, "Q"))
    assert [each.outcome for each in made] == [(0, 0)]
    assert admin.outcomes(CHANGE_SUB, name, Parameter(USER_DATA, "new")) == [(0, 0)]
    [shown] = admin.ask(INQUIRE_SUB, name)
    assert (shown.parameters[USER_DATA], shown.parameters[TOPIC_STRING]) == ("new", "a/b")
    [status] = admin.ask(INQUIRE_SUB_STATUS, name)
    assert status.parameters[SUB_NAME] == "N"
    by_number = Parameter(SUB_ID, shown.parameters[SUB_ID])
    assert admin.outcomes(DELETE_SUB, by_number) == [(0, 0)]
    assert admin.outcomes(INQUIRE_SUB, name)[-1][0] == 2


def test_retained_publications_are_cleared(admin: Administrator) -> None:
    clear = (Parameter(TOPIC_STRING, "a/#"), Parameter(CLEAR_TYPE, RETAINED))
    assert admin.outcomes(CLEAR_TOPIC_STRING, *clear) == [(0, 0)]


def test_the_status_of_publish_subscribe(admin: Administrator) -> None:
    [found] = admin.ask(INQUIRE_PUBSUB_STATUS)
    assert found.outcome == (0, 0)

"""Topics of sessions: publishing, subscribing, durable subscriptions, units of work."""

from __future__ import annotations

from datetime import timedelta

import pytest

import mqsc

AT_ONCE = timedelta(0)


def texts(topic: mqsc.Topic, *, where: str = "", name: str = "") -> list[str]:
    return [each.text for each in topic.messages(AT_ONCE, where=where, name=name)]


def test_a_subscription_begins_with_the_call(shop: mqsc.Session) -> None:
    with shop.topic("prices/+") as prices, shop.topic("prices/tea") as tea:
        assert texts(prices) == []
        tea.publish("3.20", currency="EUR")
        tea.publish(json={"price": 4})
        first, second = prices.messages(AT_ONCE)
        assert (first.text, first.topic, first.properties["currency"]) == (
            "3.20",
            "prices/tea",
            "EUR",
        )
        assert second.json() == {"price": 4}
        assert texts(prices) == []
    with shop.topic("prices/+") as prices:
        assert texts(prices) == []


def test_selectors_and_retained_publications(shop: mqsc.Session) -> None:
    shop.topic("prices/tea").publish("3.20", retain=True, currency="EUR")
    assert texts(shop.topic("prices/#"), where="currency = 'EUR'") == ["3.20"]
    assert texts(shop.topic("prices/#"), where="currency = 'USD'") == []


def test_a_named_subscription_is_kept(shop: mqsc.Session) -> None:
    with shop.topic("prices/#") as prices:
        assert texts(prices, name="all") == []
    shop.topic("prices/tea").publish("3.20")
    with shop.topic("prices/#") as prices:
        assert texts(prices, name="all") == ["3.20"]
    shop.unsubscribe("all")
    with pytest.raises(mqsc.CallFailed, match="2428"):
        shop.unsubscribe("all")


def test_a_unit_of_work(shop: mqsc.Session) -> None:
    prices = shop.topic("prices/#")
    assert texts(prices) == []
    with shop.unit():
        shop.topic("prices/tea").publish("3.20")
        assert texts(prices) == []
    assert texts(prices) == ["3.20"]


def test_a_topic_that_may_not_be_published_to(shop: mqsc.Session) -> None:
    shop.run("DEFINE TOPIC(T) TOPICSTR('prices') PUB(DISABLED)")
    with pytest.raises(mqsc.Inhibited):
        shop.topic("prices/tea").publish("3.20")
    with pytest.raises(TypeError):
        shop.topic(5)  # type: ignore[arg-type]
    assert repr(shop.topic("a")) == "<mqsc.Topic a>"

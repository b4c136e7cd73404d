"""What programs find under the names of hosts, channels and queue managers that they use."""

from __future__ import annotations

import pytest

from mqsc.clients.connection_settings import (
    ClientSettings,
    ConnectionRequest,
    KnownQueueManager,
    RefusedConnection,
    SettingError,
    as_text,
    from_text,
    known_queue_manager,
    reached,
    unknown_name,
    words_of,
)
from tests.rows import rows

ANY = ClientSettings()
TWO = ClientSettings(
    (
        KnownQueueManager("QM1", ("APP.CHANNEL", "ADMIN"), ("mq.example(1414)", "b(1500)")),
        KnownQueueManager("QM2", (), ("other.example(1414)",)),
    ),
    list_name="mqsc_qmgrs",
)
HOSTLESS = ClientSettings((KnownQueueManager("QM1"), KnownQueueManager("QM2", (), ("b(1)",))))
NO_TLS = ClientSettings(tls="ignore")


@rows(
    (ANY, ("QM1", "ANY", "where.ever(1)"), "QM1"),
    (ANY, ("", "ANY", "where.ever(1)"), ""),
    (TWO, ("QM9", "", ""), "QM9"),
    (TWO, ("QM1", "APP.CHANNEL", "mq.example(1414)"), "QM1"),
    (TWO, ("QM1", "ADMIN", "MQ.Example"), "QM1"),
    (TWO, ("", "APP.CHANNEL", "none(1),b(1500)"), "QM1"),
    (TWO, ("", "X", "other.example"), "QM2"),
    (TWO, ("QM2", "X", ""), "QM2"),
    (HOSTLESS, ("QM1", "X", "where.ever(1)"), "QM1"),
    (HOSTLESS, ("", "X", "b(1)"), "QM2"),
    (HOSTLESS, ("", "X", "c(1)"), "QM1"),
    (NO_TLS, ("QM1", "X", "c(1)", "ANY_TLS12"), "QM1"),
)
def test_names_that_lead_to_a_queue_manager(
    settings: ClientSettings,
    asked: tuple[str, ...],
    name: str,
) -> None:
    assert reached(settings, ConnectionRequest(*asked)) == name


@rows(
    (ANY, ("QM1", "X", "c(1)", "ANY_TLS12"), 2393, "`mqsc client --tls ignore` connects"),
    (
        TWO,
        ("QM1", "APP.CHANNEL", "mq.example(1415)"),
        2538,
        "only at mq.example(1414), b(1500), other.example(1414); write host=mq.example(1415) in "
        "the line of QM1 in mqsc_qmgrs",
    ),
    (TWO, ("QM1", "NONE", "b(1500)"), 2540, "write channel=NONE in the line of QM1"),
    (TWO, ("QM2", "X", "b(1500)"), 2058, "QM2 is not at b(1500), only QM1"),
    (TWO, ("QM9", "X", "b(1500)"), 2058, "QM9 is not at b(1500), only QM1"),
)
def test_names_that_lead_nowhere(
    settings: ClientSettings,
    asked: tuple[str, ...],
    reason: int,
    part: str,
) -> None:
    """MQ's reason, and the setting that would be right."""
    refused = reached(settings, ConnectionRequest(*asked))
    assert isinstance(refused, RefusedConnection)
    assert refused.reason == reason
    assert part in refused.sentence


def test_a_queue_manager_in_a_line() -> None:
    line = "QM1 channel=A,B host='mq.example(1414),b' channel=C"
    assert known_queue_manager(words_of(line)) == KnownQueueManager(
        "QM1",
        ("A", "B", "C"),
        ("mq.example(1414)", "b(1414)"),
    )


@rows(
    ("", "the name of a queue manager is missing"),
    ("host=b", "write the name of the queue manager before host=b"),
    ("QM1 hosts=b", "hosts=b is not a setting of QM1; there are channel=NAME and host=NAME(PORT)"),
    ("QM1 host=", "host= is not a setting of QM1"),
    ("QM1 'b", "No closing quotation"),
)
def test_a_line_that_cannot_be_read(line: str, part: str) -> None:
    with pytest.raises(SettingError) as refused:
        known_queue_manager(words_of(line))
    assert part in str(refused.value)


def test_settings_in_a_variable() -> None:
    assert from_text(as_text(TWO)) == TWO
    assert from_text("") == ClientSettings()
    with pytest.raises(SettingError, match="MQSC_CLIENT_SETTINGS cannot be read"):
        from_text("{")


def test_a_queue_manager_that_the_store_does_not_have() -> None:
    assert unknown_name(TWO, "QM9", ["QM1", "QM2"]) == (
        "the store has no queue manager QM9, only QM1, QM2; name it in mqsc_qmgrs, or create it "
        "with `mqsc qmgr create QM9`"
    )

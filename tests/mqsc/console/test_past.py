"""--as-of: commands read the queue manager as it was, and change nothing."""

from __future__ import annotations

from tests.mqsc.conftest import Command


def _played(mqsc: Command) -> None:
    mqsc("qmgr", "create", "SHOP", "--clock", "manual")
    mqsc("clock", "set", "2026-03-01T09:00")
    mqsc("run", "-c", "DEFINE QLOCAL(ORDERS) MAXDEPTH(9)")
    mqsc("put", "ORDERS", "one")
    mqsc("put", "ORDERS", "two", "--expiry", "90s")
    mqsc("clock", "advance", "1m")
    mqsc("get", "ORDERS")
    mqsc("run", "-c", "ALTER QLOCAL(ORDERS) MAXDEPTH(7)", "-c", "ALTER QMGR DESCR('new')")
    mqsc("clock", "advance", "1m")
    mqsc("browse", "ORDERS")


def test_a_command_reads_the_past(mqsc: Command) -> None:
    _played(mqsc)
    then = "--as-of", "2026-03-01T09:00"
    shown = mqsc("run", "-c", "DISPLAY QLOCAL(ORDERS) MAXDEPTH CURDEPTH", *then).out
    assert ("MAXDEPTH(9)" in shown, "CURDEPTH(2)" in shown) == (True, True)
    assert len(mqsc("browse", "ORDERS", "--as-of", "2m", "--format", "jsonl").lines) == 2
    assert "MAXDEPTH(9)" in mqsc("export", *then).out
    assert mqsc("diff", "-", *then, stdin=b"DEFINE QLOCAL(ORDERS) MAXDEPTH(9)").code == 0
    # Nothing of it is in the store.
    now = mqsc("run", "-c", "DISPLAY QLOCAL(ORDERS) MAXDEPTH CURDEPTH").out
    assert ("MAXDEPTH(7)" in now, "CURDEPTH(0)" in now) == (True, True)


def test_the_past_is_only_displayed(mqsc: Command) -> None:
    _played(mqsc)
    refused = mqsc("run", "-c", "CLEAR QLOCAL(ORDERS)", "--as-of", "2m")
    assert (refused.code, "the past can only be displayed." in refused.out) == (10, True)
    assert "MAXDEPTH(7)" in mqsc("export").out


def test_wrong_moments(mqsc: Command) -> None:
    _played(mqsc)
    for moment, code, sentence in (
        ("999999", 10, "there is no event 999999"),
        ("2020-01-01", 10, "the history of SHOP begins after that time"),
        ("soon", 20, "'soon' is not a time"),
    ):
        ended = mqsc("browse", "ORDERS", "--as-of", moment)
        assert (ended.code, sentence in ended.err) == (code, True), moment
    both = mqsc("run", "--plan", "--as-of", "2m", "-c", "DISPLAY QMGR")
    assert (both.code, "cannot be used together" in both.err) == (20, True)

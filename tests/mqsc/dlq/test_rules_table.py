"""The canonical text of a table."""

from __future__ import annotations

import pytest
from hypothesis import given

from mqsc.dlq.rules_table import COLUMNS, RulesTable, text_of
from tests.mqsc.dlq.tables import TABLES, table


@given(TABLES)
def test_a_table_prints_back_to_itself(printed: RulesTable) -> None:
    text = text_of(printed)
    assert table(text) == printed
    assert text_of(table(text)) == text


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        ("reason(2053) action(retry)", "REASON(MQRC_Q_FULL) ACTION(RETRY)"),
        ("reason(900) action(retry)", "REASON(900) ACTION(RETRY)"),
        ("reason(258) action(retry)", "REASON(MQFB_EXPIRATION) ACTION(RETRY)"),
        ("feedback(2053) action(retry)", "FEEDBACK(MQRC_Q_FULL) ACTION(RETRY)"),
        ("appltype(mqat_unknown) action(retry)", "APPLTYPE(MQAT_UNKNOWN) ACTION(RETRY)"),
        ("ACTION(RETRY) RETRY(1) PUTAUT(DEF)", "ACTION(RETRY)"),
        ("ACTION(RETRY) RETRY(00002) PUTAUT('ctx')", "ACTION(RETRY) PUTAUT(CTX) RETRY(2)"),
        ("FWDQ(&destq) FWDQM(' ') ACTION(FWD) HEADER(YES)", "ACTION(FWD) FWDQ(&DESTQ)"),
        ("USERID('ABC  ') ACTION(RETRY)", "USERID(ABC) ACTION(RETRY)"),
        ("USERID('it''s') DESTQ(' ') ACTION(RETRY)", "DESTQ(' ') USERID('it''s') ACTION(RETRY)"),
        ("MSGTYPE('*') DESTQ(A*) ACTION(RETRY)", "DESTQ(A*) MSGTYPE(*) ACTION(RETRY)"),
        ("WAIT(YES) RETRYINT(60)\nACTION(RETRY)", "ACTION(RETRY)"),
        ("WAIT(0) INPUTQ('dlq')\nACTION(RETRY)", "INPUTQ('dlq') WAIT(NO)\nACTION(RETRY)"),
    ],
)
def test_what_is_written_in_many_ways_is_printed_in_one(written: str, canonical: str) -> None:
    assert text_of(table(written)) == canonical + "\n"


def test_a_long_entry_is_continued_before_column_72() -> None:
    text = text_of(table(f"DESTQ({'D' * 48}) REPLYQ({'R' * 48}) APPLIDAT('{'x' * 32}') ACTION(FWD) FWDQ({'F' * 48})"))
    assert len(text.splitlines()) == 4
    assert max(map(len, text.splitlines())) <= COLUMNS
    assert all(line.endswith(" +") for line in text.splitlines()[:-1])

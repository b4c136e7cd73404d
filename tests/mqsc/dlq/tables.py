"""Rules tables and messages, given or random, for tests of the dead-letter handler."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from hypothesis import strategies as st

from mqsc.diagnostic import Diagnostic
from mqsc.dlq.facts import DeadLetterFacts
from mqsc.dlq.keywords import KEYWORDS, PATTERNS
from mqsc.dlq.lint.table_rule import QueueManagerFacts
from mqsc.dlq.rules_table import Control, Pattern, Rule, RulesTable
from mqsc.dlq.table_check import lint_table
from mqsc.dlq.table_reading import ParsedTable, parse_table
from mqsc.dlq.value_types import HIGHEST, NumberPattern, TextPattern, constants_of

FACTS: dict[str, Any] = {
    **{
        "appl_identity_data": "",
        "put_appl_name": "billing",
        "user_identifier": "alice",
        "format": "MQSTR",
    },
    **{
        "dest_q_name": "ORDERS",
        "dest_q_mgr_name": "QM1",
        "reply_to_q": "",
        "reply_to_q_mgr": "QM1",
    },
    **{"put_appl_type": 6, "feedback": 0, "msg_type": 8, "persistence": 0, "reason": 2053},
}


def facts(**fields: Any) -> DeadLetterFacts:
    """Return facts of a message to ORDERS with reason MQRC_Q_FULL, with the given fields
    replaced.
    """
    return DeadLetterFacts(**FACTS | fields)


def table(text: str) -> RulesTable:
    """Parse a table that has no errors."""
    parsed = parse_table([text])
    assert parsed.table is not None, parsed.diagnostics
    return parsed.table


def check_table(
    lines: Iterable[bytes | str],
    file: str = "",
    known: QueueManagerFacts | None = None,
) -> ParsedTable:
    parsed = parse_table(lines, file)
    advice = parsed.table and lint_table(parsed.table, known or QueueManagerFacts())
    return ParsedTable(parsed.table, advice or parsed.diagnostics)


def errors(text: str | bytes) -> tuple[Diagnostic, ...]:
    """Return the errors of a table."""
    parsed = parse_table([text], "rules.txt")
    assert parsed.table is None
    return parsed.diagnostics


def ids(text: str | bytes) -> list[str]:
    """Return the ids of all errors of a table, without the count."""
    return [each.rule_id for each in errors(text) if each.rule_id != "AMQ8758"]


SIGNS = st.sampled_from("AB *?")
FEW = st.text(SIGNS, max_size=9)
FIELD = st.text(st.sampled_from("AB "), max_size=8).map(lambda text: text.rstrip(" "))


def _texts(length: int) -> st.SearchStrategy[str]:
    signs = st.sampled_from("ABCxyz019./_% *?'&$-+é")
    return st.text(signs, max_size=length // 2).map(lambda text: text.rstrip(" "))


def _values(keyword: str) -> st.SearchStrategy[str | int | None]:
    type = KEYWORDS[keyword].type
    if isinstance(type, TextPattern):
        return _texts(type.length)
    assert isinstance(type, NumberPattern)
    return (
        st.none()
        | st.integers(0, HIGHEST)
        | st.sampled_from(sorted(constants_of(type.families).values()))
    )


NAMES = st.text(st.sampled_from("ABCabc019./_%"), min_size=1, max_size=48)
PATTERN_TUPLES = st.fixed_dictionaries(
    {},
    optional={row.keyword: _values(row.keyword) for row in PATTERNS},
).map(
    lambda values: tuple(
        Pattern(row.keyword, values[row.keyword]) for row in PATTERNS if row.keyword in values
    ),
)
RULES = st.builds(
    Rule,
    patterns=PATTERN_TUPLES,
    action=st.sampled_from(["DISCARD", "IGNORE", "RETRY"]),
    put_authority=st.sampled_from(["DEF", "CTX"]),
    retry=st.integers(1, HIGHEST),
) | st.builds(
    Rule,
    patterns=PATTERN_TUPLES,
    action=st.just("FWD"),
    forward_queue=NAMES | st.sampled_from(["&DESTQ", "&REPLYQ"]),
    forward_queue_manager=NAMES | st.sampled_from(["", "&DESTQM", "&REPLYQM"]),
    header=st.sampled_from(["YES", "NO"]),
    put_authority=st.sampled_from(["DEF", "CTX"]),
    retry=st.integers(1, HIGHEST),
)
_BLANK_OR_NAME = NAMES | st.just("")
CONTROL_DATA = st.builds(
    Control,
    input_queue=_BLANK_OR_NAME,
    input_queue_manager=_BLANK_OR_NAME,
    retry_interval=st.integers(0, HIGHEST),
    wait=st.none() | st.integers(0, HIGHEST),
)
TABLES = st.builds(RulesTable, CONTROL_DATA, st.lists(RULES, min_size=1, max_size=6).map(tuple))

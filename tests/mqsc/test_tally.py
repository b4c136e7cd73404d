"""The closing lines of a run: every combination in the table."""

import pytest

from mqsc.language.reply import Answer, Tally

DONE = Answer("AMQ8006I")
WRONG = Answer("AMQ8405I", completion=2, syntax_error=True)
FAILED = Answer("AMQ8147E", completion=2, reason=2085)
NONE_READ = "No MQSC commands read."
NO_SYNTAX = "No commands have a syntax error."
ALL_DONE = "All valid MQSC commands were processed."


@pytest.mark.parametrize(
    ("answers", "lines", "code"),
    [
        ([], (NONE_READ, NO_SYNTAX, ALL_DONE), 0),
        ([DONE], ("One MQSC command read.", NO_SYNTAX, ALL_DONE), 0),
        ([DONE, DONE], ("2 MQSC commands read.", NO_SYNTAX, ALL_DONE), 0),
        ([WRONG], ("One MQSC command read.", "One command has a syntax error.", ALL_DONE), 10),
        ([WRONG, WRONG, DONE], ("3 MQSC commands read.", "2 commands have a syntax error.", ALL_DONE), 10),
        ([FAILED], ("One MQSC command read.", NO_SYNTAX, "One valid MQSC command could not be processed."), 10),
        ([FAILED, FAILED], ("2 MQSC commands read.", NO_SYNTAX, "2 valid MQSC commands could not be processed."), 10),
    ],
)
def test_closing_lines(answers: list[Answer], lines: tuple[str, ...], code: int) -> None:
    tally = Tally()
    for answer in answers:
        tally.count(answer)
    assert tally.lines() == lines
    assert tally.exit_code == code

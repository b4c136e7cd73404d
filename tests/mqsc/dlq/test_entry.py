"""Messages about wrong entries of a rules table, each with a suggestion."""

from __future__ import annotations

import pytest

from tests.mqsc.dlq.tables import errors

NAME = "a name of at most 48 bytes"
OK = "ACTION(RETRY)"


@pytest.mark.parametrize(
    ("text", "message", "right"),
    [
        (f"REASON(1) REASON(2) {OK}", "REASON was already given in line 1, column 1", "REASON only once"),
        (f"CONVERT(YES) {OK}",
         "CONVERT is not supported: only the z/OS utility has it; this handler never converts data", "no CONVERT"),
        (f"REASN(1) {OK}", "REASN is not a keyword", "REASON"),
        (f"FORMAT('') {OK}", "FORMAT: the value is empty",
         "a string of at most 8 bytes, where ? matches one character and * any number of characters"),
        (f'USERID("A") {OK}', 'USERID: "A" must be in apostrophes, not in other quotes', "'A'"),
        (f"USERID(a-b) {OK}", "USERID: a-b contains '-' and needs quotes", "'a-b'"),
        (f"{OK} RETRY(0)", "RETRY: 0 is out of range", "a number from 1 to 999999999"),
        (f"{OK} RETRY(*)", "RETRY: * is not a number", "a number from 1 to 999999999"),
        (f"{OK} RETRY(x)", "RETRY: x is not a number", "a number from 1 to 999999999"),
        ("ACTION(NOPE)", "ACTION: NOPE is not a valid value", "one of DISCARD, IGNORE, RETRY, FWD"),
        ("ACTION(GIVE)", "ACTION: GIVE is not a valid value", "one of DISCARD, IGNORE, RETRY, FWD"),
        (f"INPUTQ({'X' * 49})\n{OK}", f"INPUTQ: {'X' * 49} is too long", NAME),
        ("ACTION(FWD) FWDQ(' ')", "FWDQ: ' ' is blank", f"{NAME} or &DESTQ or &REPLYQ"),
        ("ACTION(FWD) FWDQ(A*)", "FWDQ: A* has a wildcard", f"{NAME} or &DESTQ or &REPLYQ, without wildcards"),
        ("ACTION(FWD) FWDQ(&REPLY)", "FWDQ: &REPLY is not a valid value", "&REPLYQ"),
        (f"INPUTQ(A) {OK}", "ACTION belongs in a rule, INPUTQ in the control data",
         "one entry for the control data and one for each rule"),
        (f"{OK}\nWAIT(NO)", "WAIT is control data, which must be the first entry",
         "all control data in the first entry"),
        ("REASON(2053)", "the rule has no action", "ACTION: one of DISCARD, IGNORE, RETRY, FWD"),
        ("ACTION(FWD)", "ACTION(FWD) needs a queue to forward to", f"FWDQ: {NAME} or &DESTQ or &REPLYQ"),
        (f"{OK} HEADER(NO)", "HEADER is valid only with ACTION(FWD); the action here is RETRY",
         "ACTION(FWD), or no HEADER"),
    ],
)  # fmt: skip
def test_a_message_says_what_is_wrong_and_what_would_be_right(text: str, message: str, right: str) -> None:
    first = errors(text)[0]
    assert (first.message, first.suggestion) == (message, right)

"""The errors of a rules table by id, with an explanation of each. To add an error, add its row."""

from __future__ import annotations

from collections.abc import Mapping

from mqsc.diagnostic import Description

# No MQ id is known for a plain syntax error in a rules table (uncertain facts, 15), so this id is ours.
SYNTAX = "MQSC0030"
NO_RULE = "AMQ8750"
TOO_LONG = "AMQ8752"
REPEATED = "AMQ8753"
OUT_OF_RANGE = "AMQ8757"
ERROR_COUNT = "AMQ8758"
COMBINATION = "AMQ8759"

ERRORS: Mapping[str, Description] = {
    rule_id: Description(rule_id, "error", title, reason, bad)
    for rule_id, title, reason, bad in (
        (
            SYNTAX,
            "Syntax error in a rules table",
            "A keyword, a value or a bracket is not valid at this place.",
            "REASON(2053) ACTIN(RETRY)\n",
        ),
        (NO_RULE, "No rule in the table", "A table needs at least one rule.", "INPUTQ(DLQ)\n"),
        (
            TOO_LONG,
            "Value longer than its field",
            "No message can contain it: a string has at most as many bytes as its field, not counting asterisks.",
            "FORMAT(LONGFORMAT) ACTION(RETRY)\n",
        ),
        (
            REPEATED,
            "Duplicate keyword",
            "A keyword may be given only once in an entry.",
            "ACTION(RETRY) ACTION(RETRY)\n",
        ),
        (
            OUT_OF_RANGE,
            "Number out of range, or with a wildcard",
            "Numbers have no wildcards. A single asterisk in place of the number matches any number.",
            "MSGTYPE('2*') ACTION(RETRY)\n",
        ),
        (
            ERROR_COUNT,
            "The table has errors",
            "A table with any error is rejected as a whole, and no message is processed.",
            "ACTION(RETRY) RETRY(0)\n",
        ),
        (
            COMBINATION,
            "Keywords that cannot be combined",
            "Every rule has an action. FWDQ is required with ACTION(FWD); FWDQ, FWDQM and HEADER are valid only with "
            "ACTION(FWD). Control data is the first entry and contains no keyword of a rule.",
            "ACTION(RETRY) FWDQ(ELSEWHERE)\n",
        ),
    )
}

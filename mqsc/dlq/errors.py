"""What makes a rules table invalid, so that an id can be explained. To add an error, add its row."""

from __future__ import annotations

from collections.abc import Mapping

from mqsc.diagnostic import Description

# No id of MQ is known for a plain syntax error in a rules table (uncertain facts, 15): the id is our own.
SYNTAX = "MQSC0030"
NO_INPUT = "AMQ8750"
TOO_LONG = "AMQ8752"
REPEATED = "AMQ8753"
OUT_OF_RANGE = "AMQ8757"
COUNT = "AMQ8758"
COMBINATION = "AMQ8759"

ERRORS: Mapping[str, Description] = {
    rule_id: Description(rule_id, "error", title, reason, bad)
    for rule_id, title, reason, bad in (
        (
            SYNTAX,
            "Not the language of rules tables",
            "A keyword, a value or a bracket is not what the language has at this place.",
            "REASON(2053) ACTIN(RETRY)\n",
        ),
        (NO_INPUT, "No rule in the table", "A table needs at least one rule.", "INPUTQ(DLQ)\n"),
        (
            TOO_LONG,
            "Value longer than its field",
            "No message could hold it: a string has at most the bytes of its field, asterisks not counted.",
            "FORMAT(LONGFORMAT) ACTION(RETRY)\n",
        ),
        (
            REPEATED,
            "Keyword given twice",
            "A keyword stands at most once in an entry.",
            "ACTION(RETRY) ACTION(RETRY)\n",
        ),
        (
            OUT_OF_RANGE,
            "Number out of range, or with a wildcard",
            "A number is compared as a number: it has no wildcards, only an asterisk alone for any number.",
            "MSGTYPE('2*') ACTION(RETRY)\n",
        ),
        (
            COUNT,
            "The table has errors",
            "A table with any error is refused as a whole: no message is touched.",
            "ACTION(RETRY) RETRY(0)\n",
        ),
        (
            COMBINATION,
            "Keywords that do not go together",
            "Every rule has an action; FWDQ goes with ACTION(FWD) and only with it, so do FWDQM and HEADER; control "
            "data is the first entry and holds no keyword of a rule.",
            "ACTION(RETRY) FWDQ(ELSEWHERE)\n",
        ),
    )
}

"""The errors of rules tables by id, with an explanation of each. They are rows of descriptions.csv."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from mqsc.diagnostic import Description, read_descriptions

# No MQ id is known for a plain syntax error in a rules table (uncertain facts, 15), so this id is ours.
SYNTAX = "MQSC0030"
NO_RULE = "AMQ8750"
TOO_LONG = "AMQ8752"
REPEATED = "AMQ8753"
OUT_OF_RANGE = "AMQ8757"
ERROR_COUNT = "AMQ8758"
COMBINATION = "AMQ8759"

ERRORS: Mapping[str, Description] = {
    each.rule_id: each for each in read_descriptions(Path(__file__).with_name("descriptions.csv"))
}

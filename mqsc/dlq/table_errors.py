"""The errors of rules tables by id, with an explanation of each."""

from collections.abc import Mapping

from mqsc.diagnostic import Description, descriptions_beside

# No MQ id is known for a plain syntax error in a rules table (uncertain facts, 15), so this id is
# ours.
SYNTAX = "MQSC0030"
NO_RULE = "AMQ8750"
TOO_LONG = "AMQ8752"
REPEATED = "AMQ8753"
OUT_OF_RANGE = "AMQ8757"
ERROR_COUNT = "AMQ8758"
COMBINATION = "AMQ8759"

ERRORS: Mapping[str, Description] = descriptions_beside(__file__)

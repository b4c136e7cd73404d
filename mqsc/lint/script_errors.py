"""The errors of a command by message id, with an explanation of each. They are rows of descriptions.csv.

The file also has the lint rules that no function of `rules` finds, but the code that reads, suppresses or performs the
commands.
"""

from __future__ import annotations

from collections.abc import Mapping

from mqsc.diagnostic import Description, descriptions_beside

_ROWS = descriptions_beside(__file__)
ERRORS: Mapping[str, Description] = {rule_id: each for rule_id, each in _ROWS.items() if each.severity == "error"}
FOUND_ELSEWHERE = [each for each in _ROWS.values() if each.severity != "error"]

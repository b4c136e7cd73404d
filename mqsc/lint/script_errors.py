"""The errors of a command by message id, with an explanation of each. They are rows of descriptions.csv.

The file also has the lint rules that no function of `rules` finds, but the code that reads, suppresses or performs the
commands.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from mqsc.diagnostic import Description, read_descriptions

_ROWS = read_descriptions(Path(__file__).with_name("descriptions.csv"))
ERRORS: Mapping[str, Description] = {each.rule_id: each for each in _ROWS if each.severity == "error"}
FOUND_ELSEWHERE = [each for each in _ROWS if each.severity != "error"]

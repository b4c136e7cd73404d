"""Scripts found on the web: MQ would report every error too, and all advice has been reviewed by hand."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

from mqsc.lint.script_check import check_script

# The number of the 114 files with a diagnostic of each rule. All are justified: C18 beside PlainText concerns a pasted
# syntax diagram, the channels of C35 are started by another script of the same author, and that of C11 may be defined
# elsewhere.
DESERVED = {
    "MQSC-C07": 2,
    "MQSC-C11": 1,
    "MQSC-C13": 1,
    "MQSC-C14": 10,
    "MQSC-C15": 1,
    "MQSC-C18": 2,
    "MQSC-C19": 1,
    "MQSC-C20": 1,
    "MQSC-C24": 20,
    "MQSC-C25": 9,
    "MQSC-C26": 9,
    "MQSC-C35": 5,
    "MQSC-C38": 18,
    "MQSC-C39": 68,
    "MQSC-C46": 4,
}


def test_advice_on_scripts_of_other_people(corpus: Path) -> None:
    files: defaultdict[str, set[str]] = defaultdict(set)
    for path in sorted((corpus / "mqsc").iterdir()):
        with path.open("rb") as lines:
            for each in check_script(lines, path.name):
                if each.severity != "error":
                    files[each.rule_id].add(path.name)
    assert {rule: len(names) for rule, names in sorted(files.items())} == DESERVED

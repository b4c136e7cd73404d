"""Which files of tests `--quick` runs: they start no programs and no Spark, try no random cases,
and read no corpus.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

TESTS = Path(__file__).parent
# Of these folders nothing is quick: they play long scenarios, are about several programs, run the
# examples of pages, or make reports.
SLOW_FOLDERS = (
    *("scenarios/", "processes/", "docs/", "samples/", "reports/"),
    *("mqsc/agents/", "mqsc/clients/", "mqsc/shell/"),
)
# A file is slow if it, or a module of tests that it imports, contains one of these.
SLOW_WORDS = re.compile(
    r"\b(subprocess|multiprocessing|os\.fork|pexpect|hypothesis|corpus|MQSC_CORPUS|SparkSession|mark\.long)\b|usefixtures\(.spark",
)
_IMPORTED = re.compile(r"^(?:from|import) tests\.([\w.]+)", re.MULTILINE)


@cache
def is_quick(file: Path) -> bool:
    """Whether `--quick` runs the tests of a file below `tests`."""
    if file.relative_to(TESTS).as_posix().startswith(SLOW_FOLDERS):
        return False
    text = file.read_text("utf-8")
    if SLOW_WORDS.search(text):
        return False
    imported = (TESTS / f"{name.replace('.', '/')}.py" for name in _IMPORTED.findall(text))
    return all(
        is_quick(each) for each in imported if each != TESTS / "conftest.py" and each.is_file()
    )

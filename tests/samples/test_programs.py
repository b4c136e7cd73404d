"""The programs in samples/python run, and print what they should."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.mqsc.test_package import run_python
from tests.source import ROOT

PROGRAMS = ROOT / "samples" / "python"
PRINTED = {
    "async_worker": "".join(f"invoice for order {number}\n" for number in range(1, 7)),
    "callbacks": "one espresso machine\nthe last one\n",
    "producer_consumer": (
        "one espresso machine for alice with priority 5\ntwo cups for alice with priority 5\n"
    ),
    "request_reply": "no reply to the request on PRICES came in time\ncappuccino 4\ntea None\n",
    "transactional_consumer": "backed out: broken order\nbacked out: broken order\n"
    "[{'order': 'one tea', 'price': 7}, {'order': 'two coffees', 'price': 11}]\n['broken order']\n",
}


@pytest.mark.parametrize("name", sorted(path.stem for path in PROGRAMS.glob("*.py")))
def test_a_program_prints_what_it_should(tmp_path: Path, name: str) -> None:
    result = run_python(tmp_path, str(PROGRAMS / f"{name}.py"))
    assert (sorted(result.stdout.splitlines()), result.stderr) == (
        sorted(PRINTED[name].splitlines()),
        "",
    )

"""The three programs of docs/clients.md run on a store, as the page says."""

from __future__ import annotations

import shlex
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.docs.page import blocks, run
from tests.source import ROOT

PAGE = ROOT / "docs" / "clients.md"
OUTPUT = {
    "request_reply.py": "tea -> TEA\ncoffee -> COFFEE\n",
    "inventory.py": (
        "FAILED 1 of 5000\nORDERS 0 of 5000\nREQUESTS 0 of 5000\nFAILED: MQRC_UNKNOWN_OBJECT_NAME\n"
    ),
    "consumer.py": "10 chairs for FR\n2 tables for ??\n",
}


@pytest.mark.skipif(find_spec("ibmmq") is None, reason="the package ibmmq is not installed")
def test_the_programs_of_the_page(tmp_path: Path) -> None:
    programs = {block.split()[1]: block for block in blocks(PAGE, "python")}
    assert [*programs] == [*OUTPUT]
    (definitions,) = blocks(PAGE, "mqsc")
    (tmp_path / "setup.mqsc").write_text(definitions)
    for name, program in programs.items():
        (tmp_path / name).write_text(program)
    mqsc, python = f"{shlex.quote(sys.executable)} -m mqsc", shlex.quote(sys.executable)
    store = "sqlite:///test.db"
    run(f"{mqsc} qmgr create QM1 && {mqsc} run setup.mqsc", tmp_path, MQSC_STORE=store)
    for name in ("request_reply.py", "consumer.py", "inventory.py"):
        assert (
            run(f"{mqsc} client --quiet -- {python} {name}", tmp_path, MQSC_STORE=store)
            == OUTPUT[name]
        )
    assert run(
        f'eval "$({mqsc} client --print-env)" && {python} inventory.py',
        tmp_path,
        MQSC_STORE=store,
    )

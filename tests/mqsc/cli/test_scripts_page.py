"""The examples in docs/scripts.md run with the output shown."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

from tests.mqsc.conftest import Command
from tests.source import ROOT

PAGE = (ROOT / "docs" / "scripts.md").read_text("utf-8")
ORDERS = "DEFINE QLOCAL(ORDERS) DESCR('Orders') BOTHRESH(3)\nDEFINE QLOCAL(B) DEFPRTY(10)\n"


def test_the_findings_shown_are_those_of_a_script(mqsc: Command, tmp_path: Path) -> None:
    (tmp_path / "orders.mqsc").write_text(ORDERS)
    (shown,) = re.findall(r"\$ mqsc check orders\.mqsc\n(.*?)```", PAGE, re.DOTALL)
    assert mqsc("check", "orders.mqsc").out == shown


def test_the_commands_shown_do_what_they_say(mqsc: Command, tmp_path: Path) -> None:
    (block,) = re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)
    for line in block.splitlines():
        _, *arguments = shlex.split(line, comments=True)
        plain = arguments[: arguments.index(">")] if ">" in arguments else arguments
        ended = mqsc(*plain)
        assert ended.code == 0, ended.err
        if plain != arguments:
            (tmp_path / arguments[-1]).write_text(ended.out)
    mqsc("run", "-c", "ALTER QLOCAL(ORDERS) MAXDEPTH(1)")
    assert mqsc("diff", "qm1.mqsc").code == 2

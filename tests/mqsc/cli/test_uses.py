"""`mqsc uses`, and what DELETE says about objects that are still named."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.mqsc.conftest import Command

NAMED = "Still named by QLOCAL(A) BOQNAME, QALIAS(IN) TARGET."
DELETE = "DELETE QLOCAL(Q)"


@pytest.fixture(autouse=True)
def objects(mqsc: Command) -> None:
    lines = ["DEFINE QLOCAL(Q)", "DEFINE QLOCAL(A) BOQNAME(Q)", "DEFINE QALIAS(IN) TARGET(Q)"]
    mqsc("run", stdin="\n".join(lines).encode())


def test_the_list(mqsc: Command, tmp_path: Path) -> None:
    rules = tmp_path / "rules.txt"
    rules.write_text("INPUTQ(Q)\nACTION(RETRY)\nREASON(2053) ACTION(FWD) FWDQ(Q)\n")
    assert mqsc("uses", "Q", "--rules", str(rules)).lines == [
        f"TYPE    NAME{' ' * (len(str(rules)) + 4)}  ATTRIBUTE  QMGR",
        *(
            f"{type:<6}  {name:<{len(str(rules)) + 8}}  {word:<9}  QM1"
            for type, name, word in (
                ("QLOCAL", "A", "BOQNAME"),
                ("QALIAS", "IN", "TARGET"),
                ("RULES", f"{rules}, line 1", "INPUTQ"),
                ("RULES", f"{rules}, line 3", "FWDQ"),
            )
        ),
    ]
    assert mqsc("uses", "A").err == "mqsc: QM1: nothing names the queue A\n"
    assert mqsc("uses", "A", "--rules", "none.txt").code == 20


def test_the_reply_to_delete(mqsc: Command) -> None:
    assert NAMED in mqsc("run", "-c", DELETE).lines


@pytest.mark.parametrize("options", [(), ("--plan",), ("--atomic",)])
def test_a_use_that_is_defined_between_two_deletions(
    mqsc: Command,
    options: tuple[str, ...],
) -> None:
    lines = ["DELETE QLOCAL(A)", "DEFINE QLOCAL(NEW) BOQNAME(NEVER.NAMED.BEFORE)"]
    mqsc("run", "-c", "DEFINE QLOCAL(NEVER.NAMED.BEFORE)")
    lines += ["DELETE QLOCAL(NEVER.NAMED.BEFORE)"]
    ran = mqsc("run", *options, stdin="\n".join(lines).encode())
    assert "Still named by QLOCAL(NEW) BOQNAME." in ran.out


def test_runmqsc_and_data_have_the_text_of_ibm_only(mqsc: Command) -> None:
    assert "Still named" not in mqsc("runmqsc", "QM1", stdin=DELETE.encode()).out
    mqsc("run", "-c", "DEFINE QLOCAL(Q)")
    assert mqsc("run", "-c", DELETE, "--format", "jsonl").rows[0]["text"].endswith("deleted.")


def test_the_plan_of_a_run(mqsc: Command) -> None:
    lines = [line.strip() for line in mqsc("run", "--plan", "-c", DELETE).lines]
    assert lines[0].startswith("DELETE     QLOCAL(Q)")
    assert lines[1] == NAMED


def test_the_plan_of_apply_names_what_stays(mqsc: Command, tmp_path: Path) -> None:
    file = tmp_path / "all.mqsc"
    file.write_text("DEFINE QLOCAL(A) BOQNAME(Q)\n")
    plan = [line.strip() for line in mqsc("apply", "--plan", "--prune", str(file)).lines]
    # The alias is pruned too.
    assert "Still named by QLOCAL(A) BOQNAME." in plan

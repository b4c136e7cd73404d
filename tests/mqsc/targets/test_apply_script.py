"""`mqsc apply --script`: MQSC to hand over, from any state to any other (N20)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, pairwise
from pathlib import Path

import pytest

from mqsc.console.inputs import InputSource
from mqsc.language.secrets import secret_keywords
from mqsc.plan import CHANGING
from mqsc.script import run
from mqsc.scripts.declarations import statements_in
from mqsc.scripts.leading_script import leading_script
from mqsc.scripts.planning import ApplyPlan, plan_to_apply
from mqsc.store.client.queue_manager import QueueManager
from mqsc.targets.apply_script import carried_out
from tests.examples import examples
from tests.mqsc.conftest import Command
from tests.mqsc.export.test_round_trip import new_queue_manager

A = "DEFINE QLOCAL(A) MAXDEPTH(7)\nDEFINE QLOCAL(OLD)\n"
B = "DEFINE QLOCAL(A) MAXDEPTH(9)\nDEFINE QALIAS(NEW) TARGET(A)\n"
SCRIPT = """\
DEFINE QALIAS('NEW') TARGET('A')
ALTER QLOCAL('A') MAXDEPTH(9)
DELETE QLOCAL('OLD')
"""


def test_from_the_store_from_a_file_and_from_a_dump(mqsc: Command, tmp_path: Path) -> None:
    mqsc("run", "-c", A)
    (tmp_path / "a.mqsc").write_text(A)
    (tmp_path / "b.mqsc").write_text(B)
    of_store = mqsc("apply", "b.mqsc", "--prune", "--script")
    assert (of_store.code, of_store.out) == (0, SCRIPT)
    of_file = mqsc("apply", "b.mqsc", "--prune", "--script", "--from-file", "a.mqsc", "-m", "X")
    assert (of_file.code, of_file.out) == (0, SCRIPT)
    (tmp_path / "dump").write_text(mqsc("export").out)
    of_dump = mqsc("apply", "b.mqsc", "--prune", "--script", "--from-file", "dump", "-m", "X")
    assert (of_dump.code, of_dump.out) == (0, SCRIPT)
    # Nothing was changed; the script does it.
    assert mqsc("run", "-", stdin=SCRIPT.encode()).code == 0
    done = mqsc("apply", "b.mqsc", "--prune", "--script", "--detailed-exitcode")
    assert (done.code, done.out) == (0, "")
    assert "QM1: nothing to change" in done.err


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--script", "--yes"), "--script changes nothing"),
        (("--from-file", "b.mqsc", "--yes"), "which cannot be changed"),
        (("--script", "--from-file", "none"), "No such file"),
        (("--on", "none"), "there is no target 'none'"),
    ],
)
def test_refusals(mqsc: Command, tmp_path: Path, options: tuple[str, ...], says: str) -> None:
    (tmp_path / "b.mqsc").write_text(B)
    ended = mqsc("apply", "b.mqsc", *options)
    assert (ended.code, ended.out) == (20, "")
    assert says in ended.err


def test_an_error_writes_no_script(mqsc: Command) -> None:
    mqsc("qmgr", "create", "QM1")
    ended = mqsc("apply", "-", "--script", stdin=b"ALTER QLOCAL(NONE) MAXDEPTH(1)\n")
    assert (ended.code, "no script was written" in ended.err) == (10, True)


def test_a_deletion_last_and_a_secret_named(mqsc: Command) -> None:
    mqsc("qmgr", "create", "QM1")
    definition = (
        "DEFINE AUTHINFO(L) AUTHTYPE(IDPWLDAP) CONNAME('h') SHORTUSR('u') LDAPPWD('geheim')"
    )
    ended = mqsc("apply", "-", "--script", stdin=definition.encode())
    assert ended.lines == [
        "* LDAPPWD of AUTHINFO(L) is not shown. Set it by hand.",
        "DEFINE AUTHINFO('L') AUTHTYPE(IDPWLDAP) CONNAME('h') SHORTUSR('u')",
    ]


def definitions_of(path: Path) -> list[InputSource]:
    """A script of the corpus."""
    return [InputSource(path=str(path), content=path.read_bytes())]


def plan(qmgr: QueueManager, sources: list[InputSource]) -> ApplyPlan:
    statements = [each for each in statements_in(sources, None) if each.request is not None]
    return plan_to_apply(qmgr, statements, prune=True, skip_unsupported=True)


def without_errors(folder: Path) -> Iterator[list[InputSource]]:
    """The scripts whose definitions can be made on a new queue manager."""
    for path in sorted(folder.iterdir()):
        sources = definitions_of(path)
        with new_queue_manager() as qmgr:
            found = plan(qmgr, sources)
            if not found.has_errors and found.changes_something:
                yield sources


def test_n20_between_scripts_of_the_corpus(corpus: Path) -> None:
    pairs = 0
    for first, second in pairwise(islice(without_errors(corpus / "mqsc"), examples(12))):
        with new_queue_manager() as qmgr, new_queue_manager() as made:
            for target, sources in ((qmgr, first), (made, first)):
                with carried_out(target, plan(target, sources)) as after:
                    for line in leading_script(target, after).lines(one_line=True):
                        run(target, line)
            with carried_out(qmgr, plan(qmgr, second)) as after:
                lines = [*leading_script(qmgr, after).lines()]
            assert [each.text for each in run(made, "\n".join(lines)) if each.completion] == []
            # The script names secrets, and does not have them.
            left = [
                row
                for row in plan(made, second).rows
                if row.action in CHANGING
                and not (row.changes and row.changes.keys() <= secret_keywords())
            ]
            assert left == []
            pairs += 1
    assert pairs > 10

"""Measuring with mutants: what is changed is what the tests import, and every kind of change is
one.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.mutation.mutants import mutants_of
from tests.mutation.mutate import copy, stages


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A tree with a package that the product has by a link, and its tests."""
    tree = tmp_path / "source"
    files = {
        "store/rules/expiry.py": "HOURS = 1\n",
        "tests/store/rules/test_expiry.py": "",
        "tests/store/rules/test_getting.py": "",
        "tests/store/admin/test_expiry.py": "from mqsc.store.rules.expiry import HOURS\n",
        "tests/scenarios/test_mqi.py": "",
    }
    for name, text in files.items():
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / name).write_text(text)
    (tree / "mqsc").mkdir()
    (tree / "mqsc/store").symlink_to("../store")
    return tree


def test_the_product_of_a_copy_is_the_source_that_a_mutant_changes(
    source: Path,
    tmp_path: Path,
) -> None:
    tree = tmp_path / "tree"
    copy(source, tree)
    (tree / "store/rules/expiry.py").write_text("HOURS = 2\n")
    assert (tree / "mqsc/store/rules/expiry.py").read_text() == "HOURS = 2\n"
    assert (source / "store/rules/expiry.py").read_text() == "HOURS = 1\n"


def test_the_tests_of_a_module_come_first_then_those_of_its_folder(source: Path) -> None:
    assert list(stages(source, "store/rules/expiry.py", only_near=False)) == [
        ("tests/store/rules/test_expiry.py", "tests/store/admin/test_expiry.py"),
        ("tests/store/rules/test_getting.py",),
        ("tests/scenarios",),
    ]


@pytest.mark.parametrize(
    ("line", "operator", "changed"),
    [
        ("a < b", "comparison", ["a <= b"]),
        ("a < b", "turned comparison", ["a > b"]),
        ("a == b", "turned comparison", []),
        ("a and b or c", "and/or", ["a and b and c", "a or b or c"]),
        ("a and b and c", "dropped condition", ["b and c", "a and c", "a and b"]),
        ("(a or b) and c", "dropped condition", ["c", "a or b", "(b) and c", "(a) and c"]),
        ("not (a and b)", "dropped condition", ["not (a)", "not (b)"]),
        ("not a", "negated condition", ["a"]),
        ("a - b", "arithmetic", ["a + b"]),
        ("f(a, b, a)", "swapped arguments", ["f(b, a, a)", "f(a, a, b)"]),
        ("f(a, a)", "swapped arguments", []),
        ("f(a)", "missing call", ["a"]),
        ("f(*a)", "missing call", []),
    ],
)
def test_the_changes_of_a_line(line: str, operator: str, changed: list[str]) -> None:
    source = f"def decide(a, b, c):\n    return {line}\n"
    mutants = [each for each in mutants_of("m.py", source) if each.operator == operator]
    lines = [each.apply(source).splitlines()[1].removeprefix("    return ") for each in mutants]
    assert sorted(lines) == sorted(changed)

"""The arrows between the packages, the homes of the libraries, and the one door to the outside world."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib

import pytest

from tests.source import MODULES, ROOT, every_import, within

# What each package may import of the others.
ARROWS = {
    "grammar": (),
    "store": (),
    "reports": ("store.published",),
    "mqsc": ("grammar", "store", "reports"),
}

# Inside store: what may not import what, and why.
APART = [
    ("store.rules", "store.sql", "a decision gets facts, it does not read them"),
    ("store.rules", "store.sqlite.database", "a decision gets facts, it does not read them"),
    ("store.rules", "store.sql.schema", "a decision gets facts, it does not read them"),
    ("store.rules", "store.engine", "decisions are called, they call nobody"),
    ("store.rules", "store.mqi", "decisions are called, they call nobody"),
    ("store.rules", "store.admin", "decisions are called, they call nobody"),
    ("store.rules", "store.environment", "the time is given to a decision"),
    ("store.sql", "store.rules", "a statement decides nothing"),
    ("store.sql", "store.engine", "a statement is called, it calls nobody"),
    ("store.sql", "store.mqi", "a statement is called, it calls nobody"),
    ("store.sql", "store.admin", "a statement is called, it calls nobody"),
    ("store.engine", "store.mqi", "calls use the flow of messages, not the other way round"),
    ("store.engine", "store.admin", "commands use the flow of messages, not the other way round"),
    ("store.catalog", "store.sql", "the vocabulary is data"),
    ("store.catalog", "store.sqlite.database", "the vocabulary is data"),
]

# Who may import which library, and the dependency that brings it (none for the standard library).
LIBRARIES: dict[str, tuple[tuple[str, ...], str | None]] = {
    "adbc_driver_manager": (("reports",), "adbc-driver-manager"),
    "adbc_driver_sqlite": (("reports",), "adbc-driver-sqlite"),
    "alembic": (("store.sqlite.migrations",), "alembic"),
    "click": (("mqsc",), "click"),
    "lark": (("grammar",), "lark"),
    "platformdirs": (("mqsc",), "platformdirs"),
    "prompt_toolkit": (("mqsc",), "prompt-toolkit"),
    "py4j": (("reports",), "pyspark"),
    "pyarrow": (("reports",), "pyarrow"),
    "pyspark": (("reports",), "pyspark"),
    "pysqlite3": (("store.sqlite.driver",), "pysqlite3"),
    "rich": (("mqsc",), "rich"),
    "sqlalchemy": (("store.sql", "store.sqlite", "store.sql.schema", "store.client.api"), "sqlalchemy"),
    "sqlite3": (("store.sqlite.driver",), None),
}

# Time, chance, identifiers and the user come in through store.environment alone.
OUTSIDE_MODULES = {"getpass", "random", "secrets", "uuid"}
OUTSIDE_CALLS = {
    ("date", "today"),
    ("datetime", "now"),
    ("datetime", "today"),
    ("datetime", "utcnow"),
    ("os", "getlogin"),
    ("os", "urandom"),
    ("pwd", "getpwuid"),
    *(("time", name) for name in ("monotonic", "monotonic_ns", "perf_counter", "sleep", "time", "time_ns")),
}
DOORS = {
    "store.environment": "the one door",
    "store.sqlite.liveness": "the name of a file that must not repeat, in a frozen environment too",
}

# The vocabulary and the decisions.
PURE = ("store.catalog", "store.rules")

# What may not be loaded when this is run in a fresh Python.
LIGHT = [
    ("import mqsc", {"alembic", "click", "lark", "prompt_toolkit", "pyarrow", "pyspark", "rich", "sqlalchemy"}),
    ("import store", {"alembic", "lark", "pyarrow", "pyspark", "sqlalchemy"}),
    ("import grammar", {"click", "pyspark", "sqlalchemy", "store"}),
    ("import reports", {"click", "lark", "mqsc", "pyspark", "sqlalchemy"}),
    ("import reports.source", {"click", "lark", "mqsc", "sqlalchemy"}),
    ("import store.published", {"sqlalchemy"}),
    ("import store.constants, store.error, store.catalog", {"sqlalchemy"}),
    (
        "import mqsc.cli.main; mqsc.cli.main.run_to_exit_code(['--help'])",
        {"alembic", "lark", "prompt_toolkit", "pyarrow", "pyspark", "rich", "sqlalchemy"},
    ),
    (
        "import mqsc.cli.main; mqsc.cli.main.run_to_exit_code(['--store', 'sqlite://', 'run', '-c', 'DISPLAY QMGR'])",
        {"alembic", "prompt_toolkit", "pyarrow", "pyspark"},
    ),
]


def test_the_packages_are_found() -> None:
    assert {module.name.split(".")[0] for module in MODULES} == set(ARROWS)


def test_packages_import_only_along_the_arrows() -> None:
    wrong = [
        f"{module.at(each.line)} imports {each.name}"
        for module, each in every_import()
        for home, target in [(module.name.split(".")[0], each.name.split(".")[0])]
        if target in ARROWS and target != home and not any(within(each.name, allowed) for allowed in ARROWS[home])
    ]
    assert wrong == []


def test_reports_are_imported_only_when_a_report_is_made() -> None:
    wrong = [
        f"{module.at(each.line)} imports {each.name}"
        for module, each in every_import()
        if each.at_load and within(module.name, "mqsc") and within(each.name, "reports")
    ]
    assert wrong == []


@pytest.mark.parametrize(("home", "target", "reason"), APART)
def test_the_layers_of_the_store_stay_apart(home: str, target: str, reason: str) -> None:
    wrong = [
        f"{module.at(each.line)} imports {each.name}: {reason}"
        for module, each in every_import()
        if within(module.name, home) and within(each.name, target)
    ]
    assert wrong == []


def test_every_library_has_its_homes() -> None:
    wrong = [
        f"{module.at(each.line)} imports {each.name}"
        for module, each in every_import()
        for top in [each.name.split(".")[0]]
        if (top in LIBRARIES or top not in sys.stdlib_module_names | set(ARROWS))
        and not any(within(module.name, home) for home in LIBRARIES.get(top, ((), None))[0])
    ]
    assert wrong == []


def test_every_library_is_a_declared_dependency() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    declared = {re.match(r"[\w-]+", each)[0] for each in project["dependencies"]}  # type: ignore[index]
    assert declared == {distribution for _, distribution in LIBRARIES.values() if distribution}


def test_the_outside_world_has_one_door() -> None:
    imported = [
        f"{module.at(each.line)} imports {each.name}"
        for module, each in every_import()
        if module.name not in DOORS
        and (each.name.split(".")[0] in OUTSIDE_MODULES or tuple(each.name.split(".")) in OUTSIDE_CALLS)
    ]
    called = [
        f"{module.at(node.lineno)} uses {'.'.join(names)}"
        for module in MODULES
        if module.name not in DOORS
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Attribute)
        for names in [last_two_names(node)]
        if names in OUTSIDE_CALLS
    ]
    assert imported + called == []


def last_two_names(node: ast.Attribute) -> tuple[str, str]:
    """The end of a dotted name: `datetime.datetime.now` ends in ("datetime", "now")."""
    before = node.value
    return getattr(before, "attr", getattr(before, "id", "")), node.attr


@pytest.mark.parametrize(("statement", "unwanted"), LIGHT, ids=[statement for statement, _ in LIGHT])
def test_what_is_light_stays_light(statement: str, unwanted: set[str]) -> None:
    loaded = loaded_by(statement)
    assert sorted(loaded & unwanted) == []


def test_decisions_load_no_database_library() -> None:
    pure = [module.name for module in MODULES if any(within(module.name, each) for each in PURE)]
    assert "sqlalchemy" not in loaded_by("import " + ", ".join(pure))


def loaded_by(statement: str) -> set[str]:
    """The top names of all modules that a fresh Python has loaded after `statement`."""
    code = f"{statement}\nimport sys\nprint('loaded:', *sys.modules)"
    result = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    (line,) = [each for each in result.stdout.splitlines() if each.startswith("loaded:")]
    return {name.split(".")[0] for name in line.split()[1:]}

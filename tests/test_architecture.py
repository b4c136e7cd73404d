"""Which package may import which, which may use which library, and the one module that reads
time and user.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable
from functools import cache

import pytest

from tests.source import FUNCTIONS, MODULES, ROOT, Import, Module, every_import, statements, within

# The modules of the other packages that each package may import.
ARROWS = {
    "grammar": (),
    "store": (),
    "reports": ("store.published",),
    "mqsc": ("grammar", "store", "reports"),
}

# The layers inside store, and those that each may import. Every layer uses the rest of store, which
# is values.
LAYERS: dict[str, set[str]] = {
    "past": {"client", "mqi", "admin", "engine", "rules", "sql", "sqlite", "catalog", "headers"},
    "client": {"mqi", "admin", "engine", "rules", "sql", "sqlite", "catalog", "headers"},
    "mqi": {"engine", "rules", "sql", "sqlite", "catalog", "headers"},
    "admin": {"engine", "rules", "sql", "sqlite", "catalog", "headers"},
    "engine": {"rules", "sql", "sqlite", "catalog", "headers"},
    "rules": {"catalog", "headers"},
    "sql": {"sqlite"},
    "sqlite": set(),
    "catalog": set(),
    "headers": set(),
}
# Only the package itself may name the classes of the client.
PUBLIC_FACE = "store"

# Packages of store that hold values for every layer.
VALUE_PACKAGES = {"constants"}

# The module that `import mqsc` loads.
FACE = "__init__"

# Modules of mqsc that only give names of other packages to programs.
RE_EXPORTS = {"constants", "reports"}

# Decisions get the time and all other facts as arguments, so they may not import these.
UNKNOWN_TO_RULES = ("store.environment",)

# Imports inside functions of store, and the start-up time that each saves.
IMPORTED_LATE = {
    (
        "store.sql.schema_version",
        "store.sqlite.migrations",
    ): "Alembic takes 0.1 s; only an upgrade needs it",
    (
        "store.admin.read_only_store",
        "store.engine.recovery.recover",
    ): "the engine takes 0.2 s; only dead programs need it",
    (
        "store.engine.selectors",
        "store.rules.selector.reading.parse",
    ): "Lark: 0.05 s; only selectors need it",
    ("store.catalog.spelling", "difflib"): "1 ms; only mistakes need it",
    ("store.message_times", "calendar"): "2 ms; few programs read times of messages",
    ("store.client.store", "store.admin.report_bound"): "10 ms; only reports need it",
    ("store.rules.masking", "xml.etree"): "10 ms; only masks of XML need it",
    ("store.sqlite.driver", "ctypes"): "10 ms; only a store whose files were replaced needs it",
}

# Values that lead back to what they belong to: a connection has its queue manager. Their modules
# import those above only for types.
OWNERS = {
    "store.client.object_handle": ("store.client.connection",),
    "store.client.subscription": ("store.client.connection",),
    "store.client.connection": ("store.client.queue_manager", "store.client.store"),
    "store.client.queue_manager": ("store.client.store",),
}

# The functions that write the depth of a queue, and the only module that may call them.
DEPTH_WRITERS = {
    ("queues", name)
    for name in (
        "count_puts",
        "count_put_each",
        "count_get",
        "count_gets",
        "change_depth",
        "change_depth_by_move",
    )
}
DEPTH = "store.engine.depth"

# The packages that may import each library, and the dependency that provides it (None for the
# standard library).
LIBRARIES: dict[str, tuple[tuple[str, ...], str | None]] = {
    "adbc_driver_manager": (("reports",), "adbc-driver-manager"),
    "adbc_driver_sqlite": (("reports",), "adbc-driver-sqlite"),
    "attrs": (("mqsc.lsp",), "pygls"),
    "lsprotocol": (("mqsc.lsp",), "pygls"),
    "pygls": (("mqsc.lsp",), "pygls"),
    "prometheus_client": (
        (
            "mqsc.agents.channel_metrics",
            "mqsc.agents.metrics",
            "mqsc.http.exposition",
            "mqsc.http.traffic",
        ),
        "prometheus-client",
    ),
    "opentelemetry": (("mqsc.history.span_export",), "opentelemetry-sdk"),
    # What the exporter needs itself.
    "google": (("mqsc.history.span_export",), "opentelemetry-exporter-otlp-proto-http"),
    "requests": (("mqsc.history.span_export",), None),
    "mcp": (("mqsc.sandbox.server",), "mcp"),
    "mcp_types": (("mqsc.sandbox.server",), "mcp"),
    "h11": (("mqsc.http.protocol",), "uvicorn"),
    "starlette": (("mqsc.http",), "starlette"),
    "uvicorn": (("mqsc.http.protocol", "mqsc.http.server"), "uvicorn"),
    "anyio": (
        (
            "mqsc.interface.asynchronous",
            "mqsc.interface.asynchronous_queue",
            "mqsc.interface.asynchronous_topic",
            "mqsc.interface.asynchronous_unit",
            "mqsc.interface.asynchronous_wait",
        ),
        "anyio",
    ),
    "alembic": (("store.sqlite.migrations",), "alembic"),
    "click": (("mqsc",), "click"),
    "difflib": (("store.catalog.spelling", "mqsc.cli.fmt"), None),
    "grpc": (("reports.spark_connect",), "pyspark"),
    "jinja2": (("reports.page.document",), "jinja2"),
    "lark": (("grammar", "store.rules.selector"), "lark"),
    "mkdocs": (("mqsc.manual.site",), "mkdocs"),
    "msgspec": (("grammar", "mqsc", "reports.archive", "store"), "msgspec"),
    "platformdirs": (("mqsc", "reports.class_archives"), "platformdirs"),
    "prompt_toolkit": (("mqsc",), "prompt-toolkit"),
    "py4j": (("reports",), "pyspark"),
    "pyarrow": (("reports",), "pyarrow"),
    "pyspark": (("reports",), "pyspark"),
    "pysqlite3": (("store.sqlite.driver",), "pysqlite3"),
    "rich": (("mqsc",), "rich"),
    "yaml": (("mqsc.scripts.selection",), "pyyaml"),
    "sqlalchemy": (
        ("store.sql.core", "store.sqlite.migrations"),
        "sqlalchemy",
    ),
    "sqlite3": (("store.sqlite.driver",), None),
    "vl_convert": (("reports.page",), "vl-convert-python"),
}

# Time, random numbers, identifiers and the user may be read only in store.environment.
OUTSIDE_MODULES = {"getpass", "random", "secrets", "uuid"}
OUTSIDE_CALLS = {
    *(("date", "today"), ("datetime", "now"), ("datetime", "today"), ("datetime", "utcnow")),
    *(("os", "getlogin"), ("os", "urandom"), ("pwd", "getpwuid")),
    *(
        ("time", name)
        for name in ("monotonic", "monotonic_ns", "perf_counter", "sleep", "time", "time_ns")
    ),
}
DOORS = {
    "store.environment": "the one door",
    "store.sqlite.files": "the owner of a lock file, and the groups of that user",
    "store.sqlite.liveness": "the name of a file that must not repeat, in a frozen environment too",
}

# The vocabulary and the decisions, which must not perform input or output.
PURE = ("store.catalog", "store.rules")

# Statements, and the libraries that they must not load in a fresh Python.
LIGHT = [
    (
        "import mqsc",
        {
            "alembic",
            "anyio",
            "click",
            "lark",
            "prompt_toolkit",
            "pyarrow",
            "pyspark",
            "rich",
            "sqlalchemy",
        },
    ),
    ("import mqsc; mqsc.connect('sqlite://', create=True)", {"alembic", "anyio", "lark"}),
    ("import pytest_mqsc", {"click", "mqsc", "sqlalchemy", "store"}),
    ("import mqsc.store", {"alembic", "lark", "pyarrow", "pyspark", "sqlalchemy"}),
    ("import mqsc.store.client.store", {"alembic", "lark", "sqlalchemy"}),
    ("import mqsc.grammar", {"click", "pyspark", "sqlalchemy", "store"}),
    ("import mqsc.reports", {"click", "lark", "pyspark", "sqlalchemy"}),
    ("import mqsc.reports.sources", {"click", "lark", "sqlalchemy"}),
    ("import mqsc.reports.archive.writing", {"click", "lark", "py4j", "pyspark", "sqlalchemy"}),
    ("import mqsc.reports.archive.worker", {"click", "lark", "py4j", "pyspark", "sqlalchemy"}),
    ("import mqsc.reports.archive.verifying", {"py4j", "pyspark", "sqlalchemy"}),
    ("import mqsc.store.published", {"sqlalchemy"}),
    # What the first prompt of the shell waits for.
    ("import mqsc.shell.start", {"alembic", "lark", "pyarrow", "pyspark", "rich", "sqlalchemy"}),
    ("import mqsc.store.constants, mqsc.store.error, mqsc.store.catalog", {"sqlalchemy"}),
    # The history of an imported error log explains its messages, and may be the first to need them.
    (
        "import mqsc.language.codes as codes; codes.all_message_ids()",
        {"pyarrow", "pyspark", "sqlalchemy"},
    ),
    (
        "import mqsc.main; mqsc.main.run_to_exit_code(['--help'])",
        {"alembic", "anyio", "lark", "prompt_toolkit", "pyarrow", "pyspark", "rich", "sqlalchemy"},
    ),
    (
        "import mqsc.main; mqsc.main.run_to_exit_code(['--store', 'sqlite://', 'run', '-c', "
        "'DISPLAY QMGR'])",
        {"alembic", "prompt_toolkit", "pyarrow", "pyspark"},
    ),
]


def test_the_top_of_the_tree_holds_what_the_documentation_names() -> None:
    """Files that a session left there were committed before."""
    if not (ROOT / ".git").exists():
        pytest.skip("a copy without .git: which files belong to the project is not known")
    tracked = subprocess.run(
        ["git", "ls-files"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    tree = (
        (ROOT / "docs" / "development" / "architecture.md")
        .read_text("utf-8")
        .partition("## The tree")[2]
        .split("```")[1]
    )
    named = re.findall(r"^[^\s/]+", tree, re.MULTILINE)
    assert sorted({path.partition("/")[0] for path in tracked.splitlines()}) == sorted(named)


def test_the_packages_are_found() -> None:
    assert {module.name.split(".")[0] for module in MODULES} == set(ARROWS)


Rule = Callable[[Module, Import], bool]


def leaves_the_arrows(module: Module, each: Import) -> bool:
    home, target = module.name.split(".")[0], each.name.split(".")[0]
    return (
        target in ARROWS
        and target != home
        and not any(within(each.name, allowed) for allowed in ARROWS[home])
    )


def needs_reports_at_load(module: Module, each: Import) -> bool:
    """Reports are imported only when a report is made."""
    is_of_mqsc = within(module.name, "mqsc") and module.name != "mqsc.reports"
    return each.at_load and is_of_mqsc and within(each.name, "reports")


def leaves_the_layers(module: Module, each: Import) -> bool:
    """The layers of the store import only those below."""
    home, target = layer_of(module.name), layer_of(each.name)
    is_of_store = within(module.name, "store") and module.name != PUBLIC_FACE
    return (
        is_of_store and target not in (None, home) and (home is None or target not in LAYERS[home])
    )


def leaves_the_rows(module: Module, each: Import) -> bool:
    """The rows of mqsc import only those below, for types and in functions too."""
    rows, home, target = rows_of_mqsc(), part_of_mqsc(module.name), part_of_mqsc(each.name)
    return home in rows and target in rows and home != target and rows[home] <= rows[target]


def asks_for_the_time(module: Module, each: Import) -> bool:
    """Decisions are given the time."""
    return within(module.name, "store.rules") and any(
        within(each.name, unknown) for unknown in UNKNOWN_TO_RULES
    )


def leaves_the_homes_of_a_library(module: Module, each: Import) -> bool:
    top = each.name.split(".")[0]
    is_library = top in LIBRARIES or top not in sys.stdlib_module_names | set(ARROWS)
    return is_library and not any(
        within(module.name, home) for home in LIBRARIES.get(top, ((), None))[0]
    )


RULES = (
    leaves_the_arrows,
    needs_reports_at_load,
    leaves_the_layers,
    leaves_the_rows,
    asks_for_the_time,
)


@pytest.mark.parametrize("breaks", [*RULES, leaves_the_homes_of_a_library])
def test_no_import_breaks_a_rule(breaks: Rule) -> None:
    assert wrong_imports(breaks) == []


def wrong_imports(breaks: Rule) -> list[str]:
    wrong = ((module, each) for module, each in every_import() if breaks(module, each))
    return [f"{module.at(each.line)} imports {each.name}" for module, each in wrong]


def layer_of(name: str) -> str | None:
    """Return the layer of store that a module is in, or None."""
    parts = name.split(".")
    return parts[1] if parts[0] == "store" and len(parts) > 1 and parts[1] in LAYERS else None


def test_every_folder_of_the_store_is_a_layer() -> None:
    assert {path.parent.name for path in (ROOT / "store").glob("*/__init__.py")} == {
        *LAYERS,
        *VALUE_PACKAGES,
    }


def test_every_part_of_mqsc_is_in_a_row() -> None:
    parts = {part_of_mqsc(module.name) for module in MODULES if within(module.name, "mqsc")}
    assert parts - {"", *RE_EXPORTS} == set(rows_of_mqsc())


def test_nothing_but_the_manual_imports_the_public_face() -> None:
    """`mqsc` itself imports nearly everything, so that programs need no other name."""
    users = {module.name for module, each in every_import() if part_of_mqsc(each.name) == FACE}
    assert users == {"mqsc.manual.api_reference"}


@cache
def rows_of_mqsc() -> dict[str, int]:
    """The row of each part of mqsc as docs/development/architecture.md says, counted from the bottom of the
    table.
    """
    table = (
        (ROOT / "docs" / "development" / "architecture.md")
        .read_text("utf-8")
        .partition("| row of mqsc |")[2]
        .split("\n\n")[0]
    )
    rows = [re.findall(r"`(\w+)`", line.split("|")[1]) for line in table.splitlines()[2:]]
    return {part: number for number, row in enumerate(reversed(rows)) for part in row}


def part_of_mqsc(name: str) -> str:
    """Return the folder or module at the top of mqsc that a name belongs to, or ""."""
    top, *inside = name.split(".")
    if top != "mqsc":
        return ""
    is_part = bool(inside) and any(within(each.name, f"mqsc.{inside[0]}") for each in MODULES)
    return inside[0] if is_part else FACE


def test_no_modules_import_each_other() -> None:
    """Neither directly nor through others. Imports for type checking count too, except those of
    owners.
    """
    names = {module.name for module in MODULES}
    graph = {
        module.name: {
            target
            for each in module.imports
            for target in (each.name, each.name.rpartition(".")[0])
            if target in names
            and target != module.name
            and target not in OWNERS.get(module.name, ())
        }
        for module in MODULES
        if module.path.name != "__init__.py"
    }
    assert circles(graph) == []


def circles(graph: dict[str, set[str]]) -> list[list[str]]:
    """Return the groups of modules that can reach each other (Tarjan's algorithm)."""
    found: list[list[str]] = []
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []

    def visit(name: str) -> None:
        index[name] = low[name] = len(index)
        stack.append(name)
        for target in sorted(graph[name] & graph.keys()):
            if target not in index:
                visit(target)
                low[name] = min(low[name], low[target])
            elif target in stack:
                low[name] = min(low[name], index[target])
        if low[name] == index[name]:
            group = stack[stack.index(name) :]
            del stack[stack.index(name) :]
            if len(group) > 1:
                found.append(sorted(group))

    for name in sorted(graph):
        if name not in index:
            visit(name)
    return found


def test_the_store_imports_at_the_top() -> None:
    late = {
        (
            module.name,
            each.name if within(each.name, "store") else each.name.rpartition(".")[0] or each.name,
        )
        for module in MODULES
        if within(module.name, "store")
        for each in imports_inside_functions(module)
    }
    assert sorted(late - set(IMPORTED_LATE)) == []
    assert sorted(set(IMPORTED_LATE) - late) == []


def imports_inside_functions(module: Module) -> list[Import]:
    inside = {
        node.lineno
        for function in module.nodes
        if isinstance(function, FUNCTIONS)
        for node, _ in statements(function)
        if isinstance(node, ast.Import | ast.ImportFrom)
    }
    return [each for each in module.imports if each.line in inside]


def test_one_module_changes_the_depth_of_queues() -> None:
    wrong = [
        f"{module.at(node.lineno)} calls {'.'.join(names)}"
        for module in MODULES
        if module.name != DEPTH
        for node in module.nodes
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
        for names in [last_two_names(node.func)]
        if names in DEPTH_WRITERS
    ]
    assert wrong == []


def test_every_library_is_a_declared_dependency() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    libraries = [
        (homes, distribution) for homes, distribution in LIBRARIES.values() if distribution
    ]
    reports = {distribution for homes, distribution in libraries if homes[0].startswith("reports")}
    assert names_in(project["optional-dependencies"]["reports"]) == reports
    assert names_in(project["optional-dependencies"]["archive"]) == reports - {
        "jinja2",
        "pyspark",
        "vl-convert-python",
    }
    others: set[str] = set()
    for extra, home in (
        ("docs", "mqsc.manual"),
        ("lsp", "mqsc.lsp"),
        ("metrics", "mqsc.agents"),
        ("mcp", "mqsc.sandbox"),
        ("otlp", "mqsc.history.span_export"),
        ("http", "mqsc.http"),
    ):
        needed = {
            distribution
            for homes, distribution in libraries
            if any(each.startswith(home) for each in homes)
        }
        assert names_in(project["optional-dependencies"][extra]) == needed
        others |= needed
    assert (
        names_in(project["dependencies"])
        == {distribution for _, distribution in libraries} - reports - others
    )


def names_in(requirements: list[str]) -> set[str]:
    return {re.split(r"[^\w-]", each)[0] for each in requirements}


def test_executors_of_a_cluster_need_no_python() -> None:
    """What Spark would do with rows or functions of Python needs Python on each of them.

    Rows in Arrow's form do not; one function, which is given these only, makes frames of them.
    """
    needs_python = re.compile(
        r"\.(createDataFrame|parallelize|udf|pandas_udf|mapInPandas|mapInArrow)\(",
    )
    found = {module.name: needs_python.findall(module.source) for module in MODULES}
    assert {name: calls for name, calls in found.items() if calls} == {
        "reports.held_rows": ["createDataFrame"],
    }


def test_the_outside_world_has_one_door() -> None:
    imported = wrong_imports(
        lambda module, each: (
            module.name not in DOORS
            and (
                each.name.split(".")[0] in OUTSIDE_MODULES
                or tuple(each.name.split(".")) in OUTSIDE_CALLS
            )
        ),
    )
    called = [
        f"{module.at(node.lineno)} uses {'.'.join(names)}"
        for module in MODULES
        if module.name not in DOORS
        for node in module.nodes
        if isinstance(node, ast.Attribute)
        for names in [last_two_names(node)]
        if names in OUTSIDE_CALLS
    ]
    assert imported + called == []


def last_two_names(node: ast.Attribute) -> tuple[str, str]:
    """Return the last two parts of a dotted name: ("datetime", "now") for
    `datetime.datetime.now`.
    """
    before = node.value
    return getattr(before, "attr", getattr(before, "id", "")), node.attr


@pytest.mark.parametrize(
    ("statement", "unwanted"),
    LIGHT,
    ids=[statement for statement, _ in LIGHT],
)
def test_what_is_light_stays_light(statement: str, unwanted: set[str]) -> None:
    loaded = loaded_by(statement)
    assert sorted(loaded & unwanted) == []


def test_decisions_load_no_database_library() -> None:
    pure = [module.name for module in MODULES if any(within(module.name, each) for each in PURE)]
    assert "sqlalchemy" not in loaded_by("import " + ", ".join(f"mqsc.{name}" for name in pure))


def loaded_by(statement: str) -> set[str]:
    """Return the top-level names of all modules that a fresh Python has loaded after
    `statement`.
    """
    code = f"{statement}\nimport sys\nprint('loaded:', *sys.modules)"
    result = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    (line,) = [each for each in result.stdout.splitlines() if each.startswith("loaded:")]
    return {name.split(".")[0] for name in line.split()[1:]}


def test_one_module_asks_what_was_meant() -> None:
    """Elsewhere a word would be similar by another rule, or the question would have other words."""
    asking = [
        module.at(node.lineno)
        for module in MODULES
        for node in module.nodes
        if isinstance(node, ast.Constant)
        and "did you mean" in str(node.value).lower()
        and node.value not in _docstrings(module)
        and module.name != "store.catalog.spelling"
    ]
    assert asking == []


def _docstrings(module: Module) -> set[str]:
    documented = (*FUNCTIONS, ast.ClassDef, ast.Module)
    nodes = (each for each in module.nodes if isinstance(each, documented))
    return {ast.get_docstring(each, clean=False) or "" for each in nodes}

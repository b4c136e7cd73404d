"""The installed product, in a folder with modules that have the names of its packages in the
source tree.
"""

from __future__ import annotations

import csv
import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import venv
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from zipfile import ZipFile

import pytest

from mqsc.reports.session import FEW
from tests.mqsc.shell.pty_terminal import Terminal
from tests.mqsc.test_package import PUBLIC, TYPED
from tests.source import PACKAGES, ROOT
from tests.store.tables import named_rows

pytestmark = pytest.mark.long

# The names of the packages in the tree, and one that any project has.
OWN = ("store.py", "grammar.py", "reports.py", "tests.py")
# The packages beside `mqsc` in the tree; inside it where they are imported.
MOVED = ("grammar", "reports", "store")
EVERY_MODULE = """
import importlib, pkgutil, sys
import mqsc
names = [each.name for each in pkgutil.walk_packages(mqsc.__path__, "mqsc.") if not each.name.endswith("__main__")]
for name in names:
    importlib.import_module(name)
assert "mqsc.store.sqlite.migrations.versions" in names
assert not {"grammar", "reports", "store", "tests"} & sys.modules.keys()
"""
OWN_PACKAGES = (
    f"import mqsc, {', '.join(MOVED)}; assert all(each.OWN for each in ({', '.join(MOVED)}))"
)
LIGHT = """
import sys
from mqsc.main import run_to_exit_code
assert run_to_exit_code(["run", "-c", "DISPLAY QMGR"]) == 0
assert "sqlalchemy" not in sys.modules
"""
CLIENT = """
import ibmmq
qmgr = ibmmq.connect("QM1")
queue = ibmmq.Queue(qmgr, "ORDERS", ibmmq.CMQC.MQOO_INPUT_SHARED | ibmmq.CMQC.MQOO_OUTPUT)
queue.put(b"tea")
print(queue.get())
"""
TESTS = """
import store
from mqsc import Message, MQOO
from mqsc.testing import assert_on_queue
def test_of_mqsc(queue_manager):
    with queue_manager.connect() as connection:
        connection.put1("SYSTEM.DEFAULT.LOCAL.QUEUE", Message(b"tea"))
    assert_on_queue(queue_manager, "SYSTEM.DEFAULT.LOCAL.QUEUE", "tea")
def test_of_the_project():
    assert store.OWN
"""
PUTS = 7
# The bound of more events than a report reads in a process of its own: Spark's Python workers read
# them, however many there are.
REPORT_ON_MANY = f"""
import mqsc
from mqsc import reports
with mqsc.open_store("sqlite:///many.db") as store:
    qmgr = store.create_queue_manager("QM1")
    mqsc.run(qmgr, "DEFINE QLOCAL(Q)")
    with qmgr.connect() as connection:
        connection.open("Q", mqsc.MQOO.OUTPUT).put([mqsc.Message(b"x")] * {PUTS})
    bound = store.bound()
many = bound._replace(seq={FEW + 1})
reports.run(["queue-activity"], "many.db", "many", bound=many)
"""


class Installation:
    """An environment with the wheel; the libraries are those of the environment that runs the
    tests.
    """

    def __init__(self, folder: Path) -> None:
        self.bin = folder / "environment" / "bin"
        self.project = folder / "project"
        venv.create(folder / "environment", symlinks=True)
        self.packages = Path(
            sysconfig.get_path("purelib", vars={"base": str(folder / "environment")}),
        )
        (self.packages / "libraries.pth").write_text(sysconfig.get_path("purelib"))
        # Reports start faster with the archive of Java's classes.
        archives = Path(sys.prefix) / "share" / "mqsc"
        archives.mkdir(parents=True, exist_ok=True)
        (folder / "environment" / "share").mkdir(exist_ok=True)
        (folder / "environment" / "share" / "mqsc").symlink_to(archives)
        self.project.mkdir()
        for name in OWN:
            (self.project / name).write_text("OWN = True\n")

    def install(self, *what: str) -> None:
        pip = [
            sys.executable,
            "-m",
            "pip",
            "--python",
            str(self.bin / "python"),
            "install",
            "--quiet",
        ]
        run(
            [
                *pip,
                "--no-deps",
                "--no-index",
                "--no-build-isolation",
                "--disable-pip-version-check",
                *what,
            ],
            ROOT,
        )

    def run(self, program: str, *arguments: str, store: str = "own.db") -> str:
        """What a program of the environment prints when it runs in the project; it must succeed."""
        return run([str(self.bin / program), *arguments], self.project, self.variables(store))

    def variables(self, store: str) -> dict[str, str]:
        path = f"{self.bin}{os.pathsep}{os.environ['PATH']}"
        return {"MQSC_STORE": f"sqlite:///{self.project}/{store}", "PATH": path}


def run(command: list[str], folder: Path, variables: Mapping[str, str] | None = None) -> str:
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        command,
        cwd=folder,
        env={**kept, **(variables or {})},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def built(tree: Path, kind: str, folder: Path) -> Path:
    """What the backend makes of a tree, as pip calls it."""
    folder.mkdir(exist_ok=True)
    backend = str(tree / ".ci" / "backend")
    calls = f"import sys; sys.path.insert(0, {backend!r}); import mqsc_backend as backend; "
    calls += f"backend.build_{kind}({str(folder)!r})"
    run([sys.executable, "-c", calls], tree)
    (made,) = folder.iterdir()
    return made


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the source tree, where building leaves its files."""
    copy = tmp_path_factory.mktemp("tree")
    for file in filter(Path.is_file, ROOT.iterdir()):
        shutil.copy(file, copy)
    for package in (*PACKAGES, ".ci/backend"):
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / package, copy / package, symlinks=True, ignore=ignored)
    return copy


@pytest.fixture(scope="module")
def wheel(tree: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel that is made of an sdist."""
    folder = tmp_path_factory.mktemp("built")
    with tarfile.open(built(tree, "sdist", folder / "sdist")) as sdist:
        sdist.extractall(folder, filter="data")
    (unpacked,) = folder.glob("mqsc-*")
    return built(unpacked, "wheel", folder / "wheel")


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Installation:
    """The wheel, installed, and a project with a queue manager."""
    made = Installation(tmp_path_factory.mktemp("installed"))
    made.install(str(wheel))
    made.run("mqsc", "qmgr", "create", "QM1")
    made.run("mqsc", "run", "-c", "DEFINE QLOCAL(ORDERS)")
    return made


def test_a_wheel_of_an_sdist_holds_the_whole_tree(wheel: Path, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "mqsc", tmp_path / "mqsc", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pytest_mqsc.py", tmp_path)
    files = [
        tmp_path / "pytest_mqsc.py",
        *(each for each in (tmp_path / "mqsc").rglob("*") if each.is_file()),
    ]
    with ZipFile(wheel) as archive:
        held = {
            name: archive.read(name) for name in archive.namelist() if ".dist-info/" not in name
        }
    assert held == {str(each.relative_to(tmp_path)): each.read_bytes() for each in files}


def test_an_installation_has_two_names(installed: Installation) -> None:
    names = {each.name for each in installed.packages.iterdir()} - {"__pycache__", "libraries.pth"}
    (metadata,) = {each for each in names if each.endswith(".dist-info")}
    assert names == {"mqsc", "pytest_mqsc.py", metadata}
    assert (installed.packages / metadata / "top_level.txt").read_text().split() == [
        "mqsc",
        "pytest_mqsc",
    ]


def test_an_editable_installation_is_one_path(tree: Path, tmp_path: Path) -> None:
    clone = Installation(tmp_path)
    clone.install("-e", str(tree))
    (path,) = (each.read_text().strip() for each in clone.packages.glob("__editable__*.pth"))
    assert Path(path) == tree
    shutil.rmtree(clone.project)
    clone.project.mkdir()
    clone.run("python", "-c", PUBLIC)
    assert clone.run("mqsc", "--version") == "mqsc, version 1.0.0\n"


@named_rows(
    ("every module is imported from it", EVERY_MODULE),
    ("it starts without sqlalchemy", LIGHT),
    ("the packages of the tree are the project's own", OWN_PACKAGES),
)
def test_a_program_in_the_project(installed: Installation, program: str) -> None:
    installed.run("python", "-c", program)


def test_a_folder_that_is_read_only_starts_without_sqlalchemy(installed: Installation) -> None:
    folders = [each for each in (installed.packages / "mqsc").rglob("*") if each.is_dir()]
    for each in folders:
        each.chmod(0o555)
    try:
        installed.run("python", "-c", LIGHT)
    finally:
        for each in folders:
            each.chmod(0o755)
    # Root writes there anyway.
    assert not list((installed.packages / "mqsc").rglob("__pycache__/statements.json"))


def test_a_program_runs_and_passes_a_strict_type_check(installed: Installation) -> None:
    (installed.project / "program.py").write_text(
        f"import store as own\n{TYPED}{PUBLIC}\nassert own.OWN\n",
    )
    installed.run("python", "program.py")
    installed.run("python", "-m", "mypy", "--strict", "--cache-dir", os.devnull, "program.py")


def test_the_plugin_of_pytest(installed: Installation) -> None:
    (installed.project / "test_project.py").write_text(TESTS)
    assert "2 passed" in installed.run(
        "python",
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "test_project.py",
    )


@pytest.mark.skipif(find_spec("ibmmq") is None, reason="the package ibmmq is not installed")
def test_a_program_for_ibm_mq(installed: Installation) -> None:
    (installed.project / "client.py").write_text(CLIENT)
    assert installed.run("mqsc", "client", "--quiet", "--", "python", "client.py") == "b'tea'\n"


def test_the_shell(installed: Installation) -> None:
    command = [str(installed.bin / "mqsc")]
    with Terminal(
        installed.project,
        command=command,
        environment=installed.variables("own.db"),
    ) as shell:
        shell.wait("QM1  ")
        shell.enter("dis ql(orders) curdepth").wait("ORDERS  QLOCAL         0")


def test_the_tour(installed: Installation) -> None:
    samples = installed.project / "samples"
    samples.mkdir()
    for name in ("tour.sh", "shop.mqsc"):
        shutil.copy(ROOT / "samples" / name, samples)
    # The rest of the real one installs the product.
    (samples / "setup.sh").write_text("prepare_reports() { :; }\n")
    said = run(
        ["sh", str(samples / "tour.sh"), "kept"],
        installed.project,
        installed.variables("own.db"),
    )
    assert "AMQ" in said
    with (installed.project / "kept/report/expired-messages/expired.csv").open(
        encoding="utf-8",
    ) as file:
        expired = {row["queue"]: int(row["messages"]) for row in csv.DictReader(file)}
    assert expired["SHOP.STOCK.CHECK"] == 80


def test_the_python_workers_of_spark(installed: Installation) -> None:
    (installed.project / "report_on_many.py").write_text(REPORT_ON_MANY)
    installed.run("python", "report_on_many.py")
    found = []
    for table in (installed.project / "many/queue-activity").glob("*.csv"):
        with table.open(encoding="utf-8") as file:
            found += [
                row["puts"]
                for row in csv.DictReader(file)
                if row.get("queue") == "Q" and "puts" in row
            ]
    assert str(PUTS) in found

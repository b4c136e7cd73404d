"""What `import mqsc` gives a program: every name, with types, and a clear error if another
module is named mqsc.
"""

from __future__ import annotations

import ast
import json
import os
import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

import pytest

import mqsc
from mqsc import store
from tests.source import PACKAGES, ROOT

# The example of the contract (design §2.2), which also needs the queue OTHER.
CONTRACT = """
import mqsc
from mqsc import (Environment, GetMessageOptions, Message, MessageDescriptor, MQError, PutMessageOptions)
from mqsc.constants import MQGMO, MQMO, MQOO, MQPMO, MQRC, MQRO

environment = Environment.frozen(at=1_700_000_000_000_000)
store = mqsc.open_store("sqlite:///orders.db", environment=environment)
qmgr = store.create_queue_manager("QM1")
replies = mqsc.run(qmgr, "DEFINE QLOCAL(ORDERS) MAXDEPTH(10); DEFINE QLOCAL(OTHER)")
assert (replies[0].message_id, replies[0].completion, replies[0].reason, replies[0].rows) == ("AMQ8006I", 0, 0, [])

with qmgr.connect(application="billing", user="alice") as connection:
    orders = connection.open("ORDERS", MQOO.INPUT_SHARED | MQOO.OUTPUT)
    hello = Message(b"hello", MessageDescriptor(priority=5, expiry=300))
    placed = orders.put(hello, PutMessageOptions(MQPMO.SYNCPOINT))
    connection.commit()
    message = orders.get(GetMessageOptions(MQGMO.SYNCPOINT | MQGMO.WAIT, wait_interval=1000))
    assert (message.body, message.descriptor.expiry, message.descriptor.backout_count) == (b"hello", 300, 0)
    connection.put1("OTHER", Message(b"x"))
    orders.close()
environment.clock.advance(seconds=3.3)
"""

# The same with only `import mqsc`, and the types that a type checker must infer.
TYPED = """
from typing import assert_type

import mqsc

def drain(connection: mqsc.Connection, name: str) -> list[mqsc.Message]:
    queue: mqsc.ObjectHandle = connection.open(name, mqsc.MQOO.INPUT_SHARED | mqsc.MQOO.FAIL_IF_QUIESCING)
    found: list[mqsc.Message] = []
    while True:
        try:
            found.append(queue.get(mqsc.GetMessageOptions(mqsc.MQGMO.NO_WAIT | mqsc.MQGMO.SYNCPOINT)))
        except mqsc.MQError as error:
            assert_type(error.reason, mqsc.MQRC | mqsc.MQRCCF | int)
            assert_type(error.completion, mqsc.MQCC)
            if error.reason == mqsc.MQRC.NO_MSG_AVAILABLE:
                return found
            raise

store: mqsc.Store = mqsc.open_store("sqlite://")
qmgr: mqsc.QueueManager = store.create_queue_manager("QM1")
replies: list[mqsc.Reply] = mqsc.run(qmgr, "DEFINE QLOCAL(ORDERS)")
with qmgr.connect() as connection:
    orders = connection.open("ORDERS", mqsc.MQOO.OUTPUT)
    assert_type(orders.put(mqsc.Message(b"one")), mqsc.MessageDescriptor)
    assert_type(orders.put([mqsc.Message(b"two"), mqsc.Message(b"three")]), list[mqsc.MessageDescriptor])
    assert_type(mqsc.MQOO.OUTPUT | mqsc.MQOO.BROWSE, mqsc.MQOO)
    assert [message.body for message in drain(connection, "ORDERS")] == [b"one", b"two", b"three"]
"""

# The types of the interface.
INTERFACE = """
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, assert_type

import mqsc

def both(qmgr: mqsc.Session, orders: mqsc.Queue) -> None:
    assert_type(orders.put("x", priority=3, color="red"), mqsc.MessageDescriptor)
    message = orders.get(timedelta(0))
    assert_type(message, mqsc.ReceivedMessage)
    assert_type(message.expiry, timedelta | None)
    assert_type(message.put_at, datetime | None)
    assert_type(message.json(), Any)
    assert_type(qmgr.request("ORDERS", json={}), mqsc.ReceivedMessage)
    with qmgr.unit() as unit:
        assert_type(unit, mqsc.Unit)
    assert_type(qmgr.run_one("PING QMGR"), mqsc.Reply)
    assert_type(mqsc.commands("PING QMGR")[0].changes, bool)

async def waiting(qmgr: mqsc.AsyncSession, orders: mqsc.AsyncQueue) -> None:
    assert_type(await orders.put("x", priority=3, color="red"), mqsc.MessageDescriptor)
    assert_type(await orders.depth(), int)
    async for message in orders.messages():
        assert_type(message.text, str)
    async with qmgr.topic("prices/#") as prices:
        assert_type(prices, mqsc.AsyncTopic)
        assert_type(await prices.publish("x", retain=True, color="red"), None)
        async for message in prices.messages(name="all"):
            assert_type(message, mqsc.ReceivedMessage)
    async with qmgr.unit() as unit:
        assert_type(unit, mqsc.AsyncUnit)
        assert_type(unit.hand_over(), None)
    async for message in orders.browse(None, where="color = 'red'"):
        assert_type(message, mqsc.ReceivedMessage)
    async with mqsc.aconnect() as other:
        assert_type(other, mqsc.AsyncSession)

def failed(error: mqsc.NotFound) -> str:
    assert issubclass(mqsc.NoReply, mqsc.NoMessage)
    return error.suggestion
"""

# Every module that programs import, in a clone as well as installed.
PUBLIC = """
import pickle
import mqsc
import mqsc.reports
from mqsc.constants import MQRC, families
from mqsc.pcf import Parameter, unpack
from mqsc.testing import assert_on_queue

assert MQRC.Q_FULL is mqsc.MQRC.Q_FULL is mqsc.constants.MQRC.Q_FULL
assert "MQRC" in families() and "MQRC" in dir(mqsc.constants)
assert "backouts" in mqsc.reports.names()
assert mqsc.property_types.to_bytes(4, True) == bytes([1, 0, 0, 0])
errors = [mqsc.MQError(2033), mqsc.StoreError("full"), mqsc.reports.ReportError("none")]
assert [str(type(each)) for each in errors] == [
    "<class 'mqsc.MQError'>", "<class 'mqsc.StoreError'>", "<class 'mqsc.reports.ReportError'>"
]
assert [str(each) for each in pickle.loads(pickle.dumps(errors))] == [str(each) for each in errors]
"""

# Each with the beginning of what mypy says about it, and the rule of pyright.
MISTAKES = {
    "mqsc.open_stor('sqlite://')": ("Module has no attribute", "reportAttributeAccessIssue"),
    "mqsc.MQRC.Q_FUL": ('"type[MQRC]" has no attribute "Q_FUL"', "reportAttributeAccessIssue"),
    "mqsc.MQGMO.NO_WAIT + 'x'": ("Unsupported operand types", "reportOperatorIssue"),
    "mqsc.connect('x').queue('Q').put('x', priority='high')": (
        'Argument "priority" to "put" of "Queue"',
        "reportArgumentType",
    ),
}
# Pyright as it is strict by itself; a program may import more than it uses. It fetches nothing:
# `pyright` holds the checker, and it is run without the launcher that would look for a newer one.
PYRIGHT = {"typeCheckingMode": "strict", "reportUnusedImport": False, "extraPaths": [str(ROOT)]}


def run_python(folder: Path, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run Python in `folder`, with our packages on its path as if installed."""
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), **variables},
        capture_output=True,
        text=True,
        check=False,
    )


def readme_examples() -> str:
    return "".join(
        re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text("utf-8"), re.DOTALL),
    )


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the examples and samples, and one program that is wrong in every line."""
    folder = tmp_path_factory.mktemp("programs")
    sources = {
        "contract.py": CONTRACT,
        "mqsc_alone.py": TYPED,
        "public.py": PUBLIC,
        **{path.name: path.read_text("utf-8") for path in (ROOT / "samples").rglob("*.py")},
        "interface.py": INTERFACE,
        "readme.py": readme_examples(),
        "wrong.py": "\n".join(["import mqsc", *MISTAKES]),
    }
    for name, source in sources.items():
        assert "import mqsc" in source, name
        (folder / name).write_text(source, "utf-8")
    return folder


@pytest.mark.long
def test_examples_pass_a_strict_type_check_that_finds_mistakes(programs: Path) -> None:
    """In one check, with the sample: the first one in a clone reads the whole product, which
    takes half a minute.
    """
    cache, names = str(ROOT / ".mypy_cache" / "user"), [each.name for each in programs.glob("*.py")]
    found = run_python(
        programs,
        "-m",
        "mypy",
        "--strict",
        "--cache-dir",
        cache,
        *names,
    ).stdout.splitlines()
    assert [text for text in found[:-1] if not text.startswith("wrong.py:")] == []
    wrong = [
        error
        for line, (error, _) in enumerate(MISTAKES.values(), 2)
        if not said_at(line, error, found)
    ]
    assert wrong == []
    assert found[-1].endswith(f"in 1 file (checked {len(names)} source files)")


@pytest.mark.long
def test_pyright_accepts_the_examples_and_finds_mistakes(programs: Path) -> None:
    spec, node = find_spec("pyright"), shutil.which("node")
    if spec is None or spec.submodule_search_locations is None or node is None:
        pytest.skip("needs the package pyright, and the program node on the path")
    (programs / "pyrightconfig.json").write_text(json.dumps(PYRIGHT), "utf-8")
    checker = Path(spec.submodule_search_locations[0], "dist", "index.js")
    command = [node, str(checker), "--outputjson", "--pythonpath", sys.executable]
    checked = json.loads(
        subprocess.run(command, cwd=programs, capture_output=True, text=True, check=False).stdout,
    )
    assert checked["summary"]["filesAnalyzed"] == len([*programs.glob("*.py")])
    found = {
        (Path(each["file"]).name, each["range"]["start"]["line"] + 1, each["rule"])
        for each in checked["generalDiagnostics"]
    }
    assert {each for each in found if each[0] != "wrong.py"} == set()
    assert {
        ("wrong.py", line, rule) for line, (_, rule) in enumerate(MISTAKES.values(), 2)
    } <= found


def said_at(line: int, error: str, found: list[str]) -> bool:
    return any(text.startswith(f"wrong.py:{line}: error: {error}") for text in found)


@pytest.mark.parametrize(
    "source",
    [CONTRACT, TYPED, PUBLIC],
    ids=["contract", "mqsc alone", "public modules"],
)
def test_an_example_runs(tmp_path: Path, source: str) -> None:
    (tmp_path / "program.py").write_text(source, "utf-8")
    result = run_python(tmp_path, "program.py")
    assert (result.returncode, result.stderr) == (0, "")


@pytest.mark.parametrize("package", [mqsc, store])
def test_exactly_the_public_names_are_there_and_listed(package: ModuleType) -> None:
    assert ([name for name in dir(package) if not hasattr(package, name)], dir(package)) == (
        [],
        package.__all__,
    )
    assert not {"os", "sys", "Any"} & set(dir(package))
    with pytest.raises(AttributeError, match="no attribute 'nosuch'"):
        getattr(package, "nosuch")  # noqa: B009


def test_the_public_names_are_those_that_type_checkers_see() -> None:
    """And every package says that it is typed."""
    tree = ast.parse((ROOT / "store" / "__init__.py").read_text("utf-8"))
    checked = next(node for node in tree.body if isinstance(node, ast.If)).body
    imports = [node for node in checked if isinstance(node, ast.ImportFrom)]
    assert sorted(name.asname for node in imports for name in node.names if name.asname) == dir(
        store,
    )
    assert [package for package in PACKAGES if not (ROOT / package / "py.typed").exists()] == []


def test_a_folder_without_modules_hides_nothing(tmp_path: Path) -> None:
    (tmp_path / "store").mkdir()
    assert run_python(tmp_path, "-c", "import mqsc; mqsc.open_store").returncode == 0

"""Masters and their settings; which Java runs Spark, and the archive of the classes that it
loads.
"""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from mqsc.reports import masters
from mqsc.reports.errors import ReportError
from mqsc.reports.masters import require_answer
from tests.rows import rows
from tests.source import ROOT
from tests.store.tables import verdicts

test_which_masters_are_local = verdicts(
    masters.is_local,
    *(
        ("local", True),
        ("local[2]", True),
        ("local[*]", True),
        ("local[2,3]", True),
        ("local[nothing]", True),
    ),
    *(
        ("local-cluster[2,1,512]", False),
        ("spark://localhost:7077", False),
        ("sc://localhost", False),
    ),
    *(("yarn", False), ("k8s://https://host", False), ("", False)),
)


@rows("", "foo", "local[0]", "local[nothing]", "local[2", "spark:", "localhost:7077")
def test_what_is_no_master(master: str) -> None:
    with pytest.raises(ReportError, match="is not a master of Spark; write local"):
        masters.require_master(master)


@rows("local", "local[2]", "local[*]", "local[*,4]", "spark://a:1", "yarn", "k8s://b")
def test_masters(master: str) -> None:
    masters.require_master(master)


def test_settings() -> None:
    given = ["spark.memory=4g", "spark.javaOptions=-Da=b -Dc=d", "spark.memory=5g", "spark.x="]
    assert masters.settings_of(given) == {
        "spark.memory": "5g",
        "spark.javaOptions": "-Da=b -Dc=d",
        "spark.x": "",
    }


@rows(
    (
        "executor.memory=4g",
        "'executor.memory=4g' is not a Spark setting; write it as spark.executor.memory=4g",
    ),
    ("spark.executor.memory", "is not a Spark setting"),
    ("", "'' is not a Spark setting"),
    ("spark.master=yarn", "spark.master cannot be set: name the master with --master"),
    (
        "spark.sql.session.timeZone=CET",
        "spark.sql.session.timeZone cannot be set: reports are made in UTC",
    ),
)
def test_refused_settings(given: str, says: str) -> None:
    with pytest.raises(ReportError, match=re.escape(says)):
        masters.settings_of([given])


@rows(
    ("spark://", "spark:// is not the URL of a master; write it as spark://HOST:7077"),
    ("spark://host:port", "spark://host:port is not the URL of a master"),
    ("sc://:15002", "sc://:15002 is not the URL of a master; write it as sc://HOST:15002"),
    ("sc://host:99999", "is not the URL of a master"),
    ("spark://nowhere.invalid:7077", "no Spark master answers at spark://nowhere.invalid:7077"),
)
def test_masters_that_cannot_be_reached(master: str, says: str) -> None:
    with pytest.raises(ReportError, match=re.escape(says)):
        require_answer(master)


def test_a_master_that_answers_or_is_not_asked() -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        socket.create_server(("127.0.0.1", 0)) as closed,
    ):
        port, dead = server.getsockname()[1], closed.getsockname()[1]
        closed.close()
        for master in (
            f"spark://127.0.0.1:{dead},127.0.0.1:{port}",
            f"sc://127.0.0.1:{port}/;user_id=ann",
            "yarn",
        ):
            require_answer(master)
        says = rf"^no Spark master answers at spark://127.0.0.1:{dead} \(127.*refused\)$"
        with pytest.raises(ReportError, match=says):
            require_answer(f"spark://127.0.0.1:{dead}")


# The setup of a fresh clone has just created the archive. Elsewhere it is created in a folder of
# the test.
SCRIPT = """
import os, sys
from mqsc.reports.java_runtime import java_home
from mqsc.reports.prepare import prepare
from mqsc.reports.class_archives import class_archive
if not class_archive(java_home()):
    sys.prefix = sys.argv[1]
archive = prepare()
print(archive.relative_to(sys.prefix), archive.stat().st_size > 50_000_000)
made = archive.stat().st_mtime_ns
print(prepare() == archive, archive.stat().st_mtime_ns == made)
from mqsc.reports.session import session

# The first half of the archive, under a name that says that this is all.
sys.prefix = sys.argv[1] + "-broken"
folder = os.path.join(sys.prefix, "share", "mqsc")
os.makedirs(folder)
with archive.open("rb") as whole:
    half = whole.read(archive.stat().st_size // 2)
broken = os.path.join(folder, f"{archive.stem.rpartition('-')[0]}-{len(half)}.jsa")
with open(broken, "wb") as file:
    file.write(half)
with session("local[1]") as spark:
    print(spark.range(3).count(), os.path.exists(broken))
"""


@pytest.mark.long
def test_prepare(tmp_path: Path) -> None:
    """The archive is created once; one that Java cannot read is no error."""
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]),
    }
    command = [sys.executable, "-c", SCRIPT, str(tmp_path / "env")]
    ended = subprocess.run(
        command,
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.stderr == ""
    # Java ends at once with the broken one: it is removed, and the session starts without it.
    assert re.fullmatch(r"share/mqsc/spark-\S+\.jsa True\nTrue True\n3 False\n", ended.stdout)


def test_prepare_says_that_the_archive_is_switched_off() -> None:
    environment = {**os.environ, "MQSC_CLASS_ARCHIVE": "off"}
    command = [sys.executable, "-m", "mqsc.reports.prepare"]
    ended = subprocess.run(
        command,
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ended.returncode, ended.stderr) == (
        1,
        "reports will start slowly: MQSC_CLASS_ARCHIVE is off\n",
    )

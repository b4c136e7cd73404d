"""The archive of the classes that Spark loads."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

# The setup of a fresh clone has just created the archive. Elsewhere it is created in a folder of the test.
SCRIPT = """
import os, sys
from reports.masters import java_home
from reports.running import prepare
from reports.masters import class_archive
if not class_archive(java_home()):
    sys.prefix = sys.argv[1]
archive = prepare()
print(archive.relative_to(sys.prefix), archive.stat().st_size > 50_000_000)
made = archive.stat().st_mtime_ns
print(prepare() == archive, archive.stat().st_mtime_ns == made)
from reports.session import session

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
    root = str(Path(__file__).resolve().parents[2])
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([root, os.environ.get("PYTHONPATH", "")])}
    command = [sys.executable, "-c", SCRIPT, str(tmp_path / "env")]
    ended = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert ended.stderr == ""
    made, again, after = ended.stdout.splitlines()
    assert made.startswith("share/mqsc/spark-")
    assert made.endswith(".jsa True")
    assert again == "True True"
    # Java ends at once with the broken one: it is removed, and the session starts without it.
    assert after == "3 False"


def test_prepare_says_that_the_archive_is_switched_off(tmp_path: Path) -> None:
    environment = {**os.environ, "MQSC_CLASS_ARCHIVE": "off"}
    command = [sys.executable, "-m", "reports.running"]
    root = Path(__file__).resolve().parents[2]
    ended = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (1, "reports will start slowly: MQSC_CLASS_ARCHIVE is off\n")

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
from reports.java import java_home
from reports.prepare import prepare
from reports.session import class_archive
if not class_archive(java_home()).is_file():
    sys.prefix = sys.argv[1]
archive = prepare()
print(archive.relative_to(sys.prefix), archive.stat().st_size > 50_000_000)
print(os.listdir(archive.parent) == [archive.name])
made = archive.stat().st_mtime_ns
print(prepare() == archive, archive.stat().st_mtime_ns == made)
from reports.session import session
with session("local[1]") as spark:
    options = spark.sparkContext.getConf().get("spark.driver.extraJavaOptions")
    print(str(archive) in options, spark.range(3).count())
"""


@pytest.mark.long
def test_prepare(tmp_path: Path) -> None:
    """The archive is created once, and then used."""
    root = str(Path(__file__).resolve().parents[2])
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([root, os.environ.get("PYTHONPATH", "")])}
    command = [sys.executable, "-c", SCRIPT, str(tmp_path / "env")]
    ended = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert ended.stderr == ""
    made, alone, again, used = ended.stdout.splitlines()
    assert made.startswith("share/mqsc/spark-")
    assert made.endswith(".jsa True")
    assert (alone, again, used) == ("True", "True True", "True 3")


def test_a_folder_that_cannot_be_written_is_said_so(tmp_path: Path) -> None:
    (tmp_path / "share").write_text("in the way")
    script = "import runpy, sys; sys.prefix = sys.argv.pop(); runpy.run_module('reports.prepare', run_name='__main__')"
    root = Path(__file__).resolve().parents[2]
    command = [sys.executable, "-c", script, str(tmp_path)]
    ended = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    assert ended.returncode == 1
    assert ended.stderr.startswith("reports will start slowly: ")
    assert ended.stderr.count("\n") == 1

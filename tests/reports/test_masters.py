"""Masters and their settings; which Java runs Spark, and the archive of the classes that it
loads.
"""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from mqsc.reports import class_archives, java_runtime, masters
from mqsc.reports.class_archives import SUFFIX, class_archive, folders, new_archive
from mqsc.reports.errors import ReportError
from mqsc.reports.java_runtime import java_home, problem_of
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


MODULES = f'MODULES="java.base {java_runtime.NEEDED_MODULE}"'


def runtime(folder: Path, release: str | None, java: str = "#!/bin/sh\n") -> Path:
    """Create a folder that looks like a runtime. Without a release file, its `java` must print
    the version.
    """
    (folder / "bin").mkdir(parents=True)
    (folder / "bin" / "java").write_text(java)
    (folder / "bin" / "java").chmod(0o755)
    if release is not None:
        (folder / "release").write_text(release)
    return folder


@rows(
    *((f'JAVA_VERSION="17.0.15"\n{MODULES}', ""), (f'JAVA_VERSION="25"\n{MODULES}', "")),
    *(('JAVA_VERSION="21.0.2"', ""), (f'JAVA_VERSION="11.0.20"\n{MODULES}', "is version 11")),
    ('JAVA_VERSION="1.8.0_392"', "is version 8"),
    (
        'JAVA_VERSION="17.0.15"\nMODULES="java.base java.sql"',
        "lacks the module jdk.incubator.vector",
    ),
    ("IMPLEMENTOR=somebody", "does not state its version"),
)
def test_what_a_runtime_tells_decides(tmp_path: Path, release: str, problem: str) -> None:
    java = runtime(tmp_path / "java", release)
    assert problem_of(java) == problem
    assert java_runtime.version_of(java) == "".join(re.findall('JAVA_VERSION="(.*)"', release))


@rows(
    ("#!/bin/sh\necho '    java.specification.version = 21' >&2\n", ""),
    ("#!/bin/sh\necho '    java.specification.version = 1.8' >&2\n", "is version 8"),
    ("#!/bin/sh\nexit 1\n", "does not state its version"),
    ("not a program", "does not state its version"),
)
def test_a_runtime_without_a_release_file_is_asked(tmp_path: Path, java: str, problem: str) -> None:
    assert problem_of(tmp_path) == "has no bin/java"
    assert problem_of(runtime(tmp_path / "java", None, java)) == problem


def test_the_first_usable_one_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old = runtime(tmp_path / "old", 'JAVA_VERSION="11.0.1"')
    good = runtime(tmp_path / "installed" / "b", 'JAVA_VERSION="17.0.1"')
    runtime(tmp_path / "installed" / "c", 'JAVA_VERSION="21.0.1"')
    (tmp_path / "installed" / "a").mkdir()
    monkeypatch.setenv("JAVA_HOME", str(old))
    monkeypatch.setenv("PATH", str(tmp_path))
    assert java_home([f"{tmp_path}/installed/*"]) == good
    monkeypatch.setenv("PATH", str(tmp_path / "installed" / "c" / "bin"))
    assert java_home([f"{tmp_path}/installed/*"]) == tmp_path / "installed" / "c"


def test_without_any_the_user_is_told_what_to_install(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    old = runtime(tmp_path / "old", 'JAVA_VERSION="11.0.1"')
    monkeypatch.setenv("JAVA_HOME", str(old))
    monkeypatch.setenv("PATH", str(tmp_path))
    assert shutil.which("java") is None
    says = f"version 17 or newer.*openjdk-17-jre-headless.*{re.escape(str(old))} is version 11$"
    with pytest.raises(ReportError, match=f"(?s){says}"):
        java_home([])


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A Java runtime, with no archive for it in an environment and a cache of their own."""
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "environment"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    home = tmp_path / "java"
    (home / "lib").mkdir(parents=True)
    (home / "release").write_text('JAVA_VERSION="17.0.15"')
    (home / "lib" / "modules").write_text("classes")
    return home


def make(home: Path, content: bytes = b"classes") -> Path:
    """Make the archive as a session does; return where it is found then."""
    with new_archive(home) as path:
        assert path is not None
        path.write_bytes(content)
    found = class_archive(home)
    assert found is not None
    return found


def test_an_archive_is_made_once_and_found(home: Path) -> None:
    assert class_archive(home) is None
    found = make(home)
    assert found.parent == folders()[0]
    assert re.fullmatch(r"spark-[\d.]+-java-17\.0\.15-[0-9a-f]{8}-7\.jsa", found.name)
    with new_archive(home) as again:
        assert again is None


def test_it_belongs_to_one_spark_and_one_java_and_those_of_earlier_installations_are_removed(
    home: Path,
) -> None:
    for version in range(5):
        os.utime(home / "lib" / "modules", (version, version))
        assert class_archive(home) is None
        make(home)
    assert len(list(folders()[0].glob(f"*{SUFFIX}"))) == class_archives.MOST
    (home / "release").write_text('JAVA_VERSION="21"')
    assert class_archive(home) is None


def test_one_of_another_size_or_another_user_is_not_used(home: Path) -> None:
    found = make(home)
    for content in (b"", b"class", b"classes and more"):
        found.write_bytes(content)
        assert class_archive(home) is None
        assert make(home) == found
    if os.geteuid() == 0:
        os.chown(found, 12345, 12345)
        assert class_archive(home) is None


def test_nothing_stays_of_a_failed_session(home: Path) -> None:
    with suppress(KeyboardInterrupt), new_archive(home) as path:
        assert path is not None
        path.write_bytes(b"half")
        raise KeyboardInterrupt
    assert class_archive(home) is None
    assert [each.name for each in folders()[0].iterdir()] == ["spark.lock"]
    with new_archive(home):
        # Java has written nothing.
        pass
    assert class_archive(home) is None
    # Two first sessions at once.
    with new_archive(home) as first, new_archive(home) as second:
        assert second is None
        assert first is not None
        first.write_bytes(b"classes")
    assert class_archive(home) is not None


KILLED = """
import os, signal, sys
from pathlib import Path
from mqsc.reports.masters import new_archive
sys.prefix = sys.argv[2]
with new_archive(Path(sys.argv[1])) as path:
    path.write_bytes(b"half")
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_killed_session_is_in_nobodys_way(home: Path) -> None:
    command = [sys.executable, "-c", KILLED, str(home), sys.prefix]
    subprocess.run(command, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, check=False)
    assert len(list(folders()[0].iterdir())) == 2
    make(home)
    assert {each.name for each in folders()[0].iterdir()} == {
        "spark.lock",
        f"{class_archives.stem_of(home)}-7{SUFFIX}",
    }


def test_without_write_access_to_the_environment_it_is_in_the_cache_or_nowhere(home: Path) -> None:
    Path(sys.prefix).write_text("in the way")
    found = make(home)
    assert found.parent == folders()[1]
    shutil.rmtree(os.environ["XDG_CACHE_HOME"])
    Path(os.environ["XDG_CACHE_HOME"]).write_text("in the way")
    with new_archive(home) as path:
        assert path is None


def test_it_can_be_switched_off(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(class_archives.SWITCH, "off")
    with new_archive(home) as path:
        assert path is None
    assert not Path(sys.prefix).exists()


# The setup of a fresh clone has just created the archive. Elsewhere it is created in a folder of
# the test.
SCRIPT = """
import os, sys
from mqsc.reports.masters import java_home
from mqsc.reports.prepare import prepare
from mqsc.reports.masters import class_archive
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

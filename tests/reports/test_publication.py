"""Runs of reports appear whole: the old output or the new one, whatever is in the way and
whenever a run is killed.
"""

from __future__ import annotations

import fcntl
import json
import multiprocessing
import os
import random
from collections.abc import Mapping
from contextlib import suppress
from hashlib import sha256
from itertools import count
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import pytest

from mqsc.reports.errors import ReportError, ReportFailedError
from mqsc.reports.output import Result
from mqsc.reports.publication import publish, run_folder
from tests.rows import rows

ABOUT = {
    "store": "/shop.db",
    "archives": [],
    "as": "csv",
    "selection": {"queues": []},
    "bound": {"event": 7},
}


def made(out: Path, files: Mapping[str, str], **about: Any) -> list[Result]:
    """What a run publishes that writes these files, one table each."""
    out.mkdir(exist_ok=True)
    with run_folder(out, {name.split("/")[0] for name in files}) as folder:
        results = []
        for name, text in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
            results.append(Result(path.parts[-2], path.stem, "", path, (), text.count("\n"), ()))
        return publish(folder, results, {**ABOUT, **about})


def files_of(out: Path) -> dict[str, str]:
    """What a reader finds who knows nothing of runs."""
    found = [*out.glob("[!.]*"), *out.glob("[!.]*/*")]
    return {str(path.relative_to(out)): path.read_text() for path in found if path.is_file()}


def whole(out: Path) -> set[str]:
    """The tables in the manifest; AssertionError if a file differs from it, or is not in it."""
    manifest = json.loads((out / "manifest.json").read_text())
    files = [file for each in (manifest, *manifest["earlier"]) for file in each["files"]]
    for file in files:
        content = (out / file["path"]).read_bytes()
        assert (len(content), sha256(content).hexdigest()) == (file["bytes"], file["sha256"])
    named = {file["path"] for file in files}
    assert set(files_of(out)) == {*named, "manifest.json"}
    return named


def test_a_run_and_its_manifest(tmp_path: Path) -> None:
    out = tmp_path / "out"
    (result,) = made(out, {"backouts/loops.csv": "a\nb\n"})
    assert (result.path, result.path.read_text()) == (out / "backouts" / "loops.csv", "a\nb\n")
    assert whole(out) == {"backouts/loops.csv"}
    manifest = json.loads((out / "manifest.json").read_text())
    file = {
        "path": "backouts/loops.csv",
        "rows": 2,
        "bytes": 4,
        "sha256": sha256(b"a\nb\n").hexdigest(),
    }
    assert manifest == {"format": 1, **ABOUT, "files": [file], "earlier": []}
    assert oct(out.stat().st_mode) == oct((out / "backouts").stat().st_mode)


AGAIN: dict[str, tuple[str, dict[str, Any], str]] = {
    "the same report": ("a/x.csv", {}, "a/x.csv b/z.csv"),
    "another report": ("c/x.csv", {}, "a/x.csv a/y.csv b/z.csv c/x.csv"),
    "another format": ("a.html", {"as": "html"}, "a.html"),
    "another selection": ("c/x.csv", {"selection": {"queues": ["Q"]}}, "c/x.csv"),
    "another store": ("c/x.csv", {"store": "/other.db"}, "c/x.csv"),
}


@pytest.mark.parametrize("again", AGAIN)
def test_what_stays_of_an_earlier_run(tmp_path: Path, again: str) -> None:
    file, about, left = AGAIN[again]
    out = tmp_path / "out"
    made(out, {"a/x.csv": "old", "a/y.csv": "old"})
    made(out, {"b/z.csv": "old"}, bound={"event": 8})
    (out / "notes.txt").write_text("the user's own")
    made(out, {file: "new"}, **about)
    assert (out / "notes.txt").read_text() == "the user's own"
    (out / "notes.txt").unlink()
    assert whole(out) == {*left.split()}
    assert {path.name for path in out.glob(".*")} == {
        ".current",
        (out / ".current").readlink().name,
    }
    assert files_of(out)[file] == "new"


def test_the_manifest_knows_the_moment_of_every_report(tmp_path: Path) -> None:
    for number, name in enumerate("abca"):
        made(tmp_path, {f"{name}/x.csv": ""}, bound={"event": number})
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    moments = {
        each["files"][0]["path"]: each["bound"]["event"]
        for each in (manifest, *manifest["earlier"])
    }
    assert moments == {"a/x.csv": 3, "c/x.csv": 2, "b/x.csv": 1}
    assert all("earlier" not in each for each in manifest["earlier"])


@rows("a", "manifest.json")
def test_files_of_the_user_are_not_replaced(tmp_path: Path, name: str) -> None:
    (tmp_path / name).mkdir()
    with pytest.raises(ReportError, match=f"{name} is in the way: no run published it"):
        made(tmp_path, {"a/x.csv": "new"})
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_a_run_that_fails_leaves_the_old_output(tmp_path: Path) -> None:
    made(tmp_path, {"a/x.csv": "old"})
    before = sorted(path.name for path in tmp_path.iterdir())
    with suppress(KeyboardInterrupt), run_folder(tmp_path, ["a"]) as folder:
        (folder / "a").mkdir()
        (folder / "a" / "x.csv").write_text("new")
        raise KeyboardInterrupt
    assert (sorted(path.name for path in tmp_path.iterdir()), files_of(tmp_path)["a/x.csv"]) == (
        before,
        "old",
    )


def test_what_cannot_be_published_is_one_sentence(tmp_path: Path) -> None:
    """Somebody puts a folder in the place of the link while the run is at work."""
    with run_folder(tmp_path, ["a"]) as folder:
        (tmp_path / ".current").mkdir()
        with pytest.raises(ReportFailedError) as failed:
            publish(folder, [], ABOUT)
    assert str(failed.value) == f"the reports cannot be published in {tmp_path}: Is a directory"


def test_folders_of_killed_runs_are_removed_and_those_of_running_ones_are_not(
    tmp_path: Path,
) -> None:
    for name in ("killed", "running", "published"):
        (tmp_path / f".run-{name}").mkdir()
    (tmp_path / ".run-published" / "manifest.json").write_text("{}")
    running = os.open(tmp_path / ".run-running", os.O_RDONLY)
    try:
        fcntl.flock(running, fcntl.LOCK_EX)
        made(tmp_path, {"a/x.csv": ""})
    finally:
        os.close(running)
    assert not (tmp_path / ".run-killed").exists()
    assert not (tmp_path / ".run-published").exists()
    assert (tmp_path / ".run-running").exists()


def publish_for_ever(out: Path, begun: Connection) -> None:
    """Publish one run after the other; every file of a run has its number."""
    for number in count():
        made(out, {f"{report}/{table}.csv": str(number) for report in "abc" for table in "xyz"})
        begun.send(number)


@pytest.mark.long
def test_a_run_killed_at_any_point_leaves_the_old_output_or_the_new_one(tmp_path: Path) -> None:
    """A.5: 40 times, at a moment that chance chooses; the seed is printed."""
    seed = random.randrange(1 << 32)
    print("seed", seed)
    chance = random.Random(seed)
    processes = multiprocessing.get_context("fork")
    for _ in range(40):
        first, begun = processes.Pipe(duplex=False)
        publisher = processes.Process(target=publish_for_ever, args=(tmp_path, begun))
        publisher.start()
        assert first.recv() == 0
        publisher.join(chance.uniform(0, 0.02))
        publisher.kill()
        publisher.join()
        assert len(whole(tmp_path)) == 9
        (number,) = {text for name, text in files_of(tmp_path).items() if name != "manifest.json"}
        assert number.isdigit()

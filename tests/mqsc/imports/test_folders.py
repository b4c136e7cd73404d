"""A folder with files of all kinds about one queue manager, in whatever order they are imported."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.mqsc.conftest import Command
from tests.mqsc.imports.history import events, short
from tests.mqsc.imports.test_definitions import HEADING, QUEUE
from tests.mqsc.imports.test_error_logs import BOUND
from tests.mqsc.imports.test_messages import EXAMPLE
from tests.mqsc.imports.test_transcripts import SHOWN

OTHERS = ("transcript", "errorlog", "qload")
POLICY = "SET POLICY('ORDERS') SIGNALG(NONE) ENCALG(NONE)\n"


@pytest.fixture
def folder(tmp_path: Path) -> str:
    """The folder: names that sort in the order in which the files are of no use to each other."""
    files = {"a.qload": EXAMPLE, "b.txt": SHOWN, "c/AMQERR01.LOG": BOUND, "d.mqsc": HEADING + QUEUE}
    (tmp_path / "site/c").mkdir(parents=True)
    for name, content in files.items():
        (tmp_path / "site" / name).write_text(content, encoding="utf-8")
    return str(tmp_path / "site")


def ends(lines: list[str]) -> list[str]:
    """What came of each file: the format, and where it went."""
    found = (line.partition(" (")[2].partition("): ") for line in lines)
    return [f"{format} {rest.rpartition(' ')[2]}" for format, _, rest in found if rest]


def test_definitions_come_first_and_events_keep_apart(mqsc: Command, folder: str) -> None:
    expected = [
        "dmpmqcfg SHOP.IMPORTED",
        "dmpmqcfg SHOP",
        "transcript SHOP.IMPORTED",
        "errorlog SHOP.IMPORTED",
        "qload SHOP",
    ]
    planned = mqsc("import", "--plan", folder)
    assert (planned.code, ends(planned.lines), planned.err) == (0, expected, "")
    ended = mqsc("import", folder)
    assert (ended.code, ends(ended.lines)) == (0, expected)
    assert short(events(mqsc, "-m", "SHOP.IMPORTED", "--kind", "CHANNEL")) == [
        "CHANNEL bound TO.QM2",
    ]
    assert mqsc("browse", "ORDERS", "-m", "SHOP", "--format", "jsonl").rows


def test_definitions_after_events_have_a_queue_manager_of_their_own(
    mqsc: Command,
    folder: str,
) -> None:
    assert ends(mqsc("import", f"{folder}/c").lines) == ["errorlog SHOP"]
    ended = mqsc("import", folder)
    assert (ended.code, ended.err) == (0, "")
    assert (
        "the history has imported events of SHOP, so its definitions are those of SHOP.COPY here"
        in ended.out
    )
    names = [
        "dmpmqcfg SHOP",
        "dmpmqcfg SHOP.COPY",
        "transcript SHOP",
        "errorlog imported",
        "qload SHOP.COPY",
    ]
    assert ends(ended.lines) == names
    again = mqsc("import", folder)
    assert (again.code, ends(again.lines)) == (
        0,
        ["dmpmqcfg SHOP.COPY", *(f"{each} imported" for each in OTHERS)],
    )
    assert mqsc("browse", "ORDERS", "-m", "SHOP.COPY", "--format", "jsonl").rows


def test_events_keep_apart_although_the_definitions_are_refused(mqsc: Command, folder: str) -> None:
    with Path(folder, "d.mqsc").open("a", encoding="utf-8") as file:
        file.write(POLICY)
    refused = mqsc("import", folder)
    assert (refused.code, ends(refused.lines)[1:]) == (
        10,
        ["transcript SHOP.IMPORTED", "errorlog SHOP.IMPORTED"],
    )
    assert "the queue manager SHOP of" in refused.err
    ended = mqsc("import", "--skip-unsupported", folder)
    found = [each for each in ends(ended.lines) if "SHOP" in each]
    assert (ended.code, found) == (0, ["dmpmqcfg SHOP.IMPORTED", "dmpmqcfg SHOP", "qload SHOP"])


def test_a_file_that_cannot_be_imported_does_not_keep_the_others_from_it(
    mqsc: Command,
    folder: str,
) -> None:
    Path(folder, "0.qload").write_text(EXAMPLE.replace("ORDERS", "NONE"), encoding="utf-8")
    ended = mqsc("import", folder)
    assert (ended.code, "0.qload" in ended.err, ends(ended.lines)[-1]) == (10, True, "qload SHOP")

"""The texts of statements are known, are those that the functions build, and are made again after a change."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
import pytest

import store
from store.sql import core, queues, statements
from store.sql.core import ClauseElement, constant, func, message, select
from store.sql.rows import TABLES, MessageState, StoredMessage
from store.sql.schema import READY
from store.sqlite.database import Transaction
from store.sqlite.statement import CompiledText

ROOT = Path(store.__file__).parent.parent
_SHOW = "import sys; from store.sql import queues; print(queues._count_puts.text); print('sqlalchemy' in sys.modules)"


def test_every_statement_has_a_key_of_its_own_and_the_text_that_its_function_builds() -> None:
    every = [*statements.all_statements()]
    built = {each.key: as_compared(each.newly_compiled()) for each in every}
    assert len(every) == len(built) > 250
    assert built.items() <= {key: as_compared(found) for key, found in statements._known_texts().items()}.items()


def as_compared(found: CompiledText) -> tuple[str, list[str], dict[str, Any]]:
    return found.text, list(found.order), dict(found.constants)


def test_a_function_elsewhere_takes_no_text_of_a_module_with_the_same_last_name() -> None:
    def _count_puts() -> ClauseElement:
        return select(constant(1))

    _count_puts.__module__ = f"{store.__name__}.admin.queues"
    elsewhere = statements.tuples(_count_puts).statement  # type: ignore[attr-defined]
    assert queues._count_puts.key in statements._known_texts()
    assert elsewhere.text == "SELECT 1"


def copied(folder: Path) -> Path:
    """The folder, with a copy of the package without texts."""
    shutil.copytree(ROOT / "store", folder / "store", ignore=shutil.ignore_patterns("__pycache__"))
    return folder


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    return copied(tmp_path)


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """What a process writes to the file of texts."""
    tree = copied(tmp_path_factory.mktemp("texts"))
    assert shown(tree)[-1] == "True"
    return texts_file(tree).read_bytes()


@pytest.fixture
def known(tree: Path, texts: bytes) -> Path:
    """A copy of the package, with texts."""
    texts_file(tree).parent.mkdir()
    texts_file(tree).write_bytes(texts)
    return tree


def shown(tree: Path) -> list[str]:
    """The text of a statement in a new process, and whether SQLAlchemy was imported for it."""
    return shown_at_once(tree, 1)[0]


def shown_at_once(tree: Path, processes: int) -> list[list[str]]:
    """Likewise in several processes that start together."""
    command = [sys.executable, "-c", _SHOW]
    started = [subprocess.Popen(command, cwd=tree, stdout=subprocess.PIPE, text=True) for _ in range(processes)]
    said = [each.communicate()[0] for each in started]
    assert [each.returncode for each in started] == [0] * processes
    return [each.replace(" \n", " ").splitlines() for each in said]


def texts_file(tree: Path) -> Path:
    return tree / "store" / "sql" / "__pycache__" / "statements.json"


def edited(file: Path, before: str, after: str) -> None:
    text = file.read_text("utf-8")
    assert before in text
    file.write_text(text.replace(before, after, 1), "utf-8")


def test_only_the_first_process_compiles(tree: Path) -> None:
    first, second = shown(tree), shown(tree)
    assert (first[-1], second[-1]) == ("True", "False")
    assert first[:-1] == second[:-1]


EDITS = [
    ("sql/queues.py", "puts=_q.puts + count", "puts=count + _q.puts", "puts=(? + queue.puts)"),
    ("sqlite/statement.py", "CompiledText(str(compiled)", "CompiledText('-- ' + str(compiled)", "-- "),
]


@pytest.mark.parametrize(("file", "before", "after", "text"), EDITS)
def test_a_changed_source_is_compiled_again(known: Path, file: str, before: str, after: str, text: str) -> None:
    edited(known / "store" / file, before, after)
    found, imported = shown(known)
    assert text in found
    assert imported == "True"


# Reads the text after the source has been edited.
_EDIT_AND_SHOW = """
import pathlib, sys
from store.sql import queues
file = pathlib.Path(queues.__file__)
file.write_text(file.read_text("utf-8").replace("puts=_q.puts + count", "puts=count + _q.puts"), "utf-8")
print(queues._count_puts.text, "sqlalchemy" in sys.modules)
"""


@pytest.mark.parametrize("are_known", [False, True])
def test_a_source_that_changes_after_its_import_leaves_no_old_text(
    request: pytest.FixtureRequest, are_known: bool
) -> None:
    tree = request.getfixturevalue("known" if are_known else "tree")
    said = subprocess.run([sys.executable, "-c", _EDIT_AND_SHOW], cwd=tree, capture_output=True, text=True, check=True)
    assert "puts=(queue.puts + ?)" in said.stdout
    assert said.stdout.endswith(f"{not are_known}\n")
    assert ["puts=(? + queue.puts)" in text for text in shown(tree)] == [True, False]


OTHERS = {
    "sqlite/statement.py": ("str(compiled)", "str(compiled) + ' '"),
    **dict.fromkeys(
        ("constants/constants.csv", "constants/table.py", "published_columns.csv", "table.py"), ("\n", "\n\n")
    ),
}


def test_a_change_of_what_the_texts_are_made_with_changes_the_hash(tree: Path) -> None:
    hashes = [statements.hash_of_sources(tree / "store" / "sql")]
    for path, change in OTHERS.items():
        edited(tree / "store" / path, *change)
        hashes.append(statements.hash_of_sources(tree / "store" / "sql"))
        assert hashes[-1] not in hashes[:-1], path


def test_a_file_that_is_damaged_or_was_cut_off_is_written_again(known: Path, texts: bytes) -> None:
    """The lock of an editor is no source."""
    (known / "store" / "sql" / ".#queues.py").symlink_to("user@host.1:2")
    assert shown(known)[-1] == "False"
    for content in (b"", b"{", b'["x", {}]', b"[1, 2, 3]", b'["\xff", {}]', texts[: len(texts) // 2]):
        texts_file(known).write_bytes(content)
        assert (shown(known)[-1], texts_file(known).read_bytes()) == ("True", texts), content
    assert shown(known)[-1] == "False"


def test_processes_that_start_together_each_find_or_write_the_texts(tree: Path) -> None:
    found = shown_at_once(tree, 4)
    assert len({tuple(each[:-1]) for each in found}) == 1
    assert shown(tree) == [*found[0][:-1], "False"]
    # Nothing that one of them was writing is left.
    assert [each.name for each in texts_file(tree).parent.glob("*.json*")] == [statements.NAME]


def test_where_no_file_can_be_written_it_costs_only_time(tree: Path) -> None:
    """A source cannot be read, the folder takes no file or is read-only, or the file cannot get its name."""
    folder, cache = tree / "store" / "sql", texts_file(tree).parent
    (folder / "absent.py").symlink_to("nowhere")
    assert (shown(tree)[-1], texts_file(tree).exists()) == ("True", False)
    (folder / "absent.py").unlink()
    texts_file(tree).mkdir(parents=True)
    assert shown(tree)[-1] == "True"
    assert [each.name for each in cache.iterdir() if each.suffix != ".pyc"] == [statements.NAME]
    shutil.rmtree(cache)
    cache.write_text("")
    assert shown(tree)[-1] == "True"
    cache.unlink()
    folder.chmod(0o555)
    try:
        # Root writes there anyway.
        assert shown(tree)[-1] == "True"
    finally:
        folder.chmod(0o755)


@pytest.fixture
def shared_tree() -> Iterator[Path]:
    """A copy that other users can read."""
    with TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        texts_file(copied(Path(folder))).parent.mkdir()
        yield Path(folder)


_LOOK_AS_ANOTHER_USER = """
import os, shutil, tempfile
from store.sql import statements
statements.compile_all()
# Root writes everywhere.
os.getuid() or os.setuid(65534)
print(len(statements._known_texts()) > 0)
"""


@pytest.mark.parametrize(("folder", "cache", "are_made"), [(0o777, 0o555, False), (0o555, 0o777, True)])
def test_the_folder_of_the_file_says_whether_all_texts_are_made(
    shared_tree: Path, folder: int, cache: int, are_made: bool
) -> None:
    file = texts_file(shared_tree)
    file.parent.chmod(cache)
    file.parent.parent.chmod(folder)
    command = [sys.executable, "-B", "-c", _LOOK_AS_ANOTHER_USER]
    try:
        said = subprocess.run(command, cwd=shared_tree, capture_output=True, text=True, check=True).stdout
        assert (said, file.exists()) == (f"{are_made}\n", are_made)
    finally:
        file.parent.parent.chmod(0o755)
        file.parent.chmod(0o755)


def test_texts_beside_the_modules_are_used_first(tree: Path) -> None:
    beside = tree / "store" / "sql"
    subprocess.run([sys.executable, "-m", "store.sql.statements", str(beside)], cwd=tree, check=True)
    assert shown(tree)[-1] == "False"
    assert not texts_file(tree).exists()
    (beside / statements.NAME).write_bytes(b'["of another version", {}]')
    assert [shown(tree)[-1], shown(tree)[-1]] == ["True", "False"]


def test_the_texts_can_be_written_in_advance(tree: Path) -> None:
    """And the file may be read by whoever may read the module."""
    module = tree / "store" / "sql" / "statements.py"
    module.chmod(0o640)
    subprocess.run([sys.executable, "-m", "store.sql.statements"], cwd=tree, check=True)
    assert texts_file(tree).stat().st_mode == module.stat().st_mode
    sources, texts = msgspec.json.decode(texts_file(tree).read_bytes(), type=tuple[str, dict[str, CompiledText]])
    assert sources == statements.hash_of_sources(tree / "store" / "sql")
    assert texts.keys() >= {each.key for each in statements.all_statements()}
    assert shown(tree)[-1] == "False"


@statements.value(int)
def count_named(state: int, listed: list[int], most: int = 9) -> ClauseElement:
    """Count."""
    chosen = select(message.c.id).where(message.c.state == state, message.c.id.in_(statements_values(listed)))
    return select(func.count()).select_from(chosen.limit(most).subquery())


def statements_values(listed: list[int]) -> Any:
    return select(func.json_each(listed).table_valued("value").c.value)


def test_a_call_takes_values_by_position_by_name_and_by_default(tx: Transaction) -> None:
    assert count_named(tx, MessageState.AVAILABLE, [1, 2], 3) == 0
    assert count_named(tx, 0, listed=[1], most=1) == count_named(tx, 0, [1]) == 0
    with pytest.raises(KeyError):
        count_named(tx, 0)  # type: ignore[call-arg]
    call: Any = count_named
    for given, named in [((0, [1]), {"other": 1}), ((0, [1]), {"state": 1}), ((0, [1], 3, 4), {})]:
        with pytest.raises(TypeError, match=r"count_named\(\) takes each of state, listed, most once"):
            call(tx, *given, **named)
    assert (count_named.__name__, count_named.__doc__) == ("count_named", "Count.")


@statements.in_order("id state")
def wrong(id: int, state: int) -> ClauseElement:
    return select(message.c.id).where(message.c.state == state, message.c.id == id)


def test_another_order_than_the_declared_one_is_refused_each_time() -> None:
    for _ in range(2):
        with pytest.raises(ValueError, match="the order of the parameters is state_ id_: SELECT"):
            _ = wrong.text


def test_each_name_stands_for_something_and_is_used_among_the_originals() -> None:
    assert [name for name in vars(core)["__all__"] if vars(core)[name]._find() is None] == []
    assert {vars(core)[name]._find().name for name in TABLES} == set(message.metadata.tables)
    ready = select(message.c.id).where(READY & ~(message.c.rank == constant(1)))
    assert str(ready).endswith("WHERE state = 0 AND message.rank != 1")
    assert [column.name for column in message.c] == list(StoredMessage._fields)

"""Opening the store and the queue manager that the options name."""

from __future__ import annotations

from pathlib import Path

import click
import pytest

from mqsc.console.options import Choices
from mqsc.console.target import CommandFailedError, inform_about_manual_clock, opened_queue_manager, opened_store
from store.admin.queue_managers import delete_queue_manager
from store.error import StoreError


@pytest.fixture
def url(tmp_path: Path) -> str:
    """The URL of a store that does not exist yet."""
    return f"sqlite:///{tmp_path}/store.db"


def test_create_makes_the_first_queue_manager_and_says_so(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    with opened_queue_manager(Choices(store=url), create=True) as qmgr:
        assert qmgr.name == "QM1"
    assert capsys.readouterr().err.startswith("mqsc: created the queue manager QM1 in ")
    with opened_queue_manager(Choices(store=url), create=True) as qmgr:
        assert qmgr.name == "QM1"
    assert capsys.readouterr().err == ""


def test_without_create_a_missing_store_is_an_error(url: str, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="there is no store at"), opened_store(Choices(store=url)):
        pass
    assert not (tmp_path / "store.db").exists()


@pytest.mark.parametrize(
    ("names", "default", "chosen", "says", "code"),
    [
        ((), True, None, "the store holds no queue manager; create one with `mqsc qmgr create QM1`", 10),
        (("A",), True, "B", "AMQ8118E: IBM MQ queue manager 'B' does not exist.", 10),
        (("A", "B"), False, None, "AMQ8146E: there is no default queue manager; name one with -m: B", 20),
    ],
)
def test_no_queue_manager(
    url: str, names: tuple[str, ...], default: bool, chosen: str | None, says: str, code: int
) -> None:
    choices = Choices(store=url, qmgr=chosen)
    with opened_store(choices, create=True) as store:
        for name in names:
            store.create_queue_manager(name)
        if not default:
            store.queue_manager("A").end()

            delete_queue_manager(store, "A")
    with pytest.raises(click.ClickException) as refused, opened_queue_manager(choices):
        pass
    assert (refused.value.message, refused.value.exit_code) == (says, code)


def test_a_deleted_queue_manager_is_not_created_again(url: str) -> None:
    choices = Choices(store=url)
    with opened_queue_manager(choices, create=True) as qmgr:
        qmgr.end()
        delete_queue_manager(qmgr.store, "QM1")
    with pytest.raises(CommandFailedError, match="create one with `mqsc qmgr create QM1`"):
        opened_queue_manager(choices, create=True).__enter__()
    with opened_store(choices) as store:
        assert store.queue_managers() == []


def test_a_named_queue_manager_is_never_created(url: str, tmp_path: Path) -> None:
    with pytest.raises(CommandFailedError, match="AMQ8118E"), opened_queue_manager(Choices(url, "QM9"), create=True):
        pass
    assert not (tmp_path / "store.db").exists()


def test_only_a_manual_clock_is_mentioned(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    choices = Choices(store=url)
    with opened_store(choices, create=True) as store:
        inform_about_manual_clock(choices, store.create_queue_manager("QM1"))
        inform_about_manual_clock(choices, store.create_queue_manager("QM2", manual_clock_at=0))
    assert capsys.readouterr().err == "mqsc: QM2 has a manual clock: the wait ends when `mqsc clock` moves it\n"

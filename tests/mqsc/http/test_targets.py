"""Queue managers elsewhere over REST, where the far end is our own server (targets §2)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import mqsc as mqsc_package
from mqsc.store.client.store import Store
from mqsc.store.environment import QUICK_PASSWORD_COST, Environment
from tests.mqsc.conftest import Command
from tests.mqsc.export.test_round_trip import state
from tests.mqsc.http.client import ADM, PASSWORD, RDR, client_of
from tests.mqsc.targets.test_rest import BEFORE, FILES, NAME, declare


@pytest.fixture
def far(tmp_path: Path) -> Iterator[Store]:
    """A store with the queue manager of the target."""
    environment = replace(Environment.system(), password_cost=QUICK_PASSWORD_COST)
    with mqsc_package.open_store(tmp_path / "far.db", environment) as opened:
        mqsc_package.run(opened.create_queue_manager(NAME), BEFORE, check=True)
        opened.add_user(ADM, PASSWORD, administrator=True)
        opened.add_user(RDR, PASSWORD, groups=["MQWebAdminRO"])
        yield opened


@pytest.fixture
def target(far: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The target `prod` over REST."""
    monkeypatch.setenv("MQSC_TARGET_USER", ADM)
    monkeypatch.setenv("MQSC_TARGET_PASSWORD", PASSWORD)
    with client_of(far) as client:
        declare(tmp_path, client.url)
        yield


@pytest.mark.usefixtures("target")
def test_diff_of_a_target(mqsc: Command, far: Store, tmp_path: Path) -> None:
    (tmp_path / "defs.mqsc").write_text(FILES)
    here = ("--store", str(far.path), "-m", NAME)
    for more in ((), ("--only-defined",), ("--format", "json")):
        over_rest = mqsc("diff", "defs.mqsc", "--on", "prod", *more)
        at_home = mqsc(*here, "diff", "defs.mqsc", *more)
        assert (over_rest.code, over_rest.err) == (at_home.code, at_home.err)
        assert over_rest.code in (1, 2)
        assert over_rest.out.replace("prod", NAME) == at_home.out.replace("prod", NAME)


@pytest.mark.usefixtures("target")
def test_the_export_of_a_target(mqsc: Command, far: Store) -> None:
    over_rest = mqsc("export", "--on", "prod")
    assert (over_rest.code, over_rest.err) == (0, "")
    at_home = mqsc("--store", str(far.path), "-m", NAME, "export").lines
    assert over_rest.lines == at_home[: len(over_rest.lines)]
    # Users have no commands, so that only their own store can say who they are.
    assert all(line[:1] in ("", "*") for line in at_home[len(over_rest.lines) :])


@pytest.mark.usefixtures("target")
def test_apply_to_a_target_and_undo(mqsc: Command, far: Store, tmp_path: Path) -> None:
    before = state(far.queue_manager(NAME))
    (tmp_path / "defs.mqsc").write_text(FILES)
    done = mqsc("apply", "defs.mqsc", "--on", "prod", "--yes")
    assert (done.code, "mqsc: prod: 4 commands sent, 4 done" in done.err) == (0, True)
    assert mqsc("diff", "defs.mqsc", "--on", "prod", "--only-defined").code == 0
    (undo,) = tmp_path.glob("undo-prod-*.mqsc")
    assert mqsc("run", undo.name, "--on", "prod", "--yes").code == 0
    assert state(far.queue_manager(NAME)) == before


@pytest.mark.usefixtures("target")
def test_a_reader_can_compare_and_not_change(
    mqsc: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("MQSC_TARGET_USER", RDR)
    (tmp_path / "defs.mqsc").write_text(FILES)
    assert mqsc("diff", "defs.mqsc", "--on", "prod").code in (1, 2)
    refused = mqsc("apply", "defs.mqsc", "--on", "prod", "--yes")
    assert refused.code != 0
    assert "not authorized" in refused.err

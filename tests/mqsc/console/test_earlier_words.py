"""Options that had another word in an earlier version: it means the same, and nothing shows it."""

import click
import pytest

from mqsc.console.commands import EARLIER_WORDS
from mqsc.main import COMMANDS, mqsc as COMPLETING
from tests.mqsc.conftest import Command
from tests.mqsc.console.test_help import PATHS


def values(path: str, words: str) -> dict[str, object]:
    """The parameters that a command reads from these words."""
    with PATHS[path].make_context(path, words.split()) as context:
        return context.params


@pytest.mark.parametrize(
    ("path", "earlier", "now", "words"),
    [
        ("get", "--count", "--limit", "Q WORD 3"),
        ("browse", "--count", "--limit", "Q WORD 3"),
        ("dlq retry", "--dry-run", "--plan", "WORD"),
        ("dlq forward", "--dry-run", "--plan", "Q --to R WORD"),
        ("dlq discard", "--dry-run", "--plan", "Q --all WORD"),
        ("trigger run", "--dry-run", "--plan", "WORD"),
        ("archive", "--dry-run", "--plan", "WORD --to folder"),
        ("report", "--from", "--archive", "daily WORD folder --archive other"),
        ("import", "--as", "--rename", "file WORD OLD=NEW WORD A=B"),
        ("history keep", "--limit", "--max-size", "Q WORD 3MB"),
        ("target test", "--limit", "--timeout", "prod WORD 3"),
        ("fleet", "--limit", "--timeout", "prod WORD 3"),
    ],
)
def test_an_earlier_word_means_the_same(path: str, earlier: str, now: str, words: str) -> None:
    assert values(path, words.replace("WORD", earlier)) == values(path, words.replace("WORD", now))
    command = PATHS[path]
    shown = command.get_help(click.Context(command)).split()
    assert (earlier in shown, now in shown) == (False, True)


def test_an_earlier_word_is_named_once_a_run_with_the_word_of_today(mqsc: Command) -> None:
    refused = mqsc("import", "nowhere", "--as", "A=B", "--as", "C=D")
    assert refused.err.splitlines()[0] == (
        "mqsc: --as is --rename now; version 2 will not know --as"
    )
    assert refused.err.count("version 2") == 1
    assert "version 2" not in mqsc("import", "nowhere", "--rename", "A=B").err


@pytest.mark.parametrize(("earlier", "now"), EARLIER_WORDS.items())
def test_an_earlier_word_for_a_command_runs_it_and_nothing_shows_it(
    mqsc: Command,
    earlier: str,
    now: str,
) -> None:
    ran, runs = mqsc(earlier, "--help"), mqsc(now, "--help")
    assert (ran.code, ran.out) == (0, runs.out)
    said = f"mqsc: {earlier} is {now} now; version 2 will not know {earlier}\n"
    assert (ran.err, runs.err) == (said, "")
    assert mqsc("help", earlier).out.startswith(mqsc("help", now).out)
    assert (earlier in COMMANDS, now in COMMANDS) == (False, True)
    names = [each.value for each in COMPLETING.shell_complete(click.Context(COMPLETING), earlier)]
    assert earlier not in names


def test_options_follow_an_earlier_word_for_a_command(mqsc: Command) -> None:
    mqsc("run", "-c", "DEFINE QLOCAL(Q)")
    mqsc("put", "Q", "one")
    ended = mqsc("audit", "Q", "--format", "json")
    assert (ended.code, [row["queue"] for row in ended.rows]) == (0, ["Q"])


def test_a_value_of_an_earlier_word_is_checked_as_ever(mqsc: Command) -> None:
    refused = mqsc("get", "Q", "--count", "0")
    assert (refused.code, "0 is not in the range x>=1" in refused.err) == (20, True)

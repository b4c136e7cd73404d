"""The shell's own commands: their table, help and explain, files, foreach and the own shell."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from mqsc.console.commands import EARLIER_WORDS
from mqsc.console.shell_words import SETTINGS, SHELL_COMMANDS
from mqsc.language.command_table import verb_of
from mqsc.main import COMMANDS, mqsc
from mqsc.shell.explain_trigger import as_trigger_explain
from mqsc.shell.help_text import help_lines
from mqsc.shell.own_commands import OWN_COMMANDS, in_words_of_today, is_own_command
from mqsc.shell.session import ShellSession
from mqsc.shell.start import command_at
from tests.mqsc.shell.conftest import Asked, Run
from tests.rows import rows

# The table of the shell's own commands agrees with MQSC and with the command line.


def test_every_command_of_the_command_line_works_in_the_shell() -> None:
    assert {*COMMANDS} < {*OWN_COMMANDS}
    assert all(
        command_at(mqsc, row.path[0]) is not None for row in OWN_COMMANDS.values() if row.path
    )


def test_two_verbs_of_mqsc_have_such_a_name() -> None:
    assert [name for name in OWN_COMMANDS if verb_of(name.upper())] == ["backup", "archive"]
    texts = [
        "archive log",
        "ARCHIVE LOG MODE(QUIESCE)",
        "backup cfstruct(C1)",
        "archive list /a",
        "backup copy.db",
    ]
    assert [is_own_command(text) for text in texts] == [False] * 3 + [True] * 2


def test_what_is_for_the_shell() -> None:
    texts = [
        "put A x",
        "? ",
        "\\format",
        "! ls",
        "help define",
        "define ql(put)",
        "end",
        "",
        "putty",
    ]
    assert [is_own_command(text) for text in texts] == [True] * 5 + [False] * 4


@pytest.mark.parametrize(("earlier", "now"), EARLIER_WORDS.items())
def test_an_earlier_word_means_the_same(
    capsys: pytest.CaptureFixture[str], earlier: str, now: str
) -> None:
    assert in_words_of_today(f" {earlier.upper()} a b") == f"{now} a b"
    assert in_words_of_today(f"{now} a b") == f"{now} a b"
    said = capsys.readouterr().err
    assert said == f"mqsc: {earlier} is {now} now; version 2 will not know {earlier}\n"


def test_an_earlier_word_runs_the_command_of_today(shown: Run) -> None:
    assert shown("audit")[-1].startswith("events 1 to ")


# Help fits the screen: lines are broken between words.


@pytest.mark.parametrize("width", [40, 80, 100])
@pytest.mark.parametrize(
    "words",
    [
        *(
            [],
            ["?"],
            ["define"],
            ["define", "qlocal"],
            ["define", "chl"],
            ["define", "frob"],
            ["trigtype"],
        ),
        *(["put"], ["2053"]),
    ],
    ids=" ".join,
)
def test_lines_fit(words: list[str], width: int) -> None:
    lines = [*help_lines(words, width, "alter qmgr x")]
    assert [line for line in lines if len(line) > width and len(line.split()) > 1] == []
    assert lines


def test_the_overview_has_everything() -> None:
    text = "\n".join(help_lines([], 100, ""))
    assert [row.name for row in SHELL_COMMANDS if f"  {row.name}" not in text] == []
    assert [name for name in SETTINGS if f"\\{name} " not in text] == []


# `explain trigger(QUEUE)`, written as in MQSC, is the command `trigger explain`.


@rows(
    ("explain trigger(appq)", "trigger explain appq"),
    ("EXPLAIN TRIGGER('Appq');", "trigger explain 'Appq'"),
    ("explain  trigger ( A ) if('put x''y')", "trigger explain A --if 'put x''y'"),
    *(
        (each, each)
        for each in (
            "explain",
            "explain queue(APPQ)",
            "explain trigger(A",
            "explain trigger(A) b",
            "",
        )
    ),
)
def test_triggering_is_explained_as_on_the_command_line(text: str, command: str) -> None:
    assert as_trigger_explain(text) == command


def test_a_put_is_imagined(shown: Run) -> None:
    lines = shown("explain trigger(orders) if('put priority 5 syncpoint')")
    assert "If put priority 5 syncpoint:" in lines


@pytest.fixture(autouse=True)
def _own_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))


def test_tee_copies_what_is_shown_with_its_errors(shown: Run, tmp_path: Path) -> None:
    file = tmp_path / "all.txt"
    lines = [*shown(f"\\tee {file}", "dis ql(orders) maxdepth"), *shown("alter ql(nope) descr(x)")]
    assert file.read_text().splitlines() == lines
    shown("\\tee", "ping qmgr")
    assert file.read_text().splitlines() == lines
    assert "Is a directory" in " ".join(" ".join(shown(f"\\tee {tmp_path}")).split())


def test_once_sends_the_output_of_the_next_command(shown: Run, tmp_path: Path) -> None:
    assert shown(f"\\once {tmp_path}/one", "dis ql(orders) maxdepth") == []
    assert (tmp_path / "one").read_text().startswith("QUEUE")
    assert shown("dis ql(orders) maxdepth")[0].startswith("QUEUE")
    assert shown(f"\\once | cat > {tmp_path}/two", "dis ql(orders) maxdepth") == []
    assert (tmp_path / "two").read_text() == (tmp_path / "one").read_text()


def test_saved_commands(shown: Run, session: ShellSession, tmp_path: Path) -> None:
    assert shown("\\f") == []
    assert shown("\\fs depth dis ql(orders) curdepth", "\\f") == ["depth: dis ql(orders) curdepth"]
    assert shown("\\f depth")[:2] == ["dis ql(orders) curdepth", "QUEUE   TYPE    CURDEPTH  FULL"]
    assert os.stat(tmp_path / "mqsc" / "saved" / "depth.mqsc").st_mode & 0o777 == 0o600
    assert session.exit_code == 0
    refusals = {
        "\\f nope": "no command is saved as nope; saved are: depth",
        "\\fs ../x ping qmgr": "'../x' cannot be the name of a saved command",
        "\\fs x": "\\fs takes NAME COMMAND",
        "\\fs x alter channel(c) chltype(svrconn) password(geheim)": (
            "a command with a password is not saved"
        ),
    }
    for command, sentence in refusals.items():
        assert sentence in " ".join(" ".join(shown(command)).split())
    assert shown("\\fd depth", "\\f") == []


def test_an_edited_command_is_in_the_line_to_edit(
    shown: Run,
    session: ShellSession,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    editor = tmp_path / "editor"
    editor.write_text('#!/bin/sh\nsed -i s/orders/errors/ "$1"\n')
    editor.chmod(0o700)
    monkeypatch.setenv("VISUAL", str(editor))
    shown("dis ql(orders)", "\\e")
    assert (session.take_draft(), session.take_draft()) == ("dis ql(errors)", "")
    shown("\\e clear ql(orders)")
    assert session.take_draft() == "clear ql(errors)"
    monkeypatch.setenv("VISUAL", "/nowhere/editor")
    assert "/nowhere/editor" in " ".join(shown("\\e"))


def test_a_command_of_the_own_shell(shown: Run) -> None:
    assert sorted(shown("! echo hi; false")) == ["(exit code 1)", "hi"]
    assert "cannot start programs" in " ".join(shown("ping qmgr\n! touch /tmp/never"))
    assert "is typed alone" in " ".join(shown("ping qmgr\n\\tee x"))


def test_foreach_lists_what_it_will_do_and_asks(
    shown: Run,
    session: ShellSession,
    asked: Asked,
) -> None:
    shown("define ql('lower.case') maxdepth(20)", "put orders a b", "put errors c")
    command = "foreach ql(*) where(maxdepth lt 11) do clear ql({})"
    lines = shown(command)
    assert asked.questions == ["Run 2 commands? [y/N] "]
    assert lines == ["  clear ql('ERRORS')", "  clear ql('ORDERS')", "Nothing was run."]
    asked.answer = True
    assert shown(command)[-1] == "(2 commands, none failed)"
    assert len(asked.questions) == 2
    assert shown(command.replace("11", "1"))[0].startswith("AMQ8147E")
    shown(
        "foreach ql('lower*') do alter ql({}) descr('a do b')",
        "foreach ql('l*') do alter ql('{}') maxdepth(7)",
    )
    assert shown("dis ql('lower.case') maxdepth \\format tsv")[1].endswith("\t7")
    assert session.exit_code == 10


def test_foreach_that_only_reads_does_not_ask(shown: Run, asked: Asked, tmp_path: Path) -> None:
    shown("put orders a", "put errors b")
    done = "(2 commands, none failed)"
    assert shown(f"foreach ql(*) where(maxdepth lt 11) do browse {{}} > {tmp_path}/out") == [done]
    assert (tmp_path / "out").read_text().count("PUT") == 2
    lines = shown("foreach ql(*) where(maxdepth lt 11) do dis ql({}) curdepth \\format tsv")
    assert lines[1::2] == [f"{name}\tQLOCAL\t1" for name in ("ERRORS", "ORDERS")]
    assert asked.questions == []


@rows(
    "foreach",
    "foreach ql(*)",
    "foreach ql(*) where(curdepth > 4)",
    "foreach ql(*) do",
)
def test_foreach_says_what_it_takes(shown: Run, command: str) -> None:
    assert "foreach takes an object, a condition and a command" in " ".join(shown(command))


def test_foreach_takes_what_display_takes(shown: Run) -> None:
    assert "DISPLAY takes no object 'NOTHING'" in " ".join(shown("foreach nothing(*) do ping qmgr"))


def test_foreach_needs_a_place_for_the_name(shown: Run) -> None:
    assert "needs {} where the name goes" in " ".join(shown("foreach ql(*) do clear ql(orders)"))


def test_system_objects_are_hidden_from_generic_names(shown: Run) -> None:
    lines = shown("\\system off", "dis ql(*) curdepth")
    assert [line.split()[0] for line in lines[1:-1]] == ["ERRORS", "ORDERS"]
    assert lines[-1].startswith("(2 rows, ")
    assert "SYSTEM.DEAD.LETTER.QUEUE" in shown("dis ql(SYSTEM.DEAD*) curdepth")[1]


def test_tee_copies_errors_of_all_commands_but_no_redirected_data(
    shown: Run,
    tmp_path: Path,
) -> None:
    file = tmp_path / "all.txt"
    shown(
        f"\\tee '{file}'",
        "put nope x",
        "browse nope",
        f"dis ql(*) > {tmp_path}/data",
        "ping qmgr\nput nope y",
        "\\tee",
    )
    assert [line.split()[0] for line in file.read_text().splitlines()] == [
        "2085",
        "mqsc:",
        "AMQ8415I:",
        "2085",
        "Command",
        "(2",
    ]


def test_a_pager_is_copied_too(
    session: ShellSession,
    shown: Run,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("MQSC_PAGER", "cat")
    monkeypatch.setattr("mqsc.shell.output.is_screen", lambda stream: True)
    lines = shown(f"\\tee {tmp_path}/all", "export --all")
    assert len(lines) > 30
    assert (tmp_path / "all").read_text().splitlines() == lines
    shown("\\tee")


def test_tee_refuses_the_store_and_survives_a_full_disk(
    shown: Run,
    session: ShellSession,
    tmp_path: Path,
) -> None:
    assert "belongs to the store" in " ".join(
        " ".join(shown(f"\\tee {session.qmgr.store.path}")).split(),
    )
    shown("\\tee /dev/full")
    assert shown("ping qmgr") == ["AMQ8415I: Ping Queue Manager command complete."]
    assert (
        shown(f"\\tee {tmp_path}/all", "ping qmgr") == (tmp_path / "all").read_text().splitlines()
    )
    shown("\\tee")


def test_a_home_folder_that_nobody_has(shown: Run) -> None:
    for command in (
        "\\tee ~nobody-at-all/x",
        "ping qmgr > ~nobody-at-all/x",
        "\\once ~nobody-at-all/x\nping qmgr",
    ):
        for each in command.split("\n"):
            lines = shown(each)
        assert lines == ["~nobody-at-all/x: No such file or directory"]


def test_once_waits_for_a_command_without_syntax_errors(shown: Run, tmp_path: Path) -> None:
    shown(f"\\once {tmp_path}/one", "dis qlaocl(*)")
    assert not (tmp_path / "one").exists()
    assert shown("ping qmgr") == []
    assert (tmp_path / "one").read_text().startswith("AMQ8415I")


def test_saved_commands_that_cannot_be_run(shown: Run, tmp_path: Path) -> None:
    shown("\\fs again \\f again", "\\fs view \\format table")
    assert shown("\\f again")[-1] == "a saved command cannot run a saved command"
    saved = tmp_path / "mqsc" / "saved"
    (saved / "bytes.mqsc").write_bytes(b"\xff")
    (saved / "no name.mqsc").touch()
    assert [line.split(":")[0] for line in shown("\\f") if line[0] != " "] == [
        "again",
        "bytes",
        "view",
    ]
    assert "is no text in UTF-8" in " ".join(shown("\\f bytes"))
    assert len(shown("\\fd bytes", "\\f")) == 2


def test_an_editor_that_saves_no_text(
    shown: Run,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    editor = tmp_path / "editor"
    editor.write_text("#!/bin/sh\nprintf '\\377' > \"$1\"\n")
    editor.chmod(0o700)
    monkeypatch.setenv("VISUAL", str(editor))
    assert shown("\\e ping qmgr") == ["the editor saved something that is no text in UTF-8"]


def test_what_works_only_alone(shown: Run, asked: Asked) -> None:
    for command in ("! ls {}", "watch dis ql({})", "foreach ql({}) do clear ql(x)", "use {}"):
        assert "works only as a command of its own" in " ".join(
            shown(f"foreach ql(*) do {command}"),
        )
    assert "works only as a command of its own" in " ".join(shown("watch ! ls"))
    assert asked.questions == []


def test_a_queue_with_the_name_of_a_subcommand(shown: Run, asked: Asked) -> None:
    shown("define ql(test)", "foreach ql(test) do put test {}")
    assert asked.questions == ["Run 1 command? [y/N] "]
    assert "watch repeats commands that show something" in " ".join(shown("watch put test x"))


def test_foreach_leaves_out_what_display_leaves_out(shown: Run, asked: Asked) -> None:
    shown("\\system off", "foreach ql(*) do alter ql({}) descr(x)")
    assert asked.questions == ["Run 2 commands? [y/N] "]

"""The shell as people see it: the real program in a pseudo-terminal, screens compared as text."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import pytest

import mqsc
from mqsc.store.admin.queue_managers import delete_queue_manager
from tests.mqsc.shell.pty_terminal import ENTRY, PASTE, PASTED, Terminal

SCRIPT = """DEFINE QLOCAL(ORDERS.IN) MAXDEPTH(10) DESCR('Bestellungen 日本')
DEFINE QLOCAL(ORDERS.OUT)
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a store. Tests of this file share it; each uses queues of its own."""
    made = tmp_path_factory.mktemp("terminal")
    with mqsc.open_store(f"sqlite:///{made}/store.db") as store:
        mqsc.run(store.create_queue_manager("QM1"), SCRIPT)
    return made


def ready(terminal: Terminal) -> Terminal:
    """Wait until the whole program has been loaded."""
    terminal.wait("QM1  ")
    return terminal


def test_typing_completing_and_running(folder: Path) -> None:
    with Terminal(folder) as shell:
        ready(shell).press("def")
        shell.wait("define")
        assert "QM1> def" in shell.lines()[4]
        # The menu closes, the colours of a known verb appear.
        shell.press("ine ql(TYPED) maxdpt(3) ")
        shell.wait("maxdpt(3)")
        assert shell.has_style("maxdpt")
        assert not shell.has_style("TYPED")
        shell.press("\x15").wait(lambda lines: lines[4] == "QM1>")
        shell.press("dis ql(orders.").wait("orders.out")
        shell.press("\t").wait(lambda lines: lines[4] == "QM1> dis ql(orders.in")
        shell.press("\t").wait(lambda lines: lines[4] == "QM1> dis ql(orders.out")
        shell.press("\r").wait(lambda lines: lines[4:6] == ["QM1> dis ql(orders.out", ""])
        shell.press("\x15").enter("dis ql(orders*) curdepth").wait("(2 rows)")
        assert shell.lines()[4:9] == [
            "QM1> dis ql(orders*) curdepth",
            "QUEUE       TYPE    CURDEPTH  FULL",
            "ORDERS.IN   QLOCAL         0  ░░░░░░░░   0%",
            "ORDERS.OUT  QLOCAL         0  ░░░░░░░░   0%",
            "(2 rows)",
        ]
        shell.enter("alter ql(A) maxdpeth(5)").wait("(? shows the syntax)")
        assert shell.lines()[9:13] == [
            "QM1> alter ql(A) maxdpeth(5)",
            "                 ^^^^^^^^",
            "AMQ8405I: 'MAXDPETH' is not a keyword of ALTER QLOCAL; did you mean MAXDEPTH?",
            "(? shows the syntax)",
        ]
        assert shell.press("\x04").end() == 10
    assert "One command has a syntax error." in shell.lines()


def test_lines_continue_while_something_is_open(folder: Path) -> None:
    with Terminal(folder) as shell:
        ready(shell).press("define ql(\r").wait("   >")
        shell.press("MULTI)\r").wait("queue created.")
        assert shell.lines()[4:7] == [
            "QM1> define ql( +",
            "   >    MULTI)",
            "AMQ8006I: IBM MQ queue created.",
        ]
        shell.press("define ql(NOT.MADE\r").wait(lambda lines: lines[8:9] == ["   >"])
        # Ctrl-C clears the whole command.
        shell.press("\x03").enter("put multi a b").wait("2 messages put")
        shell.enter("clear ql(multi)").wait("MULTI has 2 messages. Remove them? [y/N]")
        shell.press("n\r").wait("Nothing was removed.")
        shell.enter("clear ql(multi)").wait(
            lambda lines: sum("[y/N]" in line for line in lines) == 2,
        )
        shell.press("y\r").wait("AMQ8022I")
        # Up recalls a whole command, and a suggestion appears while it is typed again.
        shell.press("put mul").wait("put multi a b")
        shell.press("\x1b[C\r").wait(
            lambda lines: sum("2 messages put" in line for line in lines) == 2,
        )
        shell.press("\x12define ql(").wait("define ql( +")
        shell.press("\x07\x03").enter("watch 0.1 dis ql(multi) curdepth").wait(
            "every 0.1 s: dis ql(multi)",
        )
        shell.wait("QLOCAL         2")
        shell.press("\x03").wait(
            lambda lines: lines[-1].startswith("Tab completes") or "QM1>" in lines[-1],
        )
        assert shell.enter("end").end() == 0


def test_a_paste_of_a_thousand_lines(folder: Path) -> None:
    lines = "\n".join(f"DEFINE NAMELIST(PASTED.{number}) REPLACE" for number in range(1000))
    with Terminal(folder) as shell:
        ready(shell).press(f"{PASTE}{lines}{PASTED}")
        shell.wait("DEFINE NAMELIST(PASTED.999) REPLACE")
        shell.press("\r").wait("AMQ8552I")
        shell.enter("dis namelist(pasted.999)").wait("PASTED.999   ")
        assert shell.enter("end").end() == 0
    assert shell.output.count(b"AMQ8552I") == 1000
    assert "1001 MQSC commands read." in shell.lines()


def test_up_goes_to_the_history_from_the_top_of_the_menu(folder: Path) -> None:
    with Terminal(folder) as shell:
        ready(shell).enter("ping qmgr").wait("AMQ8415I")
        shell.press("dis ql(orders.").wait("orders.out")
        shell.press("\t").wait(lambda lines: lines[-1:] != [] and "QM1> dis ql(orders.in" in lines)
        shell.press("\t").wait(lambda lines: "QM1> dis ql(orders.out" in lines)
        shell.press("\x1b[A").wait(lambda lines: "QM1> dis ql(orders.in" in lines)
        shell.press("\x1b[A").wait(lambda lines: lines.count("QM1> ping qmgr") == 2)
        assert shell.press("\x15\x04").end() == 0


def test_words_are_not_cut_at_the_margin(folder: Path) -> None:
    with Terminal(folder, "--classic", width=60, height=100) as shell:
        # At this width the hint leaves no room for the status.
        shell.wait("Tab completes")
        shell.enter(
            "define ql(CUT)",
            "put cut x",
            "get cut --syncpoint --mark-skip-backout",
            "back",
        )
        shell.wait("back out.")
        shell.enter("alter ql(cut) maxdpeth(3)").wait("MAXDEPTH?")
        text = shell.lines()
        shell.press("\x04")
        shell.end()
    assert "    of work, which you commit or back out." in text
    assert any(line.endswith("MAXDEPTH?") for line in text)


def test_a_pager_in_the_locale_c_is_told_that_it_gets_utf8(folder: Path) -> None:
    with Terminal(folder, height=20, environment={"LC_ALL": "C"}) as shell:
        ready(shell).enter("trigger explain orders.in").wait("a message is put on")
        text = shell.lines()
        shell.press("q").wait("Tab completes").clear()
        shell.press("\x04")
        shell.end()
    assert [line for line in text if "<E2>" in line] == []
    assert any("✓" in line for line in text)


def test_resizing_and_forty_columns(folder: Path) -> None:
    with Terminal(folder, width=100) as shell:
        ready(shell).resize(40, 20).press("dis ql(orders.in) curdepth descr\r")
        shell.wait("Bestellungen")
        assert [line for line in shell.lines() if line.startswith(("QUEUE", "ORDERS", " "))] == [
            "QUEUE      CURDEPTH  DESCR",
            "ORDERS.IN         0  Bestellungen 日本",
        ]
        # A long answer is paged, unless that is switched off.
        shell.enter("dis ql(*)").wait(lambda lines: lines[-1:] == [":"])
        shell.press("q").wait("Tab completes")
        shell.enter("\\pager off", "dis ql(*)").wait("rows)")
        shell.enter("help frobnicate").wait("'frobnicate'")
        assert shell.press("\x04").end() == 10
    assert all(len(line) <= 40 for line in shell.lines())


def test_a_window_of_six_lines(folder: Path) -> None:
    with Terminal(folder, height=6) as shell:
        ready(shell).press("dis q").wait("type of object")
        shell.press("\x03").resize(80, 4).press("dis ql(orders.in) maxdepth\r").wait(
            "ORDERS.IN  QLOCAL",
        )
        assert shell.press("\x04").end() == 0
    assert b"Window too small" not in shell.output


@pytest.mark.parametrize(
    "environment",
    [
        {"TERM": "dumb"},
        {"NO_COLOR": "1", "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    ],
    ids=["dumb", "no colour, not UTF-8"],
)
def test_poor_terminals(folder: Path, environment: dict[str, str]) -> None:
    with Terminal(folder, environment=environment) as shell:
        shell.wait("QM1>")
        shell.enter("dis ql(orders.in) curdepth descr").wait("ORDERS.IN  ")
        assert shell.press("\x04").end() == 0
    with Terminal(folder, "top", environment=environment) as screen:
        if environment.get("TERM") == "dumb":
            assert screen.end() == 0
            assert b"\x1b" not in screen.output
    colours = [
        code
        for code in (b"\x1b[31m", b"\x1b[32m", b"\x1b[0;34", b"\x1b[0;38")
        if code in shell.output
    ]
    assert colours == []
    if "PYTHONUTF8" in environment:
        assert "........   0%" in "\n".join(shell.lines())
        assert "\\u65e5" in "\n".join(shell.lines())


def test_a_closed_output_and_kills(folder: Path) -> None:
    with Terminal(folder, command=["/bin/sh", "-c", f"{sys.executable} -c '{ENTRY}' >&-"]) as shell:
        assert shell.end() == 20
    assert "standard output is closed" in shell.output.decode()
    with Terminal(folder) as shell:
        ready(shell).enter("put orders.out x --syncpoint").wait("1 put)")
        assert shell.process.pid is not None
        os.kill(shell.process.pid, signal.SIGKILL)
        shell.end()
    with Terminal(folder) as shell:
        # The unit of work of the shell that was killed is backed out.
        ready(shell).enter("dis qstatus(orders.out) curdepth uncom").wait("QUEUE         0  NO")
        assert shell.press("\x04").end() == 0


def test_top_in_the_shell(tmp_path: Path) -> None:
    def is_back(lines: list[str]) -> bool:
        return "Enter, Esc or q returns" not in lines and lines[-1:] != []

    with mqsc.open_store(f"sqlite:///{tmp_path}/store.db") as store:
        mqsc.run(store.create_queue_manager("QM1"), SCRIPT)
    with Terminal(tmp_path) as shell:
        ready(shell).enter("put orders.out eins zwei", "top").wait("b browse  e explain trigger")
        assert shell.lines()[2].startswith("QUEUE by traffic")
        shell.press("o").wait("QUEUE by depth")
        shell.press("s").wait("SYSTEM.ADMIN.ACTIVITY.QUEUE")
        shell.press("s").wait(lambda lines: not any("SYSTEM." in line for line in lines))
        assert shell.lines()[3].startswith("ORDERS.OUT")
        shell.press("p").wait("(paused)")
        shell.press("b").wait("Enter, Esc or q returns")
        assert [line.split()[-1] for line in shell.lines() if line.startswith(("1 ", "2 "))] == [
            "eins",
            "zwei",
        ]
        shell.press("\x1b").wait(is_back)
        shell.press("b").wait("Enter, Esc or q returns")
        shell.press("q").wait(is_back)
        shell.press("c").wait("Remove all messages of ORDERS.OUT?")
        shell.press("y\r").wait("Enter, Esc or q returns")
        shell.press("\r").wait(is_back)
        shell.press("p").wait(
            lambda lines: any(line.split()[:2] == ["ORDERS.OUT", "0"] for line in lines),
        )
        shell.press("q").wait("Tab completes")
        assert shell.press("\x04").end() == 0


def test_top_when_the_queue_manager_is_gone(tmp_path: Path) -> None:
    with mqsc.open_store(f"sqlite:///{tmp_path}/store.db") as store:
        store.create_queue_manager("QM1")
    with (
        mqsc.open_store(f"sqlite:///{tmp_path}/store.db") as store,
        Terminal(tmp_path, "top") as screen,
    ):
        qmgr = store.queue_manager("QM1")
        screen.wait("b browse  e explain trigger")
        screen.press("c").wait("Remove all messages of")
        screen.press("\x03").wait(lambda lines: "Remove" not in "".join(lines))
        qmgr.end(immediate=True)
        screen.press("b").wait("Enter, Esc or q returns")
        assert "2059 MQRC_Q_MGR_NOT_AVAILABLE" in " ".join(screen.lines())
        screen.press("\r").wait("QM1 ended")
        delete_queue_manager(qmgr.store, "QM1")
        assert screen.end() == 10
        assert b"Traceback" not in screen.output
    assert b"AMQ8118E: IBM MQ queue manager 'QM1' does not exist." in screen.output


def test_the_settings_of_the_file(folder: Path) -> None:
    config = folder / "settings.toml"
    config.write_text('prompt = "+QMNAME+ >> "\nformat = "tsv"\nhide_system = true\n')
    with Terminal(folder, environment={"MQSC_CONFIG": str(config)}) as shell:
        ready(shell).enter("dis ql(*) maxdepth").wait("ORDERS.OUT")
        assert shell.lines()[4].startswith("QM1 >> dis ql")
        assert "SYSTEM." not in "".join(shell.lines())
        assert shell.press("\x04").end() == 0


def test_editing_in_the_users_editor(folder: Path) -> None:
    editor = folder / "editor"
    editor.write_text('#!/bin/sh\nsed -i s/IN/OUT/ "$1"\n')
    editor.chmod(0o700)
    with Terminal(folder, environment={"VISUAL": str(editor)}) as shell:
        ready(shell).enter("dis ql(ORDERS.IN) maxdepth").wait("ORDERS.IN  ")
        shell.enter("\\e").wait("QM1> dis ql(ORDERS.OUT) maxdepth")
        shell.press("\r").wait("ORDERS.OUT  ")
        shell.press("dis ql(ORDERS.IN) descr\x18\x05").wait("QM1> dis ql(ORDERS.OUT) descr")
        assert shell.press("\x15\x04").end() == 0


def test_ctrl_c_ends_a_foreach(folder: Path) -> None:
    with Terminal(folder, environment={"MQSC_PAGER": "'no end"}) as shell:
        ready(shell).enter("foreach ql(ORDERS.*) do amqsget {}").wait("Run ")
        shell.enter("y").wait("AMQSGET0 start")
        shell.press("\x03").wait("(0 commands, none failed)")
        shell.wait("interrupted")
        # Neither does Ctrl-C end the shell while another program has the terminal.
        shell.enter("! echo up; sleep 99").wait(lambda lines: "up" in lines)
        shell.press("\x03").wait("(exit code 130)")
        shell.enter("dis qmgr all").wait("XRCAP")
        assert shell.press("\x04").end() == 0

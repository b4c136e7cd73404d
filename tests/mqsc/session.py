"""Runs commands written as text, each with what it must print: a session at a shell.

A line is `[QMGR:] WORDS [<< STDIN] [=> [CODE] [MARK TEXT]]`, and more marks may follow on lines of
their own. Lines in capitals are MQSC commands. Words are quoted as in a shell; in STDIN, \\n is the
end of a line. $PWD is the folder.

    get A                        it ends with exit code 0
    get NONE => 10 ! 2085        it ends with 10, and stderr contains the text; stdout is empty, as no mark is about it
    doctor => 10                 the same, and more about its output:
        > damaged                stdout contains the text
        = ok      depth          a line of stdout is the text
        .name ["A", "B"]         these are the values of a column, in JSON; null where a row has none
        .in_doubt.0.since [1]    the same of a value inside another
        ~ Traceback              neither stdout nor stderr contains it
    QM2: get A                   with -m QM2
        | one                    all of stdout, line by line, without trailing blanks
        !| mqsc: no message      all of stderr, likewise
        !|                       stderr is empty
    cat > a.mqsc << PING QMGR    writes a file
    channel fault ...            the beginning of the lines that follow; alone, `...` ends it
"""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import Any

from tests.mqsc.conftest import Command, Ended

_MARK = r"(>|=|~|!\||!|\||\.\w[\w.]*)(?: (.*))?"
_CHECK = re.compile(_MARK)
_EXPECTED = re.compile(rf"(\d*) ?(?:{_MARK})?")
_QMGR = re.compile(r"([A-Z0-9]+): (.*)")
_MQSC = re.compile(r"[A-Z]{3,} ")


class Session:
    """A shell in which `mqsc` is typed."""

    def __init__(self, mqsc: Command) -> None:
        self._mqsc = mqsc

    def __call__(self, text: str) -> Ended:
        """Run the lines of a text; return the result of the last command.

        The AssertionError shows the line that failed, and what the command has printed.
        """
        steps: list[tuple[str, int, list[tuple[str, str]]]] = []
        beginning = ""
        for line in filter(
            None,
            map(str.strip, text.replace("$PWD", str(Path.cwd())).splitlines()),
        ):
            if found := _CHECK.fullmatch(line):
                steps[-1][2].append((found[1], found[2] or ""))
                continue
            if line.endswith("...") and " => " not in line:
                beginning = line[:-3]
                continue
            words, _, told = line.partition(" => ")
            expected = _EXPECTED.fullmatch(told)
            assert expected is not None, f"{line}: no mark is before what is expected"
            checks = [(expected[2], expected[3] or "")] if expected[2] else []
            steps.append((beginning + words, int(expected[1] or 0), checks))
        return [self._play(*step) for step in steps][-1]

    def _play(self, line: str, code: int, checks: list[tuple[str, str]]) -> Ended:
        named = _QMGR.fullmatch(line)
        typed, _, stdin = (named[2] if named else line).partition(" << ")
        given = stdin.encode().decode("unicode_escape").encode("latin-1")
        words = ["run", "-c", typed] if _MQSC.match(typed) else shlex.split(typed)
        if words[:2] == ["cat", ">"]:
            Path(words[2]).parent.mkdir(exist_ok=True)
            Path(words[2]).write_bytes(given)
            return Ended(0, "", "")
        ended = self._mqsc(*(["-m", named[1]] if named else []), *words, stdin=given)
        wrong = [f"exit code {ended.code}"] if ended.code != code else []
        wrong += [
            f"{mark} {text}"
            for mark, text in checks
            if mark in _ONE and not _ONE[mark](ended, text)
        ]
        for mark, printed in (
            ("|", ended.lines),
            ("!|", [each.rstrip() for each in ended.err.splitlines()]),
        ):
            exact = [text for each, text in checks if each == mark]
            wrong += [f"{mark} {exact}"] if exact and exact != (printed or [""]) else []
        for mark, text in checks:
            if mark[0] == "." and (
                found := [_at(row, mark[1:]) for row in ended.rows]
            ) != json.loads(text):
                wrong.append(f"{mark} {found}")
        if code and ended.out and not any(mark[0] in ">=|." for mark, _ in checks):
            wrong.append("stdout is not empty")
        assert not wrong, f"{line}\n{wrong}\n{ended.code}\n{ended.out}\n{ended.err}"
        return ended


def _at(value: Any, path: str) -> Any:
    for word in path.split("."):
        value = value[int(word)] if isinstance(value, list) else value.get(word)
    return value


_ONE = {
    ">": lambda ended, text: text in ended.out,
    "=": lambda ended, text: text in ended.lines,
    "!": lambda ended, text: text in ended.err,
    "~": lambda ended, text: text not in ended.out + ended.err,
}

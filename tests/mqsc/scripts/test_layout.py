"""`mqsc fmt`: one layout, whatever the file was like, which keeps comments, templates and the
meaning.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import assume, given, settings, strategies as st

from mqsc.grammar.lines import LogicalLine, logical_lines
from mqsc.grammar.parse import parse_command, parse_entry
from mqsc.grammar.tree import Command, Entry, SyntaxFault
from mqsc.scripts.layout import laid_out
from tests.examples import examples
from tests.mqsc.conftest import Command as CommandLine

CORPUS = Path(os.environ.get("MQSC_CORPUS", "/none"))
LAYOUTS = {
    "one command on several lines": (
        "define  qlocal ( orders )  +\n    DESCR('in > out') , replace  \n",
        "DEFINE QLOCAL(ORDERS) DESCR('in > out') REPLACE\n",
    ),
    "one that is too long": (
        "DEFINE QLOCAL(ORDERS) DESCR('Orders of all branches and offices') MAXDEPTH(100) REPLACE\n",
        "DEFINE QLOCAL(ORDERS) +\n   DESCR('Orders of all branches and offices') +\n   "
        "MAXDEPTH(100) +\n   REPLACE\n",
    ),
    "a text that is too long": (
        f"DEFINE NAMELIST(N) DESCR('{'word ' * 20}') "
        f"NAMES({','.join(['A.NAME.OF.A.QUEUE'] * 5)})\n",
        f"DEFINE NAMELIST(N) +\n   DESCR('{'word ' * 12}+\n      {'word ' * 8}') +\n"
        "   NAMES(A.NAME.OF.A.QUEUE,A.NAME.OF.A.QUEUE,A.NAME.OF.A.QUEUE,+\n"
        "      A.NAME.OF.A.QUEUE,A.NAME.OF.A.QUEUE)\n",
    ),
    "comments and blank lines": (
        "\n\n  * first  \nPING QMGR; PING QMGR ; * behind\n\n\n;\n; * alone\n* last\n\n",
        "* first\nPING QMGR\n* behind\nPING QMGR\n\n* alone\n* last\n",
    ),
    "comments inside": (
        "DEFINE QL(A) +\n* of GET\n\nGET(ENABLED) NAMES(A +\n* of B\n,B)\n",
        "DEFINE QL(A) +\n* of GET\n   GET(ENABLED) +\n* of B\n   NAMES(A,B)\n",
    ),
    "a comment in the first line": ("DEFINE +\n* c\nQL(A)\n", "* c\nDEFINE QL(A)\n"),
    "values with meaning": (
        "dis ql(*) where ( curdepth gt 5 )\nDEF QL(a.B) DESCR() get\n",
        "DIS QL(*) WHERE(CURDEPTH GT 5)\nDEF QL(A.B) DESCR() GET\n",
    ),
    "templates": (
        "define ql(${env}.q) descr('{{ title | default('x') }}') ${more} maxdepth($n)\n{% for q in "
        "list %}\n"
        "  def ql({{q}}) desc($(text 'a;b'))\n{% endfor %}\n{{macro}}   x\nset chlauth(__c__) "
        "type(<t>)\n",
        "DEFINE QL(${env}.q) +\n   DESCR('{{ title | default('x') }}') +\n   ${more} +\n   "
        "MAXDEPTH($n)\n"
        "{% for q in list %}\nDEF QL({{q}}) DESC($(text 'a;b'))\n{% endfor %}\n{{macro}}   x\n"
        "SET CHLAUTH(__c__) TYPE(<t>)\n",
    ),
    "what is not read": ("ping qmgr\nend\nany  text (\n\n", "PING QMGR\nend\nany  text (\n"),
    "signs of continuation": ("DEF QL(A) X- ;\nDEF QL(B) *\n", "DEF QL(A) X-;\nDEF QL(B) *\n"),
    "line numbers": (f"{'PING QMGR':72}00000010\n", "PING QMGR\n"),
    "line numbers of blank lines": (
        f"{'DIS QL(A) +':72}00000010\n{'':72}00000020\n{'   ALL':72}00000030\n{'':72}00000040\n{';':72}00000050\n",
        "DIS QL(A) ALL\n",
    ),
    "a rules table": (
        "* c\ninputq('DLQ')   wait(no)\n\n\nreason(mqrc_q_full) destq(PAY*) +\n  action(fwd) "
        "fwdq(&DESTQ) fwdqm(' ') "
        "header(no) retry(3)\n",
        "* c\nINPUTQ('DLQ') WAIT(NO)\n\nREASON(MQRC_Q_FULL) +\n   DESTQ(PAY*) +\n   ACTION(FWD) "
        "+\n   FWDQ(&DESTQ) +\n"
        "   FWDQM(' ') +\n   HEADER(NO) +\n   RETRY(3)\n",
    ),
    "no command": ("* only\n* this", "* only\n* this\n"),
    "nothing": ("\n\n", ""),
}


@pytest.mark.parametrize("name", LAYOUTS)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_layout(name: str, end: str) -> None:
    before, after = (each.replace("\n", end).encode() for each in LAYOUTS[name])
    assert laid_out(before) == after
    assert laid_out(after) == after
    assert laid_out(b"\xef\xbb\xbf" + before) == b"\xef\xbb\xbf" + after


def test_bytes_of_another_encoding_stay_in_comments() -> None:
    assert laid_out(b"* caf\xe9\nping qmgr") == b"* caf\xe9\nPING QMGR\n"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("#!/bin/sh\nrunmqsc QM1 <<EOF\n", "line 1, column 1: #!/bin/sh is not a verb of MQSC"),
        ("PING QMGR\nset -e\n", "line 2, column 5: -e is not an object of SET"),
        (
            "PING QMGR\nDEFIN QL(A)\n",
            "line 2, column 1: DEFIN is not a verb .* did you mean DEFINE?",
        ),
        ("DEFINE QL(A +\n", "line 1, column 13: the input ends after a +"),
        ("DEFINE QL(A) DESCR(it's)\n", "line 1, column 22"),
        ("DEFINE QL('caf\udce9')\n", "line 1, column 15: X'E9' is a byte that is not UTF-8"),
        ("STOP\n", "line 1, column 1: STOP of what?"),
        ("INPUTQ(A)\nREASON\n", "line 2, column 1"),
    ],
)
def test_what_cannot_be_read_is_refused_at_its_place(text: str, says: str) -> None:
    with pytest.raises(SyntaxFault, match=says.replace("?", r"\?").replace("+", r"\+")):
        laid_out(text.encode("utf-8", "surrogateescape"))


def trees(content: bytes, *, table: bool = False) -> list[Command | Entry]:
    parse = parse_entry if table else parse_command
    items = logical_lines(content, semicolon=not table)
    return [parse(each) for each in items if isinstance(each, LogicalLine)]


# Scripts of any layout: words with anything that is allowed between them, and comments where they
# may be.
names = st.sampled_from(
    [
        "a",
        "ORDERS.In",
        "'it''s'",
        "'x;y + '",
        "' '",
        "''",
        "'*'",
        "*",
        "5",
        "a/b",
        "'- '",
        "é",
        "a-",
        "b+",
    ],
)
comments = st.sampled_from(["* note\n", "  * it's\n", "*\n", "\n", ""])
blanks = st.sampled_from([" ", "  ", " +\n", "\t+\n   ", " , "]) | comments.map(
    lambda each: f" +\n{each}",
)
optional = blanks | st.just("")
lists = (
    st.lists(names, max_size=9).map(", ".join)
    | names
    | st.text("word 'é*+-;", max_size=150).map(lambda text: "'" + text.replace("'", "''") + "'")
)
arguments = st.builds(
    lambda word, gap, inside: f"{word}{gap}({inside})",
    st.sampled_from(["Descr", "names", "x"]),
    optional,
    lists,
)
objects = st.builds(
    lambda verb, gap, noun, name: f"{verb}{gap}{noun}({name})",
    st.sampled_from(["define", "DEF", "Alter"]),
    blanks,
    st.sampled_from(["ql", "QLOCAL", "Channel"]),
    names,
)
commands = st.builds(
    lambda first, more, end: first + "".join(gap + each for gap, each in more) + end,
    objects,
    st.lists(
        st.tuples(blanks, arguments | st.sampled_from(["replace", "NOTRIGGER", "${x}"])),
        max_size=6,
    ),
    st.sampled_from(["\n", " ; \n", "; * behind\n", ";"]),
)
entries = st.lists(
    st.builds(
        lambda word, gap, value: f"{word}{gap}({value})",
        st.sampled_from(["Reason", "destq", "action"]),
        optional,
        names,
    ),
    min_size=1,
    max_size=6,
).map(" +\n".join)


@settings(max_examples=examples(150), deadline=None)
@given(st.lists(comments | commands, max_size=6).map("".join), st.booleans())
def test_any_script_keeps_its_meaning(text: str, is_dos: bool) -> None:
    source = text.replace("\n", "\r\n" if is_dos else "\n").encode()
    try:
        before = trees(source)
    except SyntaxFault:
        with pytest.raises(SyntaxFault):
            laid_out(source)
        return
    after = laid_out(source)
    assert trees(after) == before
    assert laid_out(after) == after
    assert notes(after) == notes(source)


def notes(content: bytes) -> list[int]:
    """How often each comment is there."""
    return [content.count(each) for each in (b"* note", b"* it's", b"* behind")]


@settings(max_examples=examples(50), deadline=None)
@given(st.lists(comments | entries.map(lambda each: f"{each}\n"), max_size=6).map("".join))
def test_any_rules_table_keeps_its_meaning(text: str) -> None:
    source = text.encode()
    try:
        before = trees(source, table=True)
    except SyntaxFault:
        assume(False)
    after = laid_out(source)
    assert trees(after, table=True) == before
    assert laid_out(after) == after


@pytest.mark.skipif(not CORPUS.exists(), reason="MQSC_CORPUS names no folder of scripts")
def test_every_file_of_the_corpus_is_laid_out_or_refused() -> None:
    contents = [path.read_bytes() for path in sorted(CORPUS.rglob("*")) if path.is_file()]
    done = [
        (content, after)
        for content in contents
        if (after := laid_out_or_refused(content)) is not None
    ]
    assert len(done) > 100
    assert all(after or not content.strip() for content, after in done)
    for content, after in done:
        assert laid_out(after) == after
        if b"{" not in content and b"$" not in content and b"ACTION" not in content.upper():
            assert trees(after) == trees(content)


def laid_out_or_refused(content: bytes) -> bytes | None:
    try:
        return laid_out(content)
    except SyntaxFault as fault:
        # That the meaning would change is a mistake, and no reason.
        return None if fault.found else b""


def test_files_are_replaced_as_a_whole(mqsc: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    script, table, wrong = (
        tmp_path / "a.mqsc",
        tmp_path / "sub" / "t.rul",
        tmp_path / "sub" / "b.mqsc",
    )
    script.write_bytes(b"ping  qmgr\r\n")
    script.chmod(0o640)
    table.write_text("INPUTQ(A)\n")
    wrong.write_text("PING QMGR\nWRONG\n")
    (tmp_path / "link.mqsc").symlink_to(script)
    for options, code in (("--check", 10), ("--diff", 10)):
        ended = mqsc("fmt", options, ".")
        assert (ended.code, "mqsc: ./a.mqsc would be laid out anew" in ended.err) == (code, True)
        assert script.read_bytes() == b"ping  qmgr\r\n"
    assert ended.lines[:2] == ["--- ./a.mqsc", "+++ ./a.mqsc"]
    assert mqsc("fmt", "--check", "a.mqsc").code == 1
    ended = mqsc("fmt", ".")
    assert ended.code == 10
    assert "./sub/b.mqsc, line 2, column 1: WRONG is not a verb of MQSC" in ended.err
    assert ended.err.endswith("mqsc: 1 file laid out anew, 1 file in error, 1 file unchanged\n")
    assert (script.read_bytes(), script.stat().st_mode & 0o777) == (b"PING QMGR\r\n", 0o640)
    assert (wrong.read_text(), (tmp_path / "link.mqsc").is_symlink()) == (
        "PING QMGR\nWRONG\n",
        True,
    )
    assert mqsc("fmt", "--check", "--quiet", "a.mqsc", "sub/t.rul") == mqsc(
        "fmt",
        "--quiet",
        "a.mqsc",
    )
    assert sorted(each.name for each in tmp_path.rglob("*") if each.is_file()) == [
        "a.mqsc",
        "b.mqsc",
        "link.mqsc",
        "t.rul",
    ]


def test_standard_input_goes_to_standard_output(mqsc: CommandLine) -> None:
    ended = mqsc("fmt", "-", stdin=b"ping  qmgr\n")
    assert (ended.code, ended.out) == (0, "PING QMGR\n")
    ended = mqsc("fmt", "-", stdin=b"WRONG\n")
    assert (ended.code, ended.out) == (10, "")
    assert mqsc("fmt", "none.mqsc").code == 20


@pytest.mark.parametrize("command", ["fmt", "check"])
def test_the_store_is_not_even_opened(mqsc: CommandLine, command: str) -> None:
    mqsc("qmgr", "create", "QM1")
    ended = mqsc(command, "store.db")
    assert (ended.code, ended.err.splitlines()[0]) == (20, "mqsc: store.db is the store itself")

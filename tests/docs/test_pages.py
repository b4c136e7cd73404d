"""The pages of the documentation: links have targets, examples run, and every command is listed."""

from __future__ import annotations

import json
import re
import socket
from contextlib import suppress
from datetime import timedelta
from importlib.util import find_spec
from pathlib import Path
from shutil import which

import pytest

import mqsc
from mqsc.main import COMMANDS
from tests.docs.page import NOTES, PAGES, blocks, check_typed, constant, run
from tests.source import MODULES, ROOT

DOCS = ROOT / "docs"
LINK = re.compile(r"\]\((?!https?:)([^)#]+)[^)]*\)")
COMMAND_LINE = (DOCS / "command-line.md").read_text("utf-8")
OUTPUT = {
    "python.md": (
        "one espresso machine 5 red\ntwo cups\n['done: one cup', 'done: two cups']\n"
        "line 1: DISPLAY QLOCAL(ORDERS) reads\nline 3: CLEAR QLOCAL(ORDERS) changes\n"
        "[{'QUEUE': 'ORDERS', 'TYPE': 'QLOCAL', 'CURDEPTH': 0}]\n"
    ),
    "python-mqi.md": "AMQ8006I 0 []\nb'hello' 300 0\nTrue ORDERS 1\n",
    "properties.md": "b'one cup' {'color': 'red', 'size': 5}\n64\nb'plain'\n",
    "poison-messages.md": "b'tea'\nb'coffee'\nb'cake'\nb'broken'\n",
    "authority.md": "",
    "publish-subscribe.md": "prices/tea 3.20 EUR\n1 for the audit\nprices/tea 3.30\nprices/ink end\n",
    "pcf.md": "{2016: 'ORDERS', 20: 1, 3: 1, 2013: 'Orders of today'}\n",
}


# What the commands of a page print.
PRINTED: dict[str, tuple[str, ...]] = {
    "authority.md": (
        r"REFUSED 2035: app may not put on ORDERS\.\n  who    app, in the groups apps "
        r"and nobody; not an administrator\n",
        r"  held   browse get, by GROUP\(apps\) PROFILE\(ORDERS\)\n  cure   SET AUTHREC "
        r"PROFILE\(ORDERS\) ",
    ),
    "sharing.md": (r"EXPSCAN\(YES\)", "MONITOR_OPENED +a monitor opens INIT"),
    "channels.md": (r"mq\.example\.com\(1414\)  sqlite:///",),
}


def shell(command: str, folder: Path, tree: Path | None = None) -> str:
    """Run a command on a store in the folder."""
    return run(command, folder, tree, MQSC_STORE="sqlite:///page.db")


def test_every_link_leads_to_a_file() -> None:
    broken = [
        f"{page.name}: {target}"
        for page in (*PAGES, *NOTES)
        for target in LINK.findall(page.read_text("utf-8"))
        if not (page.parent / target).exists()
    ]
    assert broken == []


def test_every_page_is_at_most_two_links_from_the_readme() -> None:
    linked = {
        (page.parent / target).resolve()
        for page in (PAGES[0], DOCS / "README.md")
        for target in LINK.findall(page.read_text("utf-8"))
    }
    pages = (*PAGES[1:], *NOTES)
    assert [page.name for page in pages if page.resolve() not in linked] == []


def test_programs_import_only_public_modules() -> None:
    texts = [*PAGES, *(ROOT / "samples").glob("*.py")]
    internal = re.compile(r"^ *(?:from|import) (?:grammar|reports|store)\b.*", re.MULTILINE)
    found = {path.name: internal.findall(path.read_text("utf-8")) for path in texts}
    assert {name: imports for name, imports in found.items() if imports} == {}


def test_every_command_is_listed() -> None:
    listed = set(re.findall(r"`(?:mqsc )?([a-z]+)", COMMAND_LINE))
    assert sorted(set(COMMANDS) - listed) == []


@pytest.mark.parametrize("page", sorted(OUTPUT))
def test_the_python_of_a_page_prints_what_its_comments_say(page: str, tmp_path: Path) -> None:
    (tmp_path / "example.py").write_text("\n".join(blocks(DOCS / page, "python")))
    assert run("python example.py", tmp_path) == OUTPUT[page]


def test_the_table_of_other_libraries_says_what_works(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What it says for this library, one task after the other."""
    monkeypatch.chdir(tmp_path)
    table = (DOCS / "python.md").read_text("utf-8").partition("| to | pika |")[2].split("\n\n")[0]
    here = re.findall(r"\| `([^`]*)` \|$", table, re.MULTILINE)
    mqsc.connect("shop.db", create=True).close()
    names: dict[str, object] = {"mqsc": mqsc, "timedelta": timedelta}
    for each in here:
        code = (
            f"try:\n    qmgr.queue('ORDERS').get(timedelta(0))\n{each} print()"
            if each[:6] == "except"
            else each
        )
        with suppress(mqsc.NoReply):
            exec(code, names)
    assert len(here) == 20
    (qmgr,) = (each for each in names.values() if isinstance(each, mqsc.Session))
    assert qmgr.queue("ORDERS").depth() == 0
    qmgr.close()


@pytest.mark.parametrize("page", PRINTED)
def test_the_commands_of_a_page_print_what_it_says(page: str, tmp_path: Path) -> None:
    printed = shell("".join(blocks(DOCS / page, "sh")), tmp_path)
    assert [each for each in PRINTED[page] if not re.search(each, printed)] == []


# Pages on which each block of output is all that the block of commands before it prints.
TYPED = ("auditing.md", "demo.md", "import.md", "import-logs.md", "tutorial.md")


@pytest.mark.parametrize("page", TYPED)
def test_what_is_typed_prints_what_the_page_shows(page: str, tmp_path: Path) -> None:
    check_typed(DOCS / page, tmp_path)


# A page that is longer than this is split by what a reader comes for, or has a reason.
LONGEST = 250
LONGER = {"commands.md": "a reference: a row for each command of MQSC"}


def test_no_page_is_too_long() -> None:
    lengths = {page.name: len(page.read_text("utf-8").splitlines()) for page in PAGES}
    too_long = {name for name, length in lengths.items() if length > LONGEST}
    assert too_long == {*LONGER}
    assert lengths["README.md"] <= 100


OPENING = re.compile(
    r"# [^\n]*\n(?:(?!```|#)[^\n]*\n)*```sh\n(.*?)^```\n\n```text\n(.*?)^```",
    re.DOTALL | re.MULTILINE,
)
# Pages that begin with an example of two parts, or with a program; tests of their own run these.
OTHERWISE = {
    "authority.md",
    "history.md",
    "publish-subscribe.md",
    "python-mqi.md",
    "python.md",
    "rest.md",
    "testing.md",
}
# What is typed and what is answered are in one block: a dialogue, or what takes Docker or a
# cluster.
DIALOGUES = {
    "cluster.md",
    "container.md",
    "plan.md",
    "reports.md",
    "scripts.md",
    "shell.md",
    "speed.md",
    "time-machine.md",
}
DIALOGUES.add("units-of-work.md")
# Pages with programs of other packages, which test_program_pages.py runs.
PROGRAMS = {"airflow.md", "faststream.md", "ibmmq.md", "pymqi.md", "robot-framework.md"}
# An index, pages for those who work on the product, and those that are examples as a whole.
WITHOUT = {"README.md", "SECURITY.md", *TYPED}
OPENINGS = sorted({page.name for page in PAGES} - OTHERWISE - DIALOGUES - WITHOUT - PROGRAMS)


@pytest.mark.parametrize("page", OPENINGS)
def test_the_example_at_the_top_prints_what_the_page_shows(page: str, tmp_path: Path) -> None:
    if page == "clients.md" and find_spec("ibmmq") is None:
        pytest.skip("the package ibmmq is not installed")
    opening = OPENING.match((DOCS / page).read_text("utf-8"))
    assert opening is not None
    typed, shown = opening.groups()
    assert constant(run(f"exec 2>&1\n{typed}", tmp_path)) == constant(shown)


@pytest.mark.parametrize("page", sorted(OTHERWISE | DIALOGUES))
def test_every_other_page_opens_with_an_example_and_its_output(page: str) -> None:
    opening = (DOCS / page).read_text("utf-8").split("\n## ")[0]
    outputs = [
        *re.findall(r"^```\n(?:\$|QM1>) [^`]*\n\w", opening, re.MULTILINE),
        *re.findall("^```text", opening, re.MULTILINE),
    ]
    assert outputs


ARCHITECTURE = (DOCS / "development" / "architecture.md").read_text("utf-8")


def test_every_path_of_the_architecture_page_exists() -> None:
    named = set(
        re.findall(r"`((?:grammar|mqsc|reports|samples|store|tests)/[\w./]+)`", ARCHITECTURE),
    )
    assert [path for path in sorted(named) if not (ROOT / path).exists()] == []


def test_every_file_of_the_architecture_page_is_in_the_folder_named_before_it() -> None:
    prose = re.sub(r"^```.*?^```$", "", ARCHITECTURE, flags=re.DOTALL | re.MULTILINE)
    missing = []
    for passage in re.split(r"\n\n|\n(?=\|)", prose):
        folder = ROOT
        for name in re.findall(r"`([\w./]+)`", passage):
            path = ROOT / name
            if name.partition("/")[0] in (
                "grammar",
                "mqsc",
                "reports",
                "samples",
                "store",
                "tests",
            ):
                folder = path if path.is_dir() else path.parent
            elif (
                re.search(r"\.(?:csv|lark|py)$", name)
                and not path.exists()
                and not (folder / name).exists()
            ):
                missing.append(f"{name} in {folder.relative_to(ROOT)}")
    assert missing == []


def test_every_folder_is_on_the_architecture_page() -> None:
    (tree,) = [
        block
        for block in blocks(DOCS / "development" / "architecture.md", "")
        if block.startswith("grammar/")
    ]
    shown: set[str] = set()
    above: list[str] = []
    for indent, folder in re.findall(r"^( *)([.\w]+)/ ", tree, re.MULTILINE):
        above[len(indent) // 2 :] = [folder]
        shown.add("/".join(above))
    packages = {"/".join(module.path.parent.relative_to(ROOT).parts) for module in MODULES}
    assert sorted(packages - shown) == []
    assert [folder for folder in shown if not (ROOT / folder).is_dir()] == []


def test_the_commands_of_the_page_on_the_history(tmp_path: Path) -> None:
    page = DOCS / "history.md"
    setting, *typed = blocks(page, "sh")
    run(setting, tmp_path, MQSC_STORE="sqlite:///shop.db")
    user = re.compile(r"(?<=user )\w+|(?<=User Identifier              : )\w+")
    printed = [
        user.sub("anna", run(each, tmp_path, MQSC_STORE="sqlite:///shop.db")).strip()
        for each in typed
    ]
    assert printed == [each.strip() for each in blocks(page, "text")]


def test_the_calls_of_the_page_on_rest(tmp_path: Path) -> None:
    if which("curl") is None:
        pytest.skip("curl is not installed")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    typed, *_ = blocks(DOCS / "rest.md", "sh")
    shown, *_ = blocks(DOCS / "rest.md", "text")
    assert run(typed.replace("9443", port), tmp_path) == shown


def test_the_keys_of_a_commit_are_those_of_the_page(tmp_path: Path) -> None:
    shell("mqsc qmgr create QM1 && mqsc archive --to history", tmp_path)
    (file,) = tmp_path.glob("history/store=*/_commits/*.json")
    page = (DOCS / "archive-files.md").read_text("utf-8")
    keys = re.findall(
        r"`(\w+)`",
        "".join(re.findall(r"^\| (`.*?) \|", page.rpartition("| key |")[2], re.MULTILINE)),
    )
    commit = json.loads(file.read_text())
    assert sorted(keys) == sorted(commit)
    assert set(commit["files"][0]) == {"path", "day", "rows", "bytes", "sha256", "file_sha256"}


def test_the_commands_of_the_page_on_batches_in_doubt(tmp_path: Path) -> None:
    typed = "".join(blocks(DOCS / "channels-in-doubt.md", "sh"))
    printed = shell(typed, tmp_path)
    assert "QM2 has committed it." in printed
    assert "QM2 has not committed this batch." in printed
    ordered = ["two coffees", "one tea", "a cake", "a biscuit"]
    assert [
        line for line in printed.splitlines() if line.startswith(("two", "one", "a "))
    ] == ordered
    in_doubt, last = re.findall(r"CURLUWID\((\w+)\)|LSTLUWID\((\w+)\)", printed)
    assert in_doubt[0] == last[1]


def test_the_plan_shown_is_that_of_a_script(tmp_path: Path) -> None:
    shown = re.search(
        r"\$ (mqsc run --plan orders\.mqsc)\n(.*?)```",
        (DOCS / "plan.md").read_text("utf-8"),
        re.DOTALL,
    )
    assert shown is not None
    (tmp_path / "orders.mqsc").write_text(
        "DEFINE QLOCAL(ORDERS) +\nDESCR('Orders that come in') +\nMAXDEPTH(10)\n"
        "ALTER QLOCAL(PAYMENTS) MAXDEPTH(200)\n*\n"
        "DEFINE PROCESS(BILLING) REPLACE\n*\n"
        "DELETE QLOCAL(OLD.ORDERS) PURGE\nCLEAR QLOCAL(SCRATCH)\nALTER QLOCAL(ODRERS) "
        "GET(ENABLED)\n",
    )
    shell(
        "mqsc run -c 'DEFINE QLOCAL(PAYMENTS)' -c 'DEFINE PROCESS(BILLING)' -c 'DEFINE "
        "QLOCAL(OLD.ORDERS)' "
        "-c 'DEFINE QLOCAL(SCRATCH)' && mqsc put OLD.ORDERS x --count 3 && mqsc put SCRATCH x "
        "--count 17",
        tmp_path,
    )
    assert shell(f"{shown[1]} 2>&1 || test $? = 10", tmp_path) == shown[2]


def test_the_sample_of_two_queue_managers(tmp_path: Path) -> None:
    printed = shell(f"sh {ROOT}/samples/channels.sh", tmp_path)
    assert "two croissants\n" in printed
    assert '"feedback": 259' in printed

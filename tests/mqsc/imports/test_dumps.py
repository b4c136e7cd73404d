"""Several dumps of one queue manager, and what they have in common."""

from __future__ import annotations

from pathlib import Path

from tests.mqsc.conftest import Command
from tests.mqsc.imports.history import events, short
from tests.mqsc.imports.test_definitions import BERLIN, HEADING, QUEUE, REAL, dumped, exported


def heading(day: str) -> str:
    """The heading of a dump of that day."""
    return HEADING.replace("2026-03-01", day)


def test_a_dump_from_the_future_is_not_compared(mqsc: Command) -> None:
    """The clock of its host was wrong. Dumps before and after it are compared with each other."""
    dumped(mqsc, HEADING + QUEUE, *BERLIN)
    odd = dumped(mqsc, heading("2099-03-01") + QUEUE.replace("(10)", "(15)"), *BERLIN)
    assert "dump.mqsc:9: the time 2099-03-01T09:00:00Z cannot be right" in odd.out
    dumped(mqsc, heading("2026-03-08") + QUEUE.replace("(10)", "(20)"), *BERLIN)
    found = [each for each in events(mqsc, *REAL) if "after" in each["detail"]]
    assert [(each["at"], each["detail"]["MAXDEPTH"]) for each in found] == [("2026-03-08T09:00:00Z", [10, 20])]


def test_a_record_of_authorities_for_each_of_several_groups(mqsc: Command) -> None:
    record = "SET AUTHREC PROFILE('ORDERS') OBJTYPE(QUEUE) GROUP('shop'{}) AUTHADD(GET)\n"
    dumped(mqsc, HEADING + QUEUE + record.format(",'depot'"), *BERLIN)
    found = events(mqsc, *REAL, "--kind", "SET")
    assert [each["detail"]["GROUP"] for each in found] == [[None, ["shop"]], [None, ["depot"]]]
    dumped(mqsc, heading("2026-03-08") + QUEUE + record.format(""), *BERLIN)
    (gone,) = events(mqsc, *REAL, "--kind", "DELETE")
    assert gone["detail"]["GROUP"] == [["depot"], None]


def test_passwords_that_are_given_again_are_no_change(mqsc: Command) -> None:
    secrets = (
        "DEFINE CHANNEL('C') CHLTYPE(SDR) CONNAME('h') XMITQ('X') PASSWORD('s3cr3t') REPLACE\n"
        "DEFINE AUTHINFO('L') AUTHTYPE(IDPWLDAP) CONNAME('h') SHORTUSR('uid') LDAPPWD('s3cr3t') REPLACE\n"
    )
    dumped(mqsc, HEADING + secrets)
    before = mqsc("history", "--format", "jsonl").rows
    assert dumped(mqsc, HEADING + secrets).lines[-1] == "dump.mqsc (dmpmqcfg): 2 unchanged imported into SHOP"
    assert mqsc("history", "--format", "jsonl").rows == before


def test_an_object_that_comes_back_with_another_type(mqsc: Command) -> None:
    alias = "DEFINE QALIAS('ORDERS') TARGET('NEW') REPLACE\nDEFINE QLOCAL('NEW') REPLACE\n"
    dumped(mqsc, HEADING + QUEUE, *BERLIN)
    mqsc("put", "ORDERS", "x", "-m", "SHOP")
    kept = dumped(mqsc, heading("2026-03-08") + alias, *BERLIN)
    assert (kept.code, "QALIAS(ORDERS): AMQ8151E" in kept.err, len(exported(mqsc))) == (10, True, 1)
    mqsc("run", "-c", "CLEAR QLOCAL(ORDERS)", "-m", "SHOP")
    assert dumped(mqsc, heading("2026-03-08") + alias, *BERLIN).code == 0
    assert exported(mqsc) == ["DEFINE QLOCAL('NEW') REPLACE", "DEFINE QALIAS('ORDERS') TARGET('NEW') REPLACE"]
    found = [each for each in events(mqsc, *REAL) if "after" in each["detail"]]
    assert short(found)[0] == "ALTER ORDERS QALIAS"
    # A script is refused, as MQ refuses it.
    assert dumped(mqsc, QUEUE, "-m", "SHOP").code == 10


def test_the_dumps_of_a_folder_are_imported_by_their_time(mqsc: Command) -> None:
    Path("dumps").mkdir()
    for name, day, depth in (("a", "08", 20), ("b", "01", 10), ("c", "15", 30)):
        content = heading(f"2026-03-{day}") + QUEUE.replace("(10)", f"({depth})")
        Path(f"dumps/{name}.mqsc").write_text(content, encoding="utf-8")
    planned = mqsc("import", "dumps", *BERLIN, "--plan").lines
    assert [line.replace("would be imported", "imported") for line in planned] == mqsc("import", "dumps", *BERLIN).lines
    assert [line for line in planned if "MAXDEPTH" in line] == []
    assert "MAXDEPTH(30)" in exported(mqsc)[0]
    assert [each["detail"]["MAXDEPTH"] for each in events(mqsc, *REAL) if "after" in each["detail"]] == [
        [10, 20], [20, 30],
    ]  # fmt: skip

"""`mqsc doctor`: checks the store and what it needs, says what to do, and repairs what is safe to
repair.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext
from typing import Any

import click

from mqsc.console import target
from mqsc.console.json_rows import print_data
from mqsc.console.options import Choices, command
from mqsc.console.terminal import print_line
from mqsc.store import open_store
from mqsc.store.admin import health, store_repair
from mqsc.store.error import (
    DamagedStoreError,
    MissingStoreError,
    NotADatabaseError,
    StoreError,
    UnreadableStoreError,
)
from mqsc.store.rules.health import Finding, Severity, findings
from mqsc.store.sqlite.untouched import must_stay_as_it_is

RESTORE = "restore a backup with `mqsc restore FILE`"
# A restored backup would be older than the file.
TRY_AGAIN = "every page of the file can be read now, so no backup is needed: check the disk"
# Where a finding begins, after its severity and its check.
INDENT = " " * 19


@command()
@click.option("--repair", is_flag=True, help="First repair what is safe to repair.")
def doctor(choices: Choices, repair: bool) -> int:
    """Check the store and what it needs, and say what to do about each finding.

    With --repair, the work of dead programs is backed out, wrong depths are corrected, free space
    is returned and the log is truncated. The exit code is 0 when all is well, 2 when there is
    advice, and 10 when there are errors.
    """
    if choices.store_is_missing():
        raise MissingStoreError(target.path_of_file(choices))
    reported = [
        *_store_findings(choices, repair),
        *(("reports", finding) for finding in report_findings()),
    ]
    if not print_data(choices.format, (_as_row(name, finding) for name, finding in reported)):
        for name, finding in reported:
            if finding.severity or not choices.quiet:
                _print_findings(name, finding)
    return max(finding.severity for _, finding in reported)


def _store_findings(choices: Choices, repair: bool) -> Iterator[tuple[str, Finding]]:
    """The findings about the store; one error when it is too damaged to be opened or read."""
    path = target.path_of_file(choices)
    original = path if must_stay_as_it_is(path) and not repair else ""
    try:
        with (
            target.unchanged(choices) if original else nullcontext(choices) as opened,
            open_store(opened.store_url(), create=False) as store,
        ):
            target.inform_about_undone_restore(choices, store)
            if choices.user_name() is not None:
                target.act_as(store, choices, for_users=False)
            facts = health.facts_about(store, original)
            if not facts.damage:
                target.check_named(store, choices)
            # Changes could make a damaged file worse.
            if repair and not facts.damage:
                for sentence in store_repair.repair(store):
                    choices.inform(f"mqsc: {sentence}")
                facts = health.facts_about(store)
            yield from findings(facts)
    except UnreadableStoreError as error:
        faults = health.faults_of_file(target.path_of_file(choices))
        yield "store", Finding(Severity.ERROR, str(error), RESTORE if faults else TRY_AGAIN)
        for each in faults:
            yield "integrity", Finding(Severity.ERROR, f"the file is damaged: {each}", RESTORE)
    except DamagedStoreError as error:
        yield "store", Finding(Severity.ERROR, str(error), RESTORE)
        for each in health.faults_of_file(target.path_of_file(choices)):
            yield "integrity", Finding(Severity.ERROR, f"the file is damaged: {each}", RESTORE)
    except NotADatabaseError as error:
        yield "store", Finding(Severity.ERROR, str(error), f"if it was a store, {RESTORE}")
    except StoreError as error:
        # The store may be whole, and a backup is older.
        yield "store", Finding(Severity.ERROR, str(error))


def report_findings() -> list[Finding]:
    """Whether `mqsc report` can run; it is optional, so a missing part is not advice."""
    from mqsc.reports.errors import ReportError, missing_library
    from mqsc.reports.java_runtime import java_home, version_of

    missing = missing_library()
    if missing:
        return [
            Finding(
                Severity.OK,
                f"not available: {missing} is not installed (in the source tree of mqsc, run: "
                "pip install '.[reports]')",
            ),
        ]
    try:
        home = java_home()
    except ReportError as error:
        return [Finding(Severity.ADVICE, "Spark finds no Java runtime", str(error))]
    return [Finding(Severity.OK, f"available, with Java {version_of(home)} in {home}")]


def _as_row(name: str, finding: Finding) -> dict[str, Any]:
    severity = finding.severity.name.lower()
    return {
        "check": name,
        "severity": severity,
        "finding": finding.text,
        "remedy": finding.remedy or None,
    }


def _print_findings(name: str, finding: Finding) -> None:
    print_line(f"{finding.severity.name.lower():6}  {name:9}  {finding.text}", INDENT)
    if finding.remedy:
        print_line(f"{INDENT}→ {finding.remedy}", f"{INDENT}  ")

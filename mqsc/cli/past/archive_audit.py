"""The audit of an archive: the sums by Spark, a certificate, and what has become of what was
certified.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mqsc.cli.past.audit_text import audit_rows, finding_text, show_audit
from mqsc.console import target
from mqsc.console.archive_errors import archive_errors
from mqsc.console.inputs import InputError
from mqsc.console.json_rows import print_rows
from mqsc.console.options import Choices
from mqsc.console.parameters import iso
from mqsc.console.replaced_file import write_whole
from mqsc.console.text.reasons import counted
from mqsc.store.environment import Environment
from mqsc.store.past.accounts import QueueSums
from mqsc.store.past.audit import AuditResult
from mqsc.store.past.places import CAME, WENT
from mqsc.store.past.state_comparison import Finding
from mqsc.store.rules.names import prefix_range
from mqsc.version import __version__

if TYPE_CHECKING:
    from mqsc.reports.audit import Audited
    from mqsc.reports.certificate import LiveStore, Part


def result_about(result: AuditResult, queue: str | None, qmgr: str | None) -> AuditResult:
    """The result for some queues; what is about no queue, such as a missing event, stays."""
    low, high = prefix_range(queue) if queue else ("", "")

    def is_chosen(item: Finding | QueueSums) -> bool:
        named = not queue or (low <= item.queue and (not high or item.queue < high))
        return not item.queue or (named and qmgr in (None, item.qmgr))

    findings, sums = (
        [each for each in found if is_chosen(each)] for found in (result.findings, result.sums)
    )
    return result._replace(findings=findings, sums=sums)  # type: ignore[arg-type]


@contextmanager
def _live(choices: Choices, *, needed: bool = False) -> Iterator[target.FrozenStore | None]:
    """The store, if one is named; it is closed in the block."""
    if needed or choices.named_store():
        with target.frozen_store(choices, lambda store: None) as frozen:
            yield frozen
    else:
        yield None


@contextmanager
def _errors(*, with_spark: bool) -> Iterator[None]:
    """Exit code 20 if a library or the archive is missing, 10 if Spark fails or the archive
    cannot be read.
    """
    from mqsc.reports.errors import ReportError, ReportFailedError, missing_library

    if with_spark and (missing := missing_library()):
        raise target.NothingRunError(
            f"an archive needs {missing}, which is not installed; in the source tree of mqsc, run: "
            "pip install '.[reports]'",
        )
    with (
        target.failing(ReportError, target.NothingRunError),
        target.failing(ReportFailedError),
        archive_errors(),
    ):
        yield


def audit_archive(
    choices: Choices,
    url: str,
    where: tuple[Path | None, Path | None],
    queue: str | None,
) -> int:
    out, key_file = where
    with _errors(with_spark=True), _live(choices) as frozen:
        from mqsc.reports.audit import audited
        from mqsc.reports.certificate import FILE, archived_parts, key_in, live_part
        from mqsc.reports.sources import NO_LIVE_STORE, Archived, sources

        if out is not None and (out / FILE).exists():
            raise target.NothingRunError(f"{out / FILE} exists already; name another folder")
        key = b"" if key_file is None else key_in(key_file)
        parts, wrong = archived_parts(url)
        if wrong:
            return _shown_faults(choices, wrong)
        if frozen is None:
            read = sources(None, NO_LIVE_STORE, [url])
        else:
            store, pruned, _ = frozen.archived
            read = sources(Path(str(frozen.path)), frozen.bound, [url], Archived(store, pruned))
            live = live_part(_live_store(frozen), read.after)
            parts += [] if live is None else [live]
        archive_result = audited(read)
        result = _result(archive_result, parts)
        if out is not None:
            _certify(choices, (out, key), archive_result, result, parts)
    return show_audit(choices, result_about(result, queue, choices.qmgr_name()))


def _live_store(frozen: target.FrozenStore) -> LiveStore:
    from mqsc.reports.certificate import LiveStore

    store, pruned, _ = frozen.archived
    return LiveStore(Path(str(frozen.path)), store, pruned, frozen.bound.seq)


# Columns of the balance that are sums of an audit.
_SUMS = {
    "put": ("put",),
    "moved_in": ("moved_in",),
    "got": ("got",),
    "held": ("held",),
    "withdrawn": ("backed_out",),
    "expired": ("expired",),
    "discarded": ("discarded", "dropped"),
    "cleared": ("cleared",),
    "moved_out": ("moved_out",),
    "dead_lettered": ("dead_lettered",),
    "forwarded": ("requeued", "forwarded"),
}


def _result(audited: Audited, parts: Sequence[Part]) -> AuditResult:
    sums, findings = [], []
    for counts in audited.balance.to_pylist():
        of_queue = {
            name: sum(counts[each] or 0 for each in _SUMS.get(name, ())) for name in (*CAME, *WENT)
        }
        left = sum(of_queue[name] for name in CAME) - sum(of_queue[name] for name in WENT)
        # Of an archive alone it is not known what is there.
        there = left if counts["there"] is None else counts["there"]
        unknown = "ACCTQ(OFF)" if counts["unrecorded"] else ""
        queue_sums = QueueSums(counts["qmgr"], counts["queue"], of_queue, there, unknown, False)
        sums.append(queue_sums)
        if not unknown and (left != there or there < 0):
            what = f"{left} messages should be there, but {max(there, 0)} are"
            findings.append(Finding(what, queue_sums.qmgr, queue_sums.queue))
    for counts in audited.messages.to_pylist():
        there = "" if counts["there"] is None else f", and is there {counts['there']} times"
        events = tuple(
            sorted(
                {counts[name] for name in ("first_event", "last_event") if counts[name] is not None}
            ),
        )
        what = f"came {counts['came']} times, went {counts['went']} times{there}"
        findings.append(
            Finding(what, counts["qmgr"], counts["queue"], bytes.fromhex(counts["msg_id"]), events),
        )
    first = min((each.first for each in parts), default=1)
    last = max((each.last for each in parts), default=0)
    return AuditResult(findings, sums, first, last)


def _certify(
    choices: Choices,
    where: tuple[Path, bytes],
    audited: Audited,
    result: AuditResult,
    parts: Sequence[Part],
) -> None:
    """Write the certificate, signed if there is a key, and its page to a folder."""
    out, key = where
    from mqsc.reports.audit import page_of
    from mqsc.reports.certificate import FILE, certificate
    from mqsc.reports.page.document import Source

    created = iso(Environment.system().clock.now())
    queues, findings = (
        [row for row in audit_rows(result) if row["type"] == kind] for kind in ("queue", "finding")
    )
    text = certificate(parts, queues, findings, created, __version__, key)
    facts = [(str(each).capitalize(), each.proof) for each in parts] + [
        ("Certificate", json.loads(text)["sha256"]),
    ]
    sentence = (
        f"{counted(len(findings), 'finding') if findings else 'Nothing is missing or too much'}."
    )
    source = Source(", ".join(dict.fromkeys(each.name for each in parts)), created, sentence, facts)
    page = page_of(audited, source, [finding_text(each) for each in result.findings])
    try:
        out.mkdir(parents=True, exist_ok=True)
        # The certificate last: a folder that has one is complete.
        with target.failing(InputError):
            write_whole(out / "index.html", page.encode())
            write_whole(out / FILE, text.encode("utf-8", "surrogatepass"))
    except OSError as error:
        raise target.CommandFailedError(f"{out}: {error.strerror}") from error
    choices.inform(f"mqsc: the certificate is {out / FILE}, with its page {out / 'index.html'}")


def verify_certificate(choices: Choices, given: Path, url: str | None, key: Path | None) -> int:
    if url is None and not choices.named_store():
        raise click.UsageError(
            "--verify needs --archive, --store or both, to compare the certificate with",
        )
    if not given.exists():
        raise target.CommandFailedError(f"there is no certificate {given}")
    with _errors(with_spark=False), _live(choices) as frozen:
        from mqsc.reports.certificate import FILE, checked, key_in, read

        file = given / FILE if given.is_dir() else given
        if not file.exists():
            raise target.CommandFailedError(f"there is no {FILE} in the folder {given}")
        certified = read(file, b"" if key is None else key_in(key))
        live = None if frozen is None else _live_store(frozen)
        comparison = checked(certified["parts"], url, live)
    if not comparison.same and not comparison.faults:
        comparison.faults.append("what was named has none of the events that were reconciled")
    texts = [f"{each} are as reconciled" for each in comparison.same] + [
        f"{each} are not checked" for each in comparison.unchecked
    ]
    row = {"certificate": str(file), **comparison._asdict()}
    number = len(certified["findings"])
    if key:
        signed = "signed with that key"
    elif certified["hmac"]:
        signed = "signed, which --key checks"
    else:
        signed = "not signed"
    had = (
        f"the reconciliation of {certified['created']} had "
        f"{counted(number, 'finding') if number else 'no findings'}"
    )
    print_rows(
        choices.format, [row], [*texts, *comparison.faults, f"the certificate is {signed}", had]
    )
    return target.FAILED if comparison.faults else 0


def _shown_faults(choices: Choices, wrong: Sequence[str]) -> int:
    rows = ({"type": "archive", "what": each} for each in wrong)
    print_rows(
        choices.format,
        rows,
        [*wrong, "the archive is not what was committed, so it is not reconciled"],
    )
    return target.FAILED

"""The certificate of an audit: what was audited, proved by the hashes of the archive and of the
events of the store.

Its own hash finds mistakes and hasty changes. Who can rewrite it and the archive can make another
one that fits, unless it is signed with a key that they do not have (HMAC with SHA-256), or its hash
is kept elsewhere.
"""

import hashlib
import hmac
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.compute as pc  # type: ignore[import-untyped]

from mqsc.reports.archive import commit_files, writing
from mqsc.reports.archive.content import ContentHash, tables
from mqsc.reports.archive.place import Place, existing_place
from mqsc.reports.archive.verifying import VerifiedStore, verify
from mqsc.reports.errors import ArchiveError
from mqsc.reports.held_rows import KeyRange, held_rows

FORMAT = 1
FILE = "certificate.json"
# Fewer bytes could be guessed.
SHORTEST_KEY = 16
# Events that are hashed at once.
_PAGE = 200_000


class Part(NamedTuple):
    """Events of a store that were audited, in an archive or in the store itself.

    `proof` is the hash of the archive's last commit, or of the content of these events.
    """

    store: str
    name: str
    first: int
    last: int
    is_archived: bool
    proof: str

    def __str__(self) -> str:
        return f"events {self.first} to {self.last} of {self.name}"


class LiveStore(NamedTuple):
    """The file of a store, its UUID in archives, up to which event it was pruned, and its last
    event.
    """

    path: Path
    store: str
    pruned: int
    last: int


def archived_parts(url: str) -> tuple[list[Part], list[str]]:
    """What is in an archive, after all of it was verified, and what is wrong with it.

    A store without events is no part.
    """
    verified = verify(url)
    wrong = [f"{problem.path}: {problem.text}" for store in verified for problem in store.problems]
    return ([] if wrong else [_archived(url, each) for each in verified if each.last]), wrong


def _archived(url: str, verified: VerifiedStore) -> Part:
    head = writing.head(url, verified.store)
    return Part(verified.store, verified.name, 1, verified.last, True, head.sha256 if head else "")


def live_part(live: LiveStore, after: int) -> Part | None:
    """The events of a store after those in the archive; None if there are none.

    The last event of a store is then lower than that of the archive if the store was pruned.
    """
    if live.last <= after:
        return None
    proof = _hash(_of_store(live.path, after, live.last))
    return Part(live.store, live.path.name, after + 1, live.last, False, proof)


def certificate(
    parts: Iterable[Part],
    queues: Sequence[Any],
    findings: Sequence[Any],
    created: str,
    version: str,
    key: bytes = b"",
) -> str:
    """The text of a certificate, signed if there is a key."""
    rows: dict[str, Any] = {
        "format": FORMAT,
        "program": "mqsc",
        "version": version,
        "created": created,
        "parts": [part._asdict() for part in parts],
        "queues": queues,
        "findings": findings,
    }
    rows["sha256"] = _sum(rows)
    return _text({**rows, "hmac": _signature(rows, key)} if key else rows)


def key_in(path: Path) -> bytes:
    """The key in a file: its bytes. ArchiveError if it cannot be read or is too short."""
    try:
        key = path.read_bytes()
    except OSError as error:
        raise ArchiveError(f"{path}: {error.strerror}") from error
    if len(key) < SHORTEST_KEY:
        raise ArchiveError(
            f"{path} has {len(key)} bytes; a key needs {SHORTEST_KEY}, such as 32 from "
            "/dev/urandom",
        )
    return key


def read(path: Path, key: bytes = b"") -> dict[str, Any]:
    """The content of a certificate. ArchiveError if it cannot be read, is none, was changed or,
    with a key, was not signed with that key.
    """
    try:
        rows = json.loads(path.read_text("utf-8"))
        parts = [Part(**part) for part in rows["parts"]]
        signature = rows.pop("hmac", "")
        said = rows.pop("sha256")
        number = rows["format"]
        _ = rows["created"], len(rows["findings"]), [part.first + part.last for part in parts]
    except OSError as error:
        raise ArchiveError(f"{path}: {error.strerror}") from error
    except (ValueError, KeyError, TypeError) as error:
        raise ArchiveError(f"{path} is not a certificate of mqsc reconcile") from error
    if number != FORMAT:
        raise ArchiveError(f"{path} has the format {number}, this version of mqsc knows {FORMAT}")
    for part in parts:
        if not 1 <= part.first <= part.last:
            raise ArchiveError(
                f"{path} has a part without events ({part.first} to {part.last} of {part.name})",
            )
    if said != _sum(rows):
        raise ArchiveError(
            f"{path} was changed after it was made: its hash does not fit its content",
        )
    if key and not hmac.compare_digest(
        str(signature).encode(),
        _signature({**rows, "sha256": said}, key).encode(),
    ):
        raise ArchiveError(
            f"{path} was not signed with that key" if signature else f"{path} is not signed",
        )
    return {**rows, "parts": parts, "sha256": said, "hmac": signature}


class Checked(NamedTuple):
    """What is wrong, which events are those that were audited, and which could not be compared."""

    faults: list[str]
    same: list[str]
    unchecked: list[str]


def checked(parts: Sequence[Part], url: str | None, live: LiveStore | None) -> Checked:
    """Compare what was audited with an archive, all of which is verified, with a store, or with
    both.

    Events that the store had may be in the archive meanwhile.
    """
    comparison = Checked(archived_parts(url)[1] if url else [], [], [])
    # What an archive with a fault holds is not known.
    place = existing_place(url) if url and not comparison.faults else None
    for part in parts:
        if part.is_archived:
            is_same = (
                any(commit.sha256 == part.proof for commit in _commits(place, part.store))
                if place
                else None
            )
        else:
            now = _current_hash(part, place, live)
            is_same = None if now is None else now == part.proof
        if is_same is None:
            comparison.unchecked.append(str(part))
        elif is_same:
            comparison.same.append(str(part))
        else:
            comparison.faults.append(f"{part} are not those that were reconciled")
    return comparison


def _commits(place: Place | None, store: str) -> list[commit_files.Commit]:
    return commit_files.commits(place, store) if place and store else []


def _current_hash(part: Part, place: Place | None, live: LiveStore | None) -> str | None:
    """The hash of the events of a part as they are now; None if not all of them are there."""
    archived = _commits(place, part.store)
    after = min(max((commit.last for commit in archived), default=0), part.last)
    pages = (
        [_of_archive(place, archived, part.first - 1, after)]
        if place and after >= part.first
        else []
    )
    start = max(after, part.first - 1)
    if start < part.last:
        if live is None or live.store != part.store or live.pruned > start or live.last < part.last:
            return None
        pages.append(_of_store(live.path, start, part.last))
    return _hash(table for page in pages for table in page)


def _of_store(path: Path, after: int, last: int) -> Iterator[pa.Table]:
    for start in range(after, last, _PAGE):
        yield from held_rows(path, [KeyRange("event", str(path), start, min(start + _PAGE, last))])


def _of_archive(
    place: Place,
    commits: Iterable[commit_files.Commit],
    after: int,
    last: int,
) -> Iterator[pa.Table]:
    for commit in commits:
        if commit.last > after and commit.first <= last and commit.files:
            rows = pa.concat_tables(
                [page for file in commit.files for page in tables(place, file.path)],
            ).sort_by("seq")
            numbers = rows["seq"]
            yield rows.filter(pc.and_(pc.greater(numbers, after), pc.less_equal(numbers, last)))


def _hash(pages: Iterable[pa.Table]) -> str:
    content = ContentHash()
    for page in pages:
        content.update(page)
    return content.hexdigest()


def _text(rows: Mapping[str, Any]) -> str:
    return json.dumps(rows, indent=1, ensure_ascii=False) + "\n"


def _sum(rows: Mapping[str, Any]) -> str:
    return hashlib.sha256(_text(rows).encode("utf-8", "surrogatepass")).hexdigest()


def _signature(rows: Mapping[str, Any], key: bytes) -> str:
    return hmac.digest(key, _text(rows).encode("utf-8", "surrogatepass"), "sha256").hex()

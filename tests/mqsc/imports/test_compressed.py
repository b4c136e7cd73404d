"""Compressed files that cannot be expanded: each is one sentence, and keeps no other from being
imported.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import struct
import zipfile
from pathlib import Path

import pytest

from tests.mqsc.conftest import Command
from tests.mqsc.imports.history import events
from tests.mqsc.imports.test_error_logs import BOUND
from tests.store.tables import named_rows

LOG = BOUND.encode()


def zipped(*members: tuple[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A zip file with these members."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", method) as archive:
        for name, data in members:
            archive.writestr(name, data)
    return made.getvalue()


def marked(archive: bytes, *, flags: int | None = None, method: int | None = None) -> bytes:
    """A zip file whose members say that they are encrypted, or compressed by another method."""
    changed = bytearray(archive)
    for begin, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        place = changed.find(begin)
        while place >= 0:
            for value, offset in ((flags, at), (method, at + 2)):
                if value is not None:
                    struct.pack_into("<H", changed, place + offset, value)
            place = changed.find(begin, place + 4)
    return bytes(changed)


def nested(count: int) -> bytes:
    """Data that was compressed so often: stored, because level 1 takes seconds for 3000."""
    data = LOG
    for _ in range(count):
        data = gzip.compress(data, 0)
    return data


def cut(data: bytes) -> bytes:
    return data[: len(data) // 2]


def flipped(data: bytes) -> bytes:
    """The data with one bit changed in its middle."""
    changed = bytearray(data)
    changed[len(data) // 2] ^= 4
    return bytes(changed)


ONE = zipped(("a.log", LOG))


@named_rows(
    ("password", marked(ONE, flags=1), "it needs a password"),
    ("aes", marked(ONE, flags=1, method=99), "expand it first"),
    ("deflate64", marked(ONE, method=9), "by a method that is not known here"),
    ("zstd in zip", marked(ONE, method=93), "by a method that is not known here"),
    ("nested", nested(3000), "compressed more than 3 times"),
    (
        "nested zip",
        zipped(("a", zipped(("b", zipped(("c", zipped(("d", LOG)))))))),
        "compressed more than 3 times",
    ),
    ("zip cut", cut(ONE), "cannot be read"),
    ("zip flipped", flipped(ONE), "damaged"),
    ("bz2 in zip", flipped(zipped(("a", LOG * 9), method=zipfile.ZIP_BZIP2)), "damaged"),
    ("lzma in zip", flipped(zipped(("a", LOG * 9), method=zipfile.ZIP_LZMA)), "damaged"),
    ("gz cut", cut(gzip.compress(LOG)), "damaged"),
    ("bz2 cut", cut(bz2.compress(LOG)), "damaged"),
    ("bz2 flipped", flipped(bz2.compress(LOG)), "damaged"),
    ("xz cut", cut(lzma.compress(LOG)), "damaged"),
    ("xz flipped", flipped(lzma.compress(LOG)), "damaged"),
    ("xz beginning", b"\xfd7zXZ\0" + b"\xff" * 40, "damaged"),
    ("zstd", b"\x28\xb5\x2f\xfd" + b"\0" * 40, "it is compressed with zstd, which is not read"),
    ("7-Zip", b"7z\xbc\xaf\x27\x1c" + b"\0" * 40, "it is an archive of 7-Zip"),
    ("tar", b"a.log".ljust(257, b"\0") + b"ustar\0", "it is a tar archive"),
    ("tar.gz", gzip.compress(b"a.log".ljust(257, b"\0") + b"ustar\0"), "it is a tar archive"),
)
def test_a_sentence_for_what_cannot_be_expanded(
    mqsc: Command,
    content: bytes,
    words: str,
) -> None:
    Path("packed").write_bytes(content)
    Path("AMQERR01.LOG").write_bytes(LOG)
    ended = mqsc("import", "packed", "AMQERR01.LOG", "-m", "SHOP")
    said = [line for line in ended.err.splitlines() if words in line]
    assert (ended.code, len(said), said[0].startswith("mqsc: packed")) == (10, 1, True)
    assert len(events(mqsc)) == 1


@pytest.mark.parametrize("depth", range(4))
def test_what_was_compressed_a_few_times_is_read(mqsc: Command, depth: int) -> None:
    Path("packed").write_bytes(nested(depth))
    assert mqsc("import", "packed", "-m", "SHOP").code == 0


def test_a_member_that_cannot_be_expanded_keeps_no_other_from_it(mqsc: Command) -> None:
    Path("all.zip").write_bytes(
        zipped(
            ("a.log.gz", cut(gzip.compress(LOG))),
            ("b.zip", marked(ONE, flags=1)),
            ("c.log", LOG),
            ("d", b"PK\3\4"),
        ),
    )
    ended = mqsc("import", "all.zip", "-m", "SHOP")
    assert (ended.code, len(events(mqsc))) == (10, 1)
    assert [line.split(" ")[1] for line in ended.err.splitlines()] == [
        "all.zip:a.log.gz:",
        "all.zip:b.zip:a.log",
        "all.zip:d",
    ]


def test_members_of_one_name(mqsc: Command) -> None:
    with pytest.warns(UserWarning, match="Duplicate name"):
        Path("all.zip").write_bytes(
            zipped(("a.log", LOG), ("a.log", LOG.replace(b"TO.QM2", b"TO.QM3"))),
        )
    assert mqsc("import", "all.zip", "-m", "SHOP").code == 0
    assert len(events(mqsc)) == 2

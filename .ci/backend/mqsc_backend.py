"""How the wheel is built (PEP 517): by setuptools, then with its SBOM, and so that the same tree
makes the same bytes.

SOURCE_DATE_EPOCH sets the time of the files in the wheel; without it all of them are of 1980.
"""

from __future__ import annotations

import base64
import csv
import hashlib
import io
import os
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from bill_of_materials import bill_of_materials
from setuptools import build_meta
from setuptools.build_meta import (
    build_editable as build_editable,
    build_sdist as build_sdist,
    get_requires_for_build_editable as get_requires_for_build_editable,
    get_requires_for_build_sdist as get_requires_for_build_sdist,
    get_requires_for_build_wheel as get_requires_for_build_wheel,
    prepare_metadata_for_build_editable as prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel as prepare_metadata_for_build_wheel,
)

# The first moment that a zip file can express.
EARLIEST = (1980, 1, 1, 0, 0, 0)
PLAIN_FILE = 0o100644
UNIX = 3


def build_wheel(
    wheel_directory: str,
    config_settings: Mapping[str, Any] | None = None,
    metadata_directory: str | None = None,
) -> str:
    """Build the wheel in this folder, and return its name. Called in the top of the tree."""
    with tempfile.TemporaryDirectory() as folder:
        name: str = build_meta.build_wheel(folder, config_settings, metadata_directory)
        with ZipFile(Path(folder) / name) as built:
            files = {each.filename: built.read(each) for each in built.infolist()}
    _, version, *_ = name.split("-")
    metadata = f"mqsc-{version}.dist-info"
    sbom = bill_of_materials(Path.cwd(), version)
    files[f"{metadata}/sboms/mqsc.cdx.json"] = sbom.encode("utf-8")
    record = f"{metadata}/RECORD"
    del files[record]
    # Archivers are advised to put metadata at the end, and RECORD last.
    ordered = sorted(files, key=lambda each: (each.startswith(metadata), each))
    files[record] = _record({each: files[each] for each in ordered}, record).encode("utf-8")
    with ZipFile(Path(wheel_directory) / name, "w", ZIP_DEFLATED) as wheel:
        for each in (*ordered, record):
            wheel.writestr(_entry(each), files[each])
    return name


def _entry(name: str) -> ZipInfo:
    entry = ZipInfo(name, _file_time())
    entry.create_system = UNIX
    entry.external_attr = PLAIN_FILE << 16
    entry.compress_type = ZIP_DEFLATED
    return entry


def _file_time() -> tuple[int, int, int, int, int, int]:
    seconds = os.environ.get("SOURCE_DATE_EPOCH")
    if seconds is None:
        return EARLIEST
    year, month, day, hour, minute, second, *_ = time.gmtime(int(seconds))
    return max(EARLIEST, (year, month, day, hour, minute, second))


def _record(files: Mapping[str, bytes], record: str) -> str:
    """The content of RECORD: each file with its hash and its size, and itself without."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    for name, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=")
        writer.writerow((name, f"sha256={digest.decode()}", len(content)))
    writer.writerow((record, "", ""))
    return text.getvalue()

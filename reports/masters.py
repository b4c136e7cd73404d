"""The masters that Spark can run on: this machine with its Java runtime and an archive of Spark's
classes, or a server.
"""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import socket
import subprocess
import sys
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from platformdirs import user_cache_path

from mqsc.reports.errors import ReportError, cause_of, failures

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


CONNECT = "sc://"
_WELL_FORMED = re.compile(r"local(\[ *(\*|[1-9][0-9]*) *(, *[0-9]+ *)?\])?")
_LOCAL = re.compile(r"local(\[[^\]]*\])?")
# The schemes whose masters are asked whether they answer, and their usual ports. Spark itself asks
# for minutes.
_PORTS: Mapping[str, int] = {"spark://": 7077, CONNECT: 15002}
# What Spark calls the file systems that pyarrow calls so.
HADOOP_SCHEMES: Mapping[str, str] = {"s3": "s3a", "gs": "gs", "gcs": "gs"}
_PATIENCE_SECONDS = 5.0
_SETTING = re.compile(r"(spark\.[^=\s]+)=(.*)", re.DOTALL)
# Settings that have an option of their own, or that a report could not work with.
_REFUSED: Mapping[str, str] = {
    "spark.master": "name the master with --master",
    "spark.remote": "name the Spark Connect server with --master sc://HOST:PORT",
    "spark.sql.session.timeZone": "reports are made in UTC",
}


def is_local(master: str) -> bool:
    """Whether a Spark with this master runs on this machine, in one process."""
    return bool(_LOCAL.fullmatch(master))


def has_context(spark: SparkSession) -> bool:
    """Whether this process has the driver of the session; Spark Connect has it elsewhere."""
    return hasattr(spark, "_jsparkSession")


def require_master(master: str) -> None:
    """ReportError for a text that is not the URL of a master."""
    if is_local(master):
        known = _WELL_FORMED.fullmatch(master)
    else:
        known = re.match(r"yarn$|local-cluster\[|[a-z][a-z0-9]*://.", master)
    if not known:
        raise ReportError(
            f"{master!r} is not a master of Spark; write local[4], spark://HOST:7077, yarn, "
            "k8s://URL or sc://HOST",
        )


def settings_of(assignments: Iterable[str]) -> dict[str, str]:
    """Settings of Spark, each given as KEY=VALUE. ReportError for another text and for one that
    cannot be chosen.
    """
    settings = {}
    for assignment in assignments:
        match = _SETTING.fullmatch(assignment)
        if match is None:
            raise ReportError(
                f"{assignment!r} is not a Spark setting; write it as spark.executor.memory=4g",
            )
        if match[1] in _REFUSED:
            raise ReportError(f"{match[1]} cannot be set: {_REFUSED[match[1]]}")
        settings[match[1]] = match[2]
    return settings


def require_archive(where: str, store: object) -> None:
    """ReportError if a store is to be read by a Spark that is not local; `where` is its master."""
    if store is not None:
        raise ReportError(
            f"Spark at {where} cannot read the store {store}, because only this machine can: "
            "archive it with "
            "mqsc archive --to URL, and make the report with --archive URL, without --store and "
            "MQSC_STORE",
        )


def require_answer(master: str) -> None:
    """ReportError if no program listens at the addresses of a master; those of other cluster
    managers are not asked.
    """
    scheme = next((scheme for scheme in _PORTS if master.startswith(scheme)), None)
    if scheme is None:
        return
    failures = []
    for host, port in _addresses(master, scheme):
        try:
            socket.create_connection((host, port), _PATIENCE_SECONDS).close()
        except (OSError, UnicodeError) as error:
            failures.append(f"{host}:{port}: {getattr(error, 'strerror', None) or error}")
        else:
            return
    what = "Spark Connect server" if scheme == CONNECT else "Spark master"
    raise ReportError(f"no {what} answers at {master} ({'; '.join(failures)})")


def _addresses(master: str, scheme: str) -> Iterator[tuple[str, int]]:
    # Several masters of a cluster are separated by commas; parameters of Spark Connect follow a
    # slash.
    for address in master.removeprefix(scheme).partition("/")[0].split(","):
        host, colon, port = address.rpartition(":")
        if not colon:
            host, port = address, str(_PORTS[scheme])
        if not host or not port.isdecimal() or int(port) not in range(1, 65536):
            raise ReportError(
                f"{master} is not the URL of a master; write it as {scheme}HOST:{_PORTS[scheme]}",
            )
        yield host.strip("[]"), int(port)


# Finds a Java runtime that Spark can run on.

OLDEST = 17
# Spark requires this module; a reduced runtime may lack it.
NEEDED_MODULE = "jdk.incubator.vector"
INSTALLED = (
    "/usr/lib/jvm/*",
    "/Library/Java/JavaVirtualMachines/*/Contents/Home",
    "/opt/homebrew/opt/openjdk*/libexec/openjdk.jdk/Contents/Home",
)
ADVICE = (
    f"reports need a Java runtime, version {OLDEST} or newer; install one (on Debian: "
    "openjdk-17-jre-headless) "
    "or name its folder in JAVA_HOME"
)


def java_home(installed: Iterable[str] = INSTALLED) -> Path:
    """The home of the first usable runtime: JAVA_HOME, the `java` on the PATH, then the folders
    `installed`.

    Raises ReportError, with what to install, if there is none.
    """
    refused = []
    for home in dict.fromkeys(_candidates(installed)):
        problem = problem_of(home)
        if not problem:
            return home
        refused.append(f"{home} {problem}")
    raise ReportError("; ".join([ADVICE, *refused]))


def problem_of(home: Path) -> str:
    """Why Spark cannot run on the runtime in this folder; empty if it can."""
    if not (home / "bin" / "java").is_file():
        return "has no bin/java"
    release = _release(home)
    version = re.search(r'JAVA_VERSION="(?:1\.)?(\d+)', release)
    if version is None:
        return "does not state its version"
    if int(version[1]) < OLDEST:
        return f"is version {version[1]}"
    modules = re.search(r'MODULES="([^"]*)"', release)
    if modules and NEEDED_MODULE not in modules[1].split():
        return f"lacks the module {NEEDED_MODULE}"
    return ""


def version_of(home: Path) -> str:
    """The full version of the runtime in this folder, such as 17.0.15."""
    version = re.search(r'JAVA_VERSION="([^"]*)"', _release(home))
    return version[1] if version else ""


def _candidates(installed: Iterable[str]) -> Iterator[Path]:
    named, java = os.environ.get("JAVA_HOME"), shutil.which("java")
    if named:
        yield Path(named)
    if java:
        yield Path(java).resolve().parent.parent
    for pattern in installed:
        found_there = Path("/").glob(pattern.lstrip("/"))
        yield from sorted(
            path.resolve() for path in found_there if (path / "bin" / "java").is_file()
        )


def _release(home: Path) -> str:
    """The file that describes a runtime; of one without it, the line with the version, from the
    runtime itself.
    """
    with suppress(OSError):
        if text := (home / "release").read_text("utf-8", "replace"):
            return text
    command = [str(home / "bin" / "java"), "-XshowSettings:properties", "-version"]
    try:
        answer = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    version = re.search(r"^ *java\.specification\.version = (\S+)", answer.stderr, re.MULTILINE)
    return f'JAVA_VERSION="{version[1]}"' if version else ""


# A session of Spark Connect: Spark, its driver and Java run on the server; this process is only a
# client.

PORT = 15002
PATIENCE_SECONDS = 20.0
# What Spark Connect needs at the client, beside what reports need.
LIBRARIES = ("grpc", "grpc_status", "zstandard", "pandas")


@contextmanager
def connected(server: str, settings: Mapping[str, str]) -> Iterator[SparkSession]:
    """A new session at a server, which is ended with the block. ReportError if the server does
    not give one.
    """
    missing = next((name for name in LIBRARIES if find_spec(name) is None), None)
    if missing:
        raise ReportError(
            f"Spark Connect needs {missing}, which is not installed; in the source tree of mqsc, "
            "run: pip install '.[connect]'",
        )
    _require_answer(server)
    try:
        spark = _new_remote_session(server, settings)
    except failures() as error:
        raise ReportError(f"no session at {server}: {cause_of(error)}") from error
    try:
        yield spark
    finally:
        spark.stop()


def _require_answer(server: str) -> None:
    """ReportError if what listens there is no server of gRPC: Spark's client would try again for
    minutes.
    """
    import grpc

    address, _, parameters = server.removeprefix(CONNECT).rstrip("/").partition("/")
    # With encryption the channel would need the same credentials as Spark's.
    if "use_ssl=true" in parameters.lower() or "token=" in parameters.lower():
        return
    with grpc.insecure_channel(address if ":" in address else f"{address}:{PORT}") as channel:
        try:
            grpc.channel_ready_future(channel).result(timeout=PATIENCE_SECONDS)
        except grpc.FutureTimeoutError as error:
            raise ReportError(f"what answers at {server} is no Spark Connect server") from error


def _new_remote_session(server: str, settings: Mapping[str, str]) -> SparkSession:
    from pyspark.sql import SparkSession

    spark = SparkSession.builder.remote(server).config(map=dict(settings)).create()
    # Asks the server, which creating the session does not.
    spark.conf.get("spark.sql.session.timeZone")
    return spark


# The archive of the Java classes that Spark loads, which saves Java from parsing and verifying them
# at every start.
#
# It is valid for one installation of Spark and one of Java. Its name ends with its size: Java 17
# does not start with an archive that is too short. Java itself checks the rest.

SUFFIX = ".jsa"
UNFINISHED = ".unfinished"
LOCK = "spark.lock"
# An archive has some 170 MB; do not fill the disk with it. Those of earlier installations are
# removed.
LEAST_FREE, MOST = 1_000_000_000, 2
# The environment variable that keeps sessions from making one.
SWITCH, OFF = "MQSC_CLASS_ARCHIVE", "off"


def folders() -> tuple[Path, ...]:
    """Where an archive may be: in the Python environment, and for those who cannot write there,
    in their cache.
    """
    return Path(sys.prefix) / "share" / "mqsc", user_cache_path("mqsc")


def class_archive(home: Path) -> Path | None:
    """The archive for this Spark and the Java in `home`; None if there is none that can be used."""
    archives = (path for folder in folders() for path in _named(folder, stem_of(home)))
    return next(filter(_is_complete, archives), None)


def stem_of(home: Path) -> str:
    """The beginning of the name of an archive. It changes when Spark or Java is installed again."""
    import pyspark

    jars, modules = Path(pyspark.__file__).parent / "jars", home / "lib" / "modules"
    times = [int(path.stat().st_mtime) for path in (jars, modules) if path.exists()]
    installation = zlib.crc32(f"{home} {jars} {times}".encode())
    return f"spark-{pyspark.__version__}-java-{version_of(home)}-{installation:08x}"


def is_switched_off() -> bool:
    """Whether the user wants no archive to be made."""
    return os.environ.get(SWITCH) == OFF


@contextmanager
def new_archive(home: Path) -> Iterator[Path | None]:
    """A file for Java to write the archive to; it is in use when the block ends without an error.

    None if there is an archive, another program is making one, no folder can take it, or the user
    wants none.
    """
    if is_switched_off() or class_archive(home) is not None:
        yield None
        return
    for folder in folders():
        with suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            if shutil.disk_usage(folder).free < LEAST_FREE:
                continue
            lock = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT, 0o600)
            break
    else:
        yield None
        return
    try:
        yield from _locked(folder, lock, stem_of(home))
    finally:
        os.close(lock)


def _locked(folder: Path, lock: int, stem: str) -> Iterator[Path | None]:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        yield None
        return
    # The Java of a killed program may still be writing its file.
    unfinished = folder / f"{stem}.{os.getpid()}{UNFINISHED}"
    _remove(folder.glob(f"*{UNFINISHED}"))
    try:
        yield unfinished
        with suppress(OSError):
            os.replace(unfinished, folder / f"{stem}-{unfinished.stat().st_size}{SUFFIX}")
            _remove(sorted(folder.glob(f"*{SUFFIX}"), key=os.path.getmtime)[:-MOST])
    finally:
        _remove([unfinished])


def _named(folder: Path, stem: str) -> list[Path]:
    with suppress(OSError):
        return sorted(folder.glob(f"{stem}-*{SUFFIX}"))
    return []


def _is_complete(path: Path) -> bool:
    try:
        status = path.stat()
    except OSError:
        return False
    # Never load another user's archive: Java would run its classes.
    return path.stem.rpartition("-")[2] == str(status.st_size) and status.st_uid in (
        0,
        os.geteuid(),
    )


def _remove(paths: Iterable[Path]) -> None:
    for path in paths:
        with suppress(OSError):
            path.unlink()

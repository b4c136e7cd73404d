"""The masters that Spark can run on: this machine or a server."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from mqsc.reports.errors import ReportError

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

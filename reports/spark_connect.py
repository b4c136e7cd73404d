"""Sessions at a server of Spark Connect."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING

from mqsc.reports.errors import ReportError
from mqsc.reports.masters import CONNECT
from mqsc.reports.spark_errors import cause_of, failures

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


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

"""The executors that a cluster gives to a run."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING

from mqsc.reports.masters import has_context, is_local
from mqsc.reports.watching import watched_by

if TYPE_CHECKING:
    from pyspark import SparkContext
    from pyspark.sql import SparkSession

# A cluster that has a free worker gives an executor in a few seconds.
PATIENCE_SECONDS = 20.0
# What Spark asks for if nothing else is set.
_MEMORY = "1g"


@contextmanager
def awaited(
    spark: SparkSession,
    warn: Callable[[str], None],
    *,
    patience: float = PATIENCE_SECONDS,
) -> Iterator[None]:
    """Say in a sentence, from another thread, if the cluster of a session gives it no executor
    for `patience` seconds. The block keeps waiting: a worker can become free, or be started.
    """
    if not has_context(spark) or is_local(str(spark.sparkContext.master)):
        yield
        return
    with watched_by(partial(_warn_of_none, spark.sparkContext, warn, patience)):
        yield


def _warn_of_none(
    context: SparkContext,
    warn: Callable[[str], None],
    patience: float,
    over: threading.Event,
) -> None:
    if not over.wait(patience) and not _executors(context):
        warn(_sentence(context, patience))


def _executors(context: SparkContext) -> int:
    """How many there are; Spark counts the driver, too."""
    return len(context._jsc.sc().statusTracker().getExecutorInfos()) - 1


def _sentence(context: SparkContext, patience: float) -> str:
    memory = context.getConf().get("spark.executor.memory", _MEMORY)
    return (
        f"{context.master} has given no executor for {patience:.0f} seconds: none of its workers "
        f"has {memory} of memory and a processor free, which --conf spark.executor.memory=... "
        "changes; the run goes on waiting for one"
    )

"""Work in Spark that Ctrl-C ends."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from typing import TYPE_CHECKING, TypeVar

from mqsc.reports.masters import has_context

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


Returned = TypeVar("Returned")
# A job that starts just then is cancelled the next time.
AGAIN_SECONDS = 0.5


def interruptible(spark: SparkSession, work: Callable[[], Returned]) -> Returned:
    """What `work` returns, after it was done in another thread.

    PySpark itself waits for the end of a job also after Ctrl-C, forever if a cluster has no
    executor for it.
    """
    tag = f"mqsc-{threading.get_ident()}"
    # Of the context where there is one: PySpark fetches rows in a thread of Java that has no tags
    # of the session.
    context = spark.sparkContext if has_context(spark) else None
    add, cancel = (
        (context.addJobTag, context.cancelJobsWithTag)
        if context
        else (spark.addTag, spark.interruptTag)
    )

    def tagged() -> Returned:
        add(tag)
        return work()

    with ThreadPoolExecutor(1) as thread:
        working = thread.submit(tagged)
        try:
            return working.result()
        except KeyboardInterrupt:
            while not working.done():
                cancel(tag)
                wait([working], AGAIN_SECONDS)
            raise

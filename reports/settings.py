"""The settings of Spark, and why."""

from collections.abc import Mapping

# Given when a session starts.
SETTINGS: Mapping[str, str] = {
    "spark.app.name": "mqsc report",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    # For lines of Python in error messages, which nobody sees, each operation on a column would
    # call Java nine times.
    "spark.python.sql.dataFrameDebugging.enabled": "false",
    "spark.driver.memory": "2g",
    # Whole tables are returned to this process.
    "spark.driver.maxResultSize": "0",
}

# The same, when Spark runs in this process.
LOCAL_SETTINGS: Mapping[str, str] = {
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
}

# These can be changed later.
SQL_SETTINGS: Mapping[str, str] = {
    "spark.sql.session.timeZone": "UTC",
    # As pyarrow writes them.
    "spark.sql.parquet.outputTimestampType": "TIMESTAMP_MICROS",
    # The number of groups in memory beyond which Spark sorts instead: each has lists of times, or
    # of changes, of one block of events.
    "spark.sql.objectHashAggregate.sortBased.fallbackThreshold": "16384",
    # The rows of a group that a window holds before it uses the disk: lists can have 128 kB each.
    "spark.sql.windowExec.buffer.in.memory.threshold": "256",
}

# The same, when Spark runs in this process.
LOCAL_SQL_SETTINGS: Mapping[str, str] = {
    "spark.sql.python.filterPushdown.enabled": "true",
    "spark.sql.execution.arrow.maxRecordsPerBatch": "50000",
    # Otherwise every step of planning would go through all rows that this process has given to
    # Spark.
    "spark.sql.execution.arrow.localRelationThreshold": "0",
}

# For few rows: see FEW in session.py.
INTERPRETED: Mapping[str, str] = {
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.sql.adaptive.enabled": "false",
    # With the next one: what is joined is in one partition already, and Spark would move it
    # because it does not know its size.
    "spark.sql.maxSinglePartitionBytes": "9223372036854775807b",
    "spark.sql.defaultSizeInBytes": "1000",
    # A broadcast is a job of its own.
    "spark.sql.autoBroadcastJoinThreshold": "-1",
    # Its first use makes tables of the languages of the world, which takes two seconds;
    # identifiers have none.
    "spark.sql.icu.caseMappings.enabled": "false",
}

"""The columns of a published relation as Spark's types."""

from collections.abc import Iterable, Mapping

from pyspark.sql import types as T

from mqsc.store.published import RELATIONS

SPARK_TYPES: Mapping[str, T.DataType] = {
    "INTEGER": T.LongType(),
    "TEXT": T.StringType(),
    "BLOB": T.BinaryType(),
}


def schema_of(relation: str, columns: Iterable[str]) -> T.StructType:
    """The Spark schema of some columns of a published relation."""
    types = {column.name: column.type for column in RELATIONS[relation].columns}
    return T.StructType([T.StructField(name, SPARK_TYPES[types[name]]) for name in columns])

"""Classes and functions of Java that PySpark looks for again with each operation on a column.

Java looks for most of them in every package that PySpark imports, and so in the list of files of
every library. With a name remembered, nothing is asked: of the 16,300 calls of Java by which
`daily` builds its plans over a small store, 3,600 were such questions.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from py4j.java_gateway import JVMView  # type: ignore[import-untyped]

# As PySpark names them, with the functions of each that it calls most often.
REMEMBERED: Mapping[str, tuple[str, ...]] = {
    "functions": ("col", "expr"),
    "org.apache.spark.sql.functions": ("col", "expr", "lit", "coalesce"),
    "PythonUtils": ("toSeq",),
    "PythonSQLUtils": (),
    "org.apache.spark.sql.classic.SparkSession": (),
    "org.apache.spark.sql.expressions.Window": (),
}


def remember_classes(java: JVMView) -> None:
    """Look for these classes and functions now, and keep what is found in their place."""
    for name, functions in REMEMBERED.items():
        found = getattr(java, name)
        setattr(java, name, found)
        for function in functions:
            setattr(found, function, getattr(found, function))

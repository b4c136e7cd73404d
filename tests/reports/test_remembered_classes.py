"""What is remembered of Java is what Java itself finds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from py4j.java_gateway import JVMView  # type: ignore[import-untyped]

from mqsc.reports.remembered_classes import REMEMBERED, remember_classes

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def test_classes_and_functions_are_those_that_java_finds(spark: SparkSession) -> None:
    java = spark.sparkContext._jvm
    assert isinstance(java, JVMView)
    remember_classes(java)
    for name, functions in REMEMBERED.items():
        found = JVMView.__getattr__(java, name)
        remembered = vars(java)[name]
        assert remembered._fqn == found._fqn
        for function in functions:
            assert vars(remembered)[function].name == getattr(found, function).name
    assert spark.range(3).selectExpr("id + 1 AS next").where("next > 1").count() == 2

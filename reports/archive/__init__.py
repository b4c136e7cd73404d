"""The history as Parquet files with a chain of commits, outside the store; needs no Java (archive
§2).

Files of an archive are written, listed and verified here, without Spark.
"""

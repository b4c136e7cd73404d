"""The page of a run: one HTML file with totals, charts and tables, which loads nothing.

What a reader sees of a run in a browser belongs here; it knows no Spark.
"""

"""The reports, one file each: pure functions from DataFrame to DataFrame. They use no session, clock or output.

A new report is a file here and a line in `reports.catalog`.
"""

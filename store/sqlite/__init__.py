"""Everything specific to SQLite or POSIX: driver, transactions, locks, liveness, files, errors,
migrations.

Whatever another database or system would do in another way belongs here.
"""

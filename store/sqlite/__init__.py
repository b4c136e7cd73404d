"""Everything specific to SQLite or POSIX: driver, transactions, locks, liveness, files, errors, migrations."""

"""Everything that is SQLite or POSIX: the driver, transactions, locks, liveness, files, faults and migrations."""

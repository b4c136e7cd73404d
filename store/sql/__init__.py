"""The SQL statements: functions named after their effect, with plain rows as arguments and results."""

"""The SQL statements: functions named after their effect, with plain rows as arguments and results.

Every statement belongs here, beside those on the same tables.
"""

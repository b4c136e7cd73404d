"""The statements of `store/sql/*.sql` in SQLAlchemy Core, from which `python -m
mqsc.store.sql.core` makes these files.

Only that command, upgrades and tests import it: SQLAlchemy takes longer to import than most
commands to run.
"""

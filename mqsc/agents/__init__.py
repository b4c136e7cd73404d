"""Programs that run beside a queue manager: trigger monitor, channel initiator, archiver, what `mqsc serve` runs.

What runs beside a queue manager without a user belongs here; the commands that start it are in `mqsc.cli`.
"""

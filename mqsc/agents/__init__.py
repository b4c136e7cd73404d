"""Programs that run beside a queue manager: trigger monitor, channel initiator, archiver, what
`mqsc serve` runs.

Programs that run without a user belong here; the commands that start them are in `mqsc.cli`.
"""

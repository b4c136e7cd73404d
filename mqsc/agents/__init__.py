"""Programs that run beside a queue manager: trigger monitor, channel initiator, archiver, what `mqsc serve` runs."""

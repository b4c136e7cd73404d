"""Programs that run beside a queue manager: trigger monitor, channel initiator, expiry scanner, archiver, consumers."""

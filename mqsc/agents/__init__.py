"""Programs that run beside a queue manager: the trigger monitor and the expiry scanner."""

"""`mqsc dlq`: the dead-letter queue handler, and tools for working with dead letters."""

"""The dead-letter queue handler: rules tables, matching, actions, and the tools around it (`mqsc dlq`)."""

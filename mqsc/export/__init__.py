"""The definitions of a queue manager as MQSC, JSON and YAML that make the same definitions again."""

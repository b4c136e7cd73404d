"""The dead-letter queue handler: rules tables, matching, actions, and the tools around it (`mqsc dlq`).

Everything on dead letters that is not an argument of a command belongs here.
"""

"""The dead-letter queue handler: rules tables, matching, actions, and the tools around it (`mqsc
dlq`).

Code about dead letters belongs here, except the arguments of commands.
"""

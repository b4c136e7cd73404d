"""The dead-letter queue handler: its rules-table language, the choice of a rule, what an action does, and advice."""

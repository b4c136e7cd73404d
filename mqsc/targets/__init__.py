"""Queue managers of IBM MQ elsewhere: where they are, how IBM's programs there are called, and their
state as a store of its own.
"""

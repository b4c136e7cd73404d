"""The functions that commands call, by subject. Each is one short transaction, or several bounded
ones; failures are MQError.
"""

"""What commands call, by subject: each function is one short transaction, or several bounded ones; failures are
MQError.
"""

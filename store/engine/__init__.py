"""The steps that calls share: messages are enqueued and dequeued, and the effects of that are
delivered.

A step that more than one call takes belongs here, in the transaction of the call.
"""

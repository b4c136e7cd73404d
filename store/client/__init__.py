"""What a program holds: Store, QueueManager, Connection and ObjectHandle.

What a program calls belongs here: checks of arguments and threads; what a call does is in `store.mqi`.
"""

"""The classes that a program uses: Store, QueueManager, Connection and ObjectHandle.

The interface for programs belongs here, with checks of arguments and threads; the calls themselves
are in `store.mqi`.
"""

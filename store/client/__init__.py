"""What a program holds: Store, QueueManager, Connection and ObjectHandle."""

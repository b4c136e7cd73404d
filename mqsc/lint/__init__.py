"""What can be said about MQSC without a queue manager: every error, and the advice of an experienced administrator."""

"""What a call sets off: messages are enqueued and dequeued, and the effects of that are delivered."""

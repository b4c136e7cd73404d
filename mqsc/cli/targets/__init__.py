"""`mqsc target`, `mqsc fleet` and `mqsc snapshot`: queue managers of IBM MQ elsewhere."""

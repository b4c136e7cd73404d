"""`mqsc topic`: topics of publish/subscribe."""

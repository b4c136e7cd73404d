"""`mqsc trigger`: triggering explained, and the trigger monitor."""

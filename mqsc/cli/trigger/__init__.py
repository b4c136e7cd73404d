"""`mqsc trigger`: an explanation of triggering, and the trigger monitor."""

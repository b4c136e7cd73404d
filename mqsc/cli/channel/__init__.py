"""`mqsc channel`: channels that move messages between queue managers."""

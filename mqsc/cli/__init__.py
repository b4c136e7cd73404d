"""The commands of `mqsc`, one file each, and `main`, the entry point."""

"""The commands of the command line, one file each; `main` is the entry point."""

"""What the commands of the command line share: options, the target store, input and output."""

"""Pure decisions about message channels: facts in, decision out."""

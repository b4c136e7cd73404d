"""Message channel agents: programs that move messages from a transmission queue to another queue manager.

- `runner`: one run of a channel, and what its end means for its status;
- `binding`: finding the partner, agreeing with it, and resolving a batch in doubt;
- `sender`, `receiver`: the two ends, each with its own connection and unit of work;
- `undeliverable`: messages that an end cannot deliver;
- `driver`: waits for a run as real programs do; tests drive a run themselves.
"""

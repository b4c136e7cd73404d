"""Message channel agents: programs that move messages from a transmission queue to another queue manager.

- `runner`: runs of a channel; `attempt` is one, `endings` what its end means, `requester` one that a receiver asks for;
- `binding`, `partner`: finding the partner, agreeing with it, and resolving a batch in doubt;
- `sender`, `receiver`: the two ends, each with its own connection and unit of work; `link`: what passes between them;
- `undeliverable`: messages that an end cannot deliver;
- `driver`: waits for a run as real programs do; tests resume a run themselves.
"""

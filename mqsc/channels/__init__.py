"""Message channel agents: programs that move messages from a transmission queue to another queue
manager.

- `driver`: runs of a channel, also those that a receiver asks for; it waits as real programs do,
  tests resume a run themselves;
- `attempt`: one try of a run, and what its end means; `forecast`: what a run would find;
- `binding`: finding the partner's end, agreeing with it, and resolving a batch in doubt;
- `end`: what either end holds; `sender`, `receiver`: the two, each with its own connection and unit
  of work;
- `link`: the partner's store, and what passes between the ends;
- `sync_record`: how far a channel has come; `undeliverable`: messages that an end cannot deliver.
"""

"""When the queue manager writes a trigger message, why it does not, and what the message contains.

- `facts`: what is known about a queue and the objects it names at one moment, and the trigger
  message;
- `conditions`: the fourteen conditions, each with the reason for its answer;
- `occasions`: the events that check conditions, and what they decide;
- `outlook`: which event would trigger next.
"""

"""Runs the command line for `python -m mqsc`."""

from mqsc.start import main

if __name__ == "__main__":
    main()

"""`python -m mqsc` is `mqsc`."""

from mqsc.cli.main import main

if __name__ == "__main__":
    main()

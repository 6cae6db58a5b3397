"""`python -m keepmum_edge`: the same as the command `keepmum`."""

from keepmum_edge.interfaces.cli.main import main

if __name__ == "__main__":
    main()

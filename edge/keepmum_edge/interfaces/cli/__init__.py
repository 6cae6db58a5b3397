"""The command line `keepmum`. `main` holds the table of commands; each command is a module, loaded when it is used.

Commands write results to stdout and everything else to stderr; `exit_codes` says how they end.
"""

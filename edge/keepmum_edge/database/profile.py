"""The database of a profile as a daemon opens it: made at the first start and never again.

`Keyholder.create` leaves a mark that the first start is under way; it goes when the database is there. So a crash in
between is taken up where it stopped, and a database that was lost later is an error and not an empty new one.
"""

import os
from contextlib import suppress

from keepmum_edge.config import Paths
from keepmum_edge.database.connection import Database


def open_profile(paths: Paths, key: bytes) -> Database:
    """Open the profile's database, or make it if its first start has not come so far. Hold the profile's lock.

    Raises:
        DatabaseUnavailableError: as `Database.open` and `Database.create`.
    """
    under_way = os.path.lexists(paths.first_start_file)
    if under_way and not os.path.lexists(paths.database):
        database = Database.create(paths.database, key)
    else:
        database = Database.open(paths.database, key)
    with suppress(OSError):  # it is looked at again only when the database is missing
        paths.first_start_file.unlink(missing_ok=True)
    return database

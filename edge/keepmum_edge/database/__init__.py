"""The one encrypted database of a profile: SQLCipher, one writer, one transaction at a time.

`opening` checks the file and sets the key, `connection` runs statements, `schema` and `migrations` say what is in it,
`failures` turns what SQLite reports into words, `lock` keeps a second daemon out, `profile` tells a first start from a
database that was lost.
"""

from keepmum_edge.database.connection import Database, Row, TransactionError
from keepmum_edge.database.lock import Holder, ProfileLock, find_holder
from keepmum_edge.database.profile import open_profile

__all__ = ["Database", "Holder", "ProfileLock", "Row", "TransactionError", "find_holder", "open_profile"]

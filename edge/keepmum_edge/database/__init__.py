"""The one encrypted database of a profile: SQLCipher, one writer, one transaction at a time.

`opening` checks the file and sets the key, `connection` runs statements, `schema` and `migrations` say what is in it,
`failures` turns what SQLite reports into words, `lock` keeps a second daemon out.
"""

from keepmum_edge.database.connection import Database, Row, TransactionError
from keepmum_edge.database.lock import Holder, ProfileLock, find_holder

__all__ = ["Database", "Holder", "ProfileLock", "Row", "TransactionError", "find_holder"]

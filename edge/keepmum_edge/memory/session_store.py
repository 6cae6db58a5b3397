"""Under which key the cloud knows which memories come from one conversation.

SQL only; never opens, commits or closes.
"""

from collections.abc import Callable

from keepmum_shared.ids import ConversationId, SessionKey, new_session_key

from keepmum_edge.database import Database


class SessionStore:
    """The session keys of one profile."""

    def __init__(self, db: Database, *, new_key: Callable[[], SessionKey] = new_session_key) -> None:
        self._db = db
        self._new_key = new_key

    def key_of(self, conversation: ConversationId) -> SessionKey:
        """Return the key of a conversation; one that has none gets one, and that needs a transaction."""
        key = self.known_key_of(conversation)
        if key is None:
            key = self._new_key()
            self._db.execute("INSERT INTO memory_session VALUES (?, ?)", conversation, key)
        return key

    def known_key_of(self, conversation: ConversationId) -> SessionKey | None:
        """Return the key of a conversation, or None if it has none."""
        key = self._db.value("SELECT key FROM memory_session WHERE conversation = ?", conversation)
        return None if key is None else SessionKey(key)

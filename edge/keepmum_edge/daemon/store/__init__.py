"""What the daemon itself keeps: conversations, turns and their traces, and its side of the pairing. SQL only.

No store here opens, commits or closes: the service composes them in one transaction.
"""

from keepmum_edge.daemon.store.cloud import OutboxStore, Pairing, PairingStore, ScopeStore, SettingStore
from keepmum_edge.daemon.store.conversations import (
    Conversation,
    ConversationStore,
    IncognitoWriteError,
    MessagePlace,
    StoredMessage,
)
from keepmum_edge.daemon.store.turns import StoredTurn, Trace, TraceStore, TurnStore

__all__ = [
    "Conversation",
    "ConversationStore",
    "IncognitoWriteError",
    "MessagePlace",
    "OutboxStore",
    "Pairing",
    "PairingStore",
    "ScopeStore",
    "SettingStore",
    "StoredMessage",
    "StoredTurn",
    "Trace",
    "TraceStore",
    "TurnStore",
]

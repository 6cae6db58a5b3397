"""The real sentence embedding, and what reads attributes with it, loaded once for all tests of a process."""

from functools import cache

from keepmum_edge.daemon.retrieval.meaning import head_id, load_head
from keepmum_edge.memory.implied import EmbeddedAttributes
from keepmum_inference.embedding import Encoder, load_embedder


@cache
def shipped_embedder() -> Encoder:
    """The shipped one, as the edge loads it."""
    return load_embedder(None, keeps_room=False)


@cache
def shipped_meaning() -> EmbeddedAttributes:
    """What reads texts for protected attributes, as the edge does."""
    return EmbeddedAttributes(lambda: (shipped_embedder(), load_head()), head_id())

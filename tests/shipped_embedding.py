"""The real sentence embedding, loaded once for all tests of a process."""

from functools import cache

from keepmum_inference.embedding import Embedder, load_embedder


@cache
def shipped_embedder() -> Embedder:
    """The shipped one, as the edge loads it."""
    return load_embedder(None, keeps_room=False)

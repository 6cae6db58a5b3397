"""The words of somebody that stand in stored JSON, apart from the words of the format around them (pure)."""

import json
import re
from collections.abc import Iterator
from typing import Any, Final

_FORMAT: Final = frozenset(
    """
    role content name system user assistant tool tool_calls tool_call_id id type function arguments messages sampling
    temperature top_p max_tokens stop seed presence_penalty frequency_penalty tools tool_choice response_format
    description parameters strict json_object json_schema text choices message index finish_reason stop_reason length
    content_filter memories carried model created usage prompt_tokens completion_tokens total_tokens views failure auto
    none required reasoning refusal
    """.split()  # noqa: SIM905
)
"""Names and values of fields that every request and answer has, whatever is said in it."""
_ID: Final = re.compile(r"(?:mem|turn|conv|call|dev)_[a-z2-7]{16,}")
_SAID: Final = frozenset({"content", "arguments", "description"})


def words_in(stored: str) -> Iterator[str]:
    """Yield every string of one or more JSON texts, one behind the other, that the format did not bring along.

    What is no JSON is yielded whole: then too much is found, never too little.
    """
    decoder, position = json.JSONDecoder(), 0
    while position < len(stored):
        try:
            node, position = decoder.raw_decode(stored, position)
        except (ValueError, RecursionError):
            yield stored[position:]
            return
        yield from _strings(node, said=False)


def _strings(node: Any, *, said: bool) -> Iterator[str]:
    if isinstance(node, str):
        if said or (node not in _FORMAT and _ID.fullmatch(node) is None):
            yield node
    elif isinstance(node, list):
        for each in node:
            yield from _strings(each, said=said)
    elif isinstance(node, dict):
        for key, value in node.items():
            if key not in _FORMAT:
                yield key
            yield from _strings(value, said=key in _SAID)

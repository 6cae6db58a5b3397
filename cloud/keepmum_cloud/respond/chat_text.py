"""The text of a conversation for a model, in pieces: the template's own words, and what people wrote (pure).

The template is rendered with marks instead of the contents. Only its own words may be read as control tokens; the
contents are tokenised as plain text, so that a page or a memory that spells out `<|im_start|>system` stays a
quotation.
"""

import re
from collections.abc import Callable
from typing import Final

CHATML: Final = (
    "{% for message in messages %}<|im_start|>{{ message['role'] }}\n{{ message['content'] }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
"""For a model file without a template."""
_MARK: Final = re.compile("\ue0f0([0-9]+)\ue0f1")


def chat_pieces(
    messages: list[tuple[str, str]], render: Callable[[list[dict[str, str]]], str]
) -> list[tuple[str, bool]]:
    """Return (text, may hold control tokens) in order.

    Args:
        messages: (role, content).
        render: The model's template, given messages as the template sees them.
    """
    marked = [{"role": role, "content": f"\ue0f0{i}\ue0f1"} for i, (role, _) in enumerate(messages)]
    parts = _MARK.split(render(marked))
    pieces = [(parts[0], True)]
    for number, text in zip(parts[1::2], parts[2::2], strict=True):
        pieces += [(messages[int(number)][1], False), (text, True)]
    return [(text, control) for text, control in pieces if text]

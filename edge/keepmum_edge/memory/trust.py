"""How far a record is believed: by the channel it came through and the records it was made from (pure).

Trust is in hundredths. Taint propagates: what is derived from other records has at most the least trust among them,
whatever its own channel, so a summary launders nothing. Only its owner's confirmation raises a record, and only that
record. Retrieval leaves out what is below TRUST_MIN before it ranks; the cloud never gets it.

Source: `personalisation`, memory poisoning: user 1.0, web pages and tool results 0.2, threshold at retrieval.
"""

from collections.abc import Iterable, Mapping
from typing import Final

from keepmum_edge.memory.record import MOST, Channel

TRUST_MIN: Final = 50
"""Below it nothing is retrieved or sent. Half-way: own words (100) clear it, a page (20) or a contact (40) does not."""

TRUST_OF: Final[Mapping[Channel, int]] = {
    Channel.CHAT: MOST,
    Channel.COMMAND: MOST,
    Channel.BEHAVIOUR: MOST,  # of the owner's own messages alone
    Channel.DERIVED: MOST,  # its sources decide
    Channel.CONTACT: 40,
    Channel.APPLICATION: 40,
    Channel.TOOL: 20,
    Channel.WEB: 20,
    Channel.MAIL: 20,
}
UNKNOWN_SOURCE: Final = 20
"""A derived record that cannot name its sources may have been made from anything."""


def trust_of(channel: Channel, sources: Iterable[int]) -> int:
    """Return the trust of a new record.

    Args:
        channel: Where its text came from.
        sources: Trust of every record that it was derived from.
    """
    of_sources = tuple(sources)
    if channel is Channel.DERIVED and not of_sources:
        return UNKNOWN_SOURCE
    return min((TRUST_OF[channel], *of_sources))


def is_own_word(channel: Channel) -> bool:
    """Say whether the owner spoke."""
    return channel in (Channel.CHAT, Channel.COMMAND)

"""The public policy of differentially private views: what may be released, of what, and at which price (design 6).

Everything here is public and the same for every user of one policy file; nothing here has seen a memory.

budget      nano-epsilon, and rational bounds on e^x that certify a mechanism
layout      attributes, slots, and the slot of a local-only record
vocabulary  topics, views, facets; a view says how to answer, never a fact
policy      all of it together, with shares and caps; its digest is in every turn
loading     reading and refusing a policy file

An *attribute* is protected: its budget bounds what the cloud may learn of it. A *slot* is a fixed number of padded
positions for records; the positions of all slots listed for an attribute are its group I_a of the paper. A *facet* is
the vocabulary that one draw chooses from: a generic view and at most three others.
"""

from keepmum_shared.view.budget import NANO, Odds, PolicyError, format_epsilon, parse_epsilon
from keepmum_shared.view.layout import Attribute, AttributeId, Layout, Slot, SlotId
from keepmum_shared.view.loading import load_policy, shipped_policies, shipped_policy
from keepmum_shared.view.policy import FacetReport, Policy
from keepmum_shared.view.vocabulary import GENERIC, Facet, FacetId, Topic, TopicId, View, ViewId, Vocabulary

__all__ = [
    "GENERIC",
    "NANO",
    "Attribute",
    "AttributeId",
    "Facet",
    "FacetId",
    "FacetReport",
    "Layout",
    "Odds",
    "Policy",
    "PolicyError",
    "Slot",
    "SlotId",
    "Topic",
    "TopicId",
    "View",
    "ViewId",
    "Vocabulary",
    "format_epsilon",
    "load_policy",
    "parse_epsilon",
    "shipped_policies",
    "shipped_policy",
]

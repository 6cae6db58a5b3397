"""What a corpus holds, counted while it is written."""

from collections import Counter
from dataclasses import dataclass, field

from keepmum_models.corpus.generate import Message


@dataclass(slots=True)
class Stats:
    """Counts of messages and spans."""

    messages: int = 0
    without_spans: int = 0
    characters: int = 0
    spans: int = 0
    distinct: set[int] = field(default_factory=set)
    by_type: Counter[str] = field(default_factory=Counter)
    by_language: Counter[str] = field(default_factory=Counter)
    by_scenario: Counter[str] = field(default_factory=Counter)
    by_style: Counter[str] = field(default_factory=Counter)

    def add(self, message: Message) -> None:
        """Count one message."""
        labelled = message.labelled
        self.messages += 1
        self.characters += len(labelled.text)
        self.without_spans += not labelled.private
        self.by_language[message.language] += 1
        self.by_scenario[message.scenario] += 1
        self.by_style[message.style] += 1
        for span in labelled.private:
            self.spans += 1
            self.by_type[span.entity_type.value] += 1
            self.distinct.add(hash((span.entity_type, labelled.text[span.start : span.end])))

    def as_dict(self) -> dict[str, object]:
        """Return the counts for `--json`."""
        return {
            "messages": self.messages,
            "without_spans": self.without_spans,
            "characters": self.characters,
            "spans": self.spans,
            "distinct_values": len(self.distinct),
            "by_language": dict(self.by_language),
            "by_type": dict(self.by_type.most_common()),
            "by_scenario": dict(sorted(self.by_scenario.items())),
            "by_style": dict(self.by_style.most_common()),
        }

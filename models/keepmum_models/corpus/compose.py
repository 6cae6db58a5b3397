"""One message: a style for the subcategory, then facts, blocks or something without private text."""

from collections.abc import Sequence

from keepmum_models.corpus.grammar import Grammar
from keepmum_models.corpus.noise import roughen
from keepmum_models.corpus.pieces import LabelledText, Piece, join
from keepmum_models.corpus.scenarios import FAMILIES, PREFERENCES, Scenario
from keepmum_models.corpus.scene import Scene
from keepmum_models.corpus.slots import SlotFiller

# Weights of the styles; a technical subcategory triples the technical ones.
STYLES: dict[str, int] = (
    {"chat": 32, "speech": 4, "negative": 44, "long": 19}
    | {"form": 16, "signature": 3, "mail": 9, "sms": 5, "table": 6, "list": 8, "record": 9, "medical": 5, "foreign": 5}
    | {"memory": 4, "sentence": 8, "tweet": 5, "command": 4, "venue": 3, "prose": 9}
    | {"code": 3, "config": 2, "log": 3, "credential": 3}
)
# Styles that only one language has.
STYLES_OF: dict[str, dict[str, int]] = {
    "en": {},
    "zh": {"news": 12, "encyclopaedia": 12, "ordinary": 5, "clinic": 12, "ledger": 11, "fragment": 6},
}
_TECHNICAL = frozenset({"code", "config", "log", "credential"})
_PASTED_OF = {"en": (), "zh": ("clinic", "ledger", "news", "encyclopaedia")}
_PASTED = ("form", "mail", "signature", "table", "list", "record", "medical", "sms", "log", "config", "code")


class Composer:
    """Writes the messages of one scene's language."""

    def __init__(self, scene: Scene, grammar: Grammar) -> None:
        self._scene = scene
        self._grammar = grammar
        self._fill = SlotFiller(scene, grammar)

    def message(self, scenario: Scenario) -> tuple[str, LabelledText]:
        """Write a message; return its style and its text."""
        styles = STYLES | STYLES_OF[self._scene.language]
        weights = [
            count * (3 if scenario.category == "technical" and name in _TECHNICAL else 1)
            for name, count in styles.items()
        ]
        style = self._scene.rng.choices(list(styles), weights)[0]
        return style, join(roughen(self._pieces(style, scenario), style, self._scene.language, self._scene.rng))

    def _pieces(self, style: str, scenario: Scenario) -> list[Piece]:
        self._new_cast()
        if style in {"chat", "speech"}:
            return self._chat(scenario, self._scene.rng.choice((3, 4, 5, 6, 7, 8, 9) if style == "chat" else (1, 1, 2)))
        if style == "negative":
            return self._negative()
        if style == "long":
            return self._long(scenario)
        pieces = self._rule(f"style.{style}")
        if style == "record":
            for _ in range(self._scene.rng.randrange(8)):
                pieces += [Piece("\n\n"), *self._rule("style.record")]
        if self._scene.chance(0.35) and style in {
            "memory",
            "sentence",
            "credential",
            "medical",
            "tweet",
            "venue",
            "command",
        }:
            pieces += [Piece(self._scene.pick(("\n", " ", "\n")))]
            pieces += self._rule(f"style.{style}")
        return pieces

    def _negative(self) -> list[Piece]:
        """Return a text without anything private: one kind of it, or several one after the other."""
        pieces = self._rule("neg.any")
        if self._scene.chance(0.25):
            for _ in range(self._scene.rng.randrange(1, 6)):
                pieces += [Piece(self._scene.pick((". ", "\n", "\n\n", " "))), *self._rule("neg.any")]
        return pieces

    def _rule(self, name: str) -> list[Piece]:
        return self._grammar.expand(name, self._fill, self._scene.rng)

    def _fact(self, scenario: Scenario) -> list[Piece]:
        families: Sequence[str] = scenario.families if self._scene.chance(0.6) else FAMILIES
        if self._scene.chance(0.6):
            self._new_cast()
        return self._rule(f"fact.{self._scene.pick(families)}")

    def _new_cast(self) -> None:
        """Let `@1` be somebody else from here on; the user stays."""
        self._scene.cast = {mark: person for mark, person in self._scene.cast.items() if mark == "0"}

    def _chat(self, scenario: Scenario, facts: int) -> list[Piece]:
        chance = self._scene.chance
        parts: list[list[Piece]] = [self._fact(scenario) for _ in range(facts)]
        for rule, probability in (("filler", 0.3), (f"pref.{self._scene.pick(PREFERENCES)}", 0.12), ("neg.any", 0.1)):
            if chance(probability):
                parts.insert(self._scene.rng.randrange(len(parts) + 1), self._rule(rule))
        if scenario.category == "preference" and chance(0.6):
            parts.insert(0, self._rule("pref.change"))
        if chance(0.5):
            parts.insert(0 if chance(0.2) else len(parts), self._rule(f"ask.{scenario.label}"))
        pieces = self._rule("opener") if chance(0.35) else []
        for at, part in enumerate(parts):
            if at:
                pieces += self._rule("link")
            pieces += part
        if chance(0.6) and pieces[-1].text[-1:] not in set(".?!。？！"):
            pieces.append(Piece("。" if self._scene.language == "zh" else "."))
        return pieces

    def _long(self, scenario: Scenario) -> list[Piece]:
        pieces: list[Piece] = []
        fewest, most = (3, 8) if self._scene.chance(0.97) else (15, 30)
        for _ in range(self._scene.rng.randrange(fewest, most)):
            draw = self._scene.rng.random()
            if draw < 0.35:
                pieces += self._rule(self._scene.pick(("neg.prose", "neg.any", "neg.any")))
            elif draw < 0.6:
                pieces += self._rule(f"style.{self._scene.pick(_PASTED + _PASTED_OF[self._scene.language])}")
            elif draw < 0.9:
                pieces += self._chat(scenario, self._scene.rng.randrange(2, 6))
            else:
                pieces += self._rule("style.prose")
            pieces.append(Piece(self._scene.pick(("\n", "\n\n", " ", "\n\n"))))
        return pieces

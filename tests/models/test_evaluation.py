from keepmum_edge.spans.span import PrivateSpan
from keepmum_models.evaluation import Tally, add
from keepmum_models.evaluation_sets import SETS, EvaluationSet
from keepmum_shared.taxonomy import EntityType, default_level


def mask(text: str, surface: str, entity_type: EntityType = EntityType.NAME) -> PrivateSpan:
    start = text.index(surface)
    return PrivateSpan(
        start=start,
        end=start + len(surface),
        entity_type=entity_type,
        level=default_level(entity_type),
        source="test",
        certainty=50,
        surface=surface,
    )


def score(spec: EvaluationSet, text: str, gold: dict[str, str], *masks: PrivateSpan) -> Tally:
    spans = [{"start": text.index(s), "end": text.index(s) + len(s), "label": label} for s, label in gold.items()]
    tally = Tally()
    add(tally, spec, {"text": text, "spans": spans}, masks)
    return tally


TEXT = "Ann Lee, of Acme, rang 555"
PLAIN = EvaluationSet(name="x", neutral=frozenset({"ORG"}))


def test_one_letter_left_is_a_leak_but_a_mark_is_not() -> None:
    assert score(PLAIN, TEXT, {"Ann Lee": "PER"}, mask(TEXT, "Ann Le")).leaked == 1
    assert score(PLAIN, TEXT, {"Ann Lee,": "PER"}, mask(TEXT, "Ann Lee")).leaked == 0
    assert score(EvaluationSet(name="x", secret=True), TEXT, {"Ann Lee,": "PER"}, mask(TEXT, "Ann Lee")).leaked == 1


def test_a_mask_on_neutral_text_is_neither_right_nor_wrong() -> None:
    tally = score(PLAIN, TEXT, {"Acme": "ORG"}, mask(TEXT, "Acme"))
    assert (tally.masks, tally.negatives, tally.negatives_masked, tally.false_characters) == (0, 1, 0, 0)


def test_a_false_mask_counts_unless_the_set_does_not_cover_its_type() -> None:
    assert score(PLAIN, TEXT, {}, mask(TEXT, "rang")).negatives_masked == 1
    names = EvaluationSet(name="x", covers=frozenset({EntityType.NAME}))
    assert score(names, TEXT, {}, mask(TEXT, "555", EntityType.PHONE)).negatives_masked == 0


def test_pairs_need_half_of_both_and_are_one_to_one() -> None:
    assert score(PLAIN, TEXT, {"Ann Lee": "PER"}, mask(TEXT, "Ann")).paired == 0
    assert score(PLAIN, TEXT, {"Ann Lee": "PER"}, mask(TEXT, "Ann "), mask(TEXT, "Lee")).paired == 1
    assert score(PLAIN, TEXT, {"Ann Lee": "PER"}, mask(TEXT, "Ann Lee")).summary()["f1"] == 100


def test_every_set_says_what_its_labels_mean() -> None:
    assert all(name == spec.name for name, spec in SETS.items())
    assert not any(spec.private and spec.private & (spec.neutral | spec.public) for spec in SETS.values())

from keepmum_inference.labels import ALL_TYPES, BEGIN, OUTSIDE, SINGLE
from keepmum_models.labels import OWN, TRAIN_SETS, Targets
from keepmum_shared.taxonomy import EntityType


def test_a_set_that_marks_everything_teaches_that_the_rest_is_not_private() -> None:
    assert Targets().unmarked(OWN) == OUTSIDE


def test_a_set_of_names_does_not_teach_that_a_phone_number_is_not_private() -> None:
    targets = Targets()
    allowed = targets.allowed[targets.unmarked(TRAIN_SETS["en_wnut17"])]
    assert OUTSIDE in allowed
    assert ALL_TYPES.label(EntityType.PHONE, SINGLE) in allowed
    assert ALL_TYPES.label(EntityType.NAME, SINGLE) not in allowed


def test_a_label_of_one_type_is_its_own_target_and_two_types_share_one() -> None:
    targets = Targets()
    assert targets.part((EntityType.NAME,), BEGIN) == ALL_TYPES.label(EntityType.NAME, BEGIN)
    both = targets.part((EntityType.ADDRESS, EntityType.LOCATION_TRACE), BEGIN)
    assert both >= ALL_TYPES.size
    assert targets.part((EntityType.LOCATION_TRACE, EntityType.ADDRESS), BEGIN) == both
    assert targets.level(both) == 3
    assert targets.level(targets.neutral((EntityType.PASSWORD,))) == 0


def test_every_label_of_a_train_set_is_of_our_types() -> None:
    for meaning in TRAIN_SETS.values():
        assert not set(meaning.private) & set(meaning.neutral)
        assert all(types for types in meaning.private.values())
        assert meaning.covers is None or all(t in meaning.covers for ts in meaning.private.values() for t in ts)

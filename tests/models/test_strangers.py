import random

import numpy as np
import pytest

pytest.importorskip("tokenizers", reason="the extra `edge` is not installed")

from keepmum_models.strangers import Strangers
from keepmum_shared.taxonomy import EntityType

VOCABULARY = {f"▁Ab{'x' * i}": i for i in range(60)} | {chr(0x4E00 + i): 100 + i for i in range(60)} | {"7": 200}


def test_a_name_keeps_its_shape_and_nothing_else_changes() -> None:
    strangers = Strangers(VOCABULARY, share=1.0, rng=random.Random(1))
    ids = np.array([3, 4, 110, 111, 200, 5], dtype=np.int64)
    new = strangers.swap(ids, [(1, 2, EntityType.NAME), (2, 5, EntityType.NAME), (5, 6, EntityType.PHONE)])
    assert new[1] < 60
    assert all(100 <= i < 160 for i in new[2:4])
    assert list(new[[0, 4, 5]]) == [3, 200, 5]
    assert list(ids) == [3, 4, 110, 111, 200, 5]


def test_no_share_swaps_nothing() -> None:
    ids = np.array([3, 4], dtype=np.int64)
    assert Strangers(VOCABULARY, share=0.0, rng=random.Random(1)).swap(ids, [(0, 2, EntityType.NAME)]) is ids

import pytest
from keepmum_cloud.errors import BusyError, RateLimitedError
from keepmum_cloud.limits import RateLimit, TurnSlots


def test_a_burst_then_the_rate_and_each_key_for_itself() -> None:
    limit = RateLimit(per_second=2, burst=3)
    for _ in range(3):
        limit.take("a", 100.0)
    with pytest.raises(RateLimitedError) as caught:
        limit.take("a", 100.0)
    assert (caught.value.retry_after_s, caught.value.http_status, caught.value.retryable) == (1, 429, True)
    limit.take("b", 100.0)
    limit.take("a", 100.5)
    with pytest.raises(RateLimitedError):
        limit.take("a", 100.5)


def test_waiting_long_gives_one_burst_only() -> None:
    limit = RateLimit(per_second=10, burst=2)
    limit.take("a", 0.0)
    for _ in range(2):
        limit.take("a", 1e6)
    with pytest.raises(RateLimitedError):
        limit.take("a", 1e6)


def test_a_slot_is_given_back_also_after_an_error() -> None:
    slots = TurnSlots(1)
    with pytest.raises(ValueError, match="x"), slots.one():  # the block holds the slot
        with pytest.raises(BusyError), slots.one():
            raise AssertionError
        raise ValueError("x")
    with slots.one():
        assert slots.running == 1

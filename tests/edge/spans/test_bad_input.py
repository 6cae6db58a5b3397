"""Text that nobody means well: empty, tiny, huge, binary, repetitive. Rules are linear, and never give up half-way."""

import random
import time

import pytest
from keepmum_edge.errors import ExtractorUnavailableError
from keepmum_edge.spans import rules
from keepmum_edge.spans.combined import CombinedExtractor
from keepmum_edge.spans.rules import RuleExtractor
from keepmum_edge.spans.span import PrivateSpan

SYMBOLS = ["a.", "1", "1 ", "12-", "a@", "a@b.", "://a:", "eyJ", '"', "<", "\\", "\u200b", "1.", "::", "=", "%40"]
NAMES = ["password ", "password=", "key=", "key-", "&key=", 'token: "', "cookie: a=", "passport ", "x-key: ", "bearer "]
PROSE = [
    "password is ",
    "my wifi password for the ",
    "code ",
    "pin 1",
    "abandon ",
    "born ",
    "dot ",
    "at ",
    "验证码",
    "密码是",
]
FORMS = ["一二三", "+1", "mysql -p", "IDENTIFIED BY ", "user password ", "-----BEGIN PRIVATE KEY-----", "sk-", "AKIA"]
ASIDE = [
    "session=",
    "session=是",
    "_a_session ",
    "root/",
    "user/pass: ",
    "account 1",
    "20-00-00 ",
    "sent me ",
    "use 12345 ",
    "github.com/a ",
    "my x ",
]
LISTS = [
    "pw | pin\n",
    "password?\n",
    "backup codes 1234 ",
    "the old one was ",
    "password the old one is a1",
    "密码从a1",
    "follow me ",
    "(1) abandon #",
    "word 1: ",
]
LOGINS = [
    "machine a.b login x ",
    "wifi:t:w;",
    "<password>abc",
    "use a1b2c3 for ",
    "my pin is four two ",
    "密码是一 二 ",
    "4111 1111 1111 1111|",
]
UNITS = [*SYMBOLS, *NAMES, *PROSE, *FORMS, *ASIDE, *LISTS, *LOGINS, "data:image/png;base64,"]


@pytest.mark.parametrize(
    "text", ["", "a", "1", "@", "\x00", "密", "😀", "\ud800", "\u200b", "\u202e" * 50, "👩‍👩‍👧" * 100]
)
def test_almost_nothing_holds_nothing(extractor: RuleExtractor, text: str) -> None:
    assert extractor.extract(text) == ()


@pytest.mark.parametrize("unit", UNITS, ids=repr)
def test_time_grows_no_faster_than_the_text(extractor: RuleExtractor, unit: str) -> None:
    def seconds(length: int) -> float:
        text = (unit * (length // len(unit) + 1))[:length]
        times = []
        for _ in range(3):
            begin = time.process_time()
            extractor.extract(text)
            times.append(time.process_time() - begin)
        return min(times)

    # Quadratic time would be 64 times as long for 8 times the text.
    short, long = seconds(5_000), seconds(40_000)
    assert long < max(28 * short, 0.2)


@pytest.mark.parametrize(
    "unit", ["lorem ipsum dolor sit amet ", "密码学是一门学问，今天天气好。", "\x00\xff\x7f", "GET /a/b?c=d 200\n"]
)
def test_a_megabyte_is_read_to_its_end(extractor: RuleExtractor, unit: str) -> None:
    text = (unit * (1_000_000 // len(unit) + 1))[:1_000_000] + " last.fake@example.org"
    begin = time.process_time()
    assert extractor.extract(text)[-1].surface == "last.fake@example.org"
    assert time.process_time() - begin < 8


def test_noise_is_read_without_failing(extractor: RuleExtractor) -> None:
    noise = random.Random(1).randbytes(50_000).decode("latin-1")
    assert all(noise[s.start : s.end] == s.surface for s in extractor.extract(noise))


class LibraryError(Exception):
    """An error that is of no built-in family, as many libraries raise."""


@pytest.mark.parametrize("error", [IndexError, LibraryError, AssertionError, RecursionError])
def test_whatever_a_part_of_the_extractor_raises_fails_closed_and_names_no_text(error: type[Exception]) -> None:
    class Failing(RuleExtractor):
        def extract(self, text: str, **_: object) -> tuple[PrivateSpan, ...]:
            raise error(text)

    with pytest.raises(ExtractorUnavailableError) as caught:
        CombinedExtractor(RuleExtractor(), Failing()).extract("someone.fake@example.org")
    assert "fake" not in str(caught.value)
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__


def test_a_failing_rule_fails_closed_and_names_no_text() -> None:
    class Broken(str):
        def isascii(self) -> bool:
            raise ValueError(str(self))

    with pytest.raises(ExtractorUnavailableError) as caught:
        RuleExtractor().extract(Broken("someone.fake@example.org"))
    assert "fake" not in str(caught.value)
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__
    assert RuleExtractor().model_id == rules.MODEL_ID

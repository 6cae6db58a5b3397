"""Two profiles that differ in what one attribute may know, and in nothing else: the cloud half sees no difference.

Both run the real path. Everything else is held equal: keys, ids, nonces, draws, clock, and what client and owner say.
The attribute is type 2 diabetes; what is told here about it lies in its slot on one computer; the other has nothing.

(i) Where the draws fall into the part of randomised response that no store moves, every byte of 32 turns is the same.
(ii) Whatever they are, the first turn is the same but for the views' ids, which have one length.
"""

import json
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest
from halves import assistant
from keepmum_shared.view import shipped_policy
from proving import Copies, ProofHalves, Run, Seen
from record_tap import record_tap
from scripted_chance import Script
from scripted_openai import Scripted, scripted_openai

FOOD = "What could I cook for dinner tonight?"
OK = {"steps": [{"content": "Noted, <NAME_1>."}, {"finish": "stop"}, {"done": True}]}
BREAKS = {"when": "break off", "steps": [{"content": "No"}, {"delay_ms": 100}, {"abort": True}]}
HIDDEN = "+49 151 " + "23456789"
DRAWING = [each for each in shipped_policy().vocabulary.facets.values() if each.draws]


@dataclass(frozen=True)
class Store:
    """What is told in the slots listed for the attribute, and nowhere else.

    Attributes:
        first: Before anything is sent.
        later: Between turns.
        edited: What the newest of the first becomes.
        consents: What is answered when it is asked whether to keep what a message said of health.
    """

    first: tuple[str, ...]
    later: tuple[str, ...]
    edited: str | None
    consents: bool


KNOWS = Store(
    first=(
        "I have type 2 diabetes and take metformin",
        f"My diabetes nurse is Imogen Fairweather, {HIDDEN}",
        "My favourite dinner is a low-carb one for my diabetes",
    ),
    later=("I inject insulin before dinner", "My favourite dinner is bean soup for my diabetes"),
    edited="My favourite dinner is a bowl of lentils for my diabetes",
    consents=True,
)
NOTHING = Store(first=(), later=(), edited=None, consents=False)


def drawing(part: str) -> tuple[str, ...]:
    """Draws, as bytes in hexadecimal, that fall into a part of randomised response among four views.

    `uniform`: where the best of both stores has no say: the last view, or the first. `last`: there, the last view only.
    `best`: where a store whose best view is the second releases that one, and one whose best is generic that.
    """
    [(p, q)] = {(each.odds.p, each.odds.q) for each in DRAWING if each.odds is not None}
    assert {len(each.views) for each in DRAWING} == {4}
    total = p + 3 * q
    size = (total.bit_length() + 7) // 8
    first, best, last = q // 2, (q + p) // 2, p + 2 * q + q // 2
    numbers = {"uniform": (last, first), "last": (last,), "best": (best,)}[part]
    return tuple((number << (8 * size - (total - 1).bit_length())).to_bytes(size, "big").hex() for number in numbers)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scripted]:
    with scripted_openai(tmp_path_factory.mktemp("model"), [OK, BREAKS]) as running:
        yield running


@pytest.fixture(scope="module")
def copies(tmp_path_factory: pytest.TempPathFactory, model: Scripted) -> Iterator[Copies]:
    """A base profile, paired, with a past of its own."""
    folder = tmp_path_factory.mktemp("non-interference")
    script = folder / "script.json"
    halves = ProofHalves(
        home=folder / "home",
        model=model,
        edge_options=["--script", str(script)],
        cloud_options=["--script", str(script), "--record", str(folder / "home" / "decoded.jsonl")],
        environ={"KEEPMUM_FIRST_PERIOD_DAYS": "0"},
    )
    with record_tap(halves.cloud_port) as tap:
        halves.tap = tap
        halves.home.mkdir()
        run = Run(halves, script, Script(step=0, now=int(time.time())))
        halves.start(pair=True)
        run.tell("My favourite dinner is pasta", "I drink coffee in the morning", "I pray at the mosque on Fridays")
        run.tell("My email is " + "quokka" + "@example.org")
        halves.stop()
        for log in (halves.edge.log, halves.cloud.log, halves.record):
            log.unlink(missing_ok=True)
        halves.home.rename(folder / "base")
        yield Copies(halves, folder / "base", script, run.script)


def seen(copies: Copies, store: Store, part: str, scenario: Callable[[Run, Store], None], *options: str) -> Seen:
    """What a store shows in a scenario."""
    mark = copies.mark()
    with copies.run(*options) as run:
        run.step(draws=drawing(part))
        run.tell(*store.first, aside=True)
        scenario(run, store)
        return copies.seen(run, mark)


def ask_first(run: Run, store: Store) -> None:
    """One turn."""
    run.turn(FOOD)


def hold_32_turns(run: Run, store: Store) -> None:
    """Turns of every kind, and between them what an owner does."""
    answer = run.turn(FOOD)
    run.turn(FOOD, assistant(answer), "And what should I drink with it?")
    run.turn(f"Call {HIDDEN} for me, it is Imogen Fairweather")  # both values are in records of one store only
    run.turn("I live in Lisbon. My favourite colour is teal.")
    run.turn("hello")  # takes along what was said
    run.turn("hello again")  # an empty batch
    run.turn("My doctor says that I have type 2 diabetes. What may I eat?")  # touches the attribute
    [asked] = run.owner("GET", "/pending")["pending"]
    run.owner("POST", f"/pending/{asked['id']}", keep=store.consents)
    run.turn("Is insulin kept in the fridge?")
    run.tell(*store.later, aside=True)
    for _ in range(2):
        run.turn("Which hotel for the trip? Please break off", key="again", fails=True)
    for _ in range(2):
        run.turn("Which hotel for the trip?", key="once")  # the second is not sent
    run.turn("A recipe for soup, in secret", mode="incognito")
    run.turn("Where does Ada eat lunch?", audience="ben")
    run.turn("A plan for the garden", scope="work")
    title = {"role": "system", "content": "Write a title of four words for the conversation below."}
    run.turn(title, f"USER: {FOOD}\nASSISTANT: {answer}")
    [shared] = [each for each in run.memories() if each["text"].startswith("I drink coffee")]
    run.owner("PATCH", f"/memories/{shared['id']}", text="I drink tea in the morning")
    if store.edited is not None:
        [mine] = [each for each in run.memories() if each["text"].startswith("My favourite dinner is a low-carb")]
        run.owner("PATCH", f"/memories/{mine['id']}", text=store.edited, aside=True)
    run.turn("Any idea for breakfast?")
    run.new_edge()
    run.turn("请推荐一份晚餐食谱")
    [local] = [each for each in run.memories() if "mosque" in each["text"]]
    run.owner("POST", "/forget", ids=[local["id"]])  # never left, so nothing is sent
    run.turn("What does a birthday gift cost?")
    for each in run.memories()[-5:]:
        if each["slot"] == "diet_and_metabolism":
            run.owner("POST", "/forget", ids=[each["id"]], aside=True)
    run.turn("How do I save money on rent?")
    [home] = [each for each in run.memories() if "Lisbon" in each["text"]]
    run.owner("POST", "/forget", ids=[home["id"]])  # is told to the cloud half
    for text in (
        "Where do I live?",
        "How do I write a cover letter?",
        "A workout for the morning, please",
        "I sleep badly, what helps?",
        "Which course should I take?",
        "Which form do I need for the permit?",
        "How do I clean the kitchen?",
    ):
        run.turn(text)
    run.owner("GET", "/budget")
    run.owner("POST", "/budget/silence", slot="body")
    run.turn("A workout for the evening, please")
    run.owner("POST", "/budget/unsilence", slot="body")
    for text in ("Yoga or swimming?", FOOD, "Dinner for two?", "How about a museum?", "thanks"):
        run.turn(text)


def require_same(one: Seen, other: Seen) -> None:
    """Say where two runs differ first."""
    assert one.turns == other.turns
    assert one.decoded == other.decoded
    assert one.records == other.records
    assert one.prompts == other.prompts
    assert one.tables == other.tables
    assert one.files == other.files
    assert one.cloud_log == other.cloud_log
    assert one.edge_log == other.edge_log


def bodies(seen: Seen) -> list[dict[str, object]]:
    return [json.loads(turn.partition("\r\n\r\n")[2]) for turn in seen.turns]


def test_with_draws_that_no_store_moves_every_byte_of_32_turns_is_the_same(copies: Copies) -> None:
    one, other = (seen(copies, store, "uniform", hold_32_turns) for store in (KNOWS, NOTHING))
    require_same(one, other)
    sent = bodies(one)
    assert len(sent) == 32
    drawn = {view for body in sent for view in body["views"]}  # type: ignore[attr-defined]
    assert {"v013/food", "v020/food"} <= drawn
    assert sum(not body["writes"] for body in sent) > 10
    assert any(body["writes"] for body in sent)
    assert sum("POST /v1/memories/delete" in line for line in one.decoded.splitlines()) == 1
    assert any("<PHONE_" in turn for turn in one.turns)


def test_whatever_is_drawn_the_first_turn_is_the_same_but_for_view_ids_of_one_length(copies: Copies) -> None:
    others = ["v020/food", "v040/food", "v060/food", "v091/food"]
    knows, nothing = (seen(copies, store, "best", ask_first) for store in (KNOWS, NOTHING))
    assert [body["views"] for body in bodies(knows)] == [["v011/food", *others]], "what it knows shows in a view"
    assert [body["views"] for body in bodies(nothing)] == [["v010/food", *others]]
    otherwise = seen(copies, NOTHING, "last", ask_first)
    assert not set(bodies(otherwise)[0]["views"]) & set(bodies(knows)[0]["views"])  # type: ignore[call-overload]
    for other in (nothing, otherwise):
        assert without_view_ids(knows.decoded) == without_view_ids(other.decoded)
        assert knows.records == other.records
        assert knows.tables == other.tables
        assert (knows.cloud_log, knows.edge_log) == (other.cloud_log, other.edge_log)


def without_view_ids(decoded: str) -> str:
    """A transcript without ids of views, and without the signatures of requests, which are over all of them."""
    return re.sub(r"(?<=\")v[0-9]{3}(?=/)|(?<=x-keepmum-signature: )\S{86}", "", decoded)


# --- mutants of the daemon; those of the core are in tests/edge/views/test_mutants.py ---

SEEN_AT_THE_CLOUD = ("OrderLeak", "LengthLeak", "LocalClosesCloud")
MUTANTS = ("OrderLeak", "LengthLeak", "LogLeak", "LocalClosesCloud")


def try_mutants(run: Run, store: Store) -> None:
    """One turn with none of them, and then one with each; it is told more while the last of them is at work."""
    run.turn(FOOD)
    for mutant in MUTANTS:
        run.step(mutant=mutant)
        if mutant == MUTANTS[-1]:
            run.tell(*store.later, aside=True)
        run.turn(FOOD)


@pytest.fixture(scope="module")
def mutated(copies: Copies) -> tuple[Seen, Seen]:
    """What both stores show of an edge with every mutant in it."""
    options = [word for mutant in MUTANTS for word in ("--mutant", mutant)]
    one, other = (seen(copies, store, "uniform", try_mutants, *options) for store in (KNOWS, NOTHING))
    return one, other


@pytest.mark.parametrize("mutant", SEEN_AT_THE_CLOUD)
def test_a_mutant_shows_the_cloud_half_which_store_it_is(mutated: tuple[Seen, Seen], mutant: str) -> None:
    one, other = (dict(zip(("none", *MUTANTS), each.turns, strict=True)) for each in mutated)
    assert one["none"] == other["none"], "asleep, it changes nothing"
    assert one[mutant] != other[mutant]


def test_log_leak_shows_the_log_which_store_it_is(mutated: tuple[Seen, Seen]) -> None:
    one, other = (each.edge_log for each in mutated)
    assert one != other
    told = {line for line in (*one, *other) if "records" in line}
    assert len(told) == 2
    assert [line for line in one if line not in told] == [line for line in other if line not in told]

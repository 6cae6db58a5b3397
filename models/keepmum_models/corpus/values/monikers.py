"""Other ways in which a person is named: nicknames, initials, stage names, words that are names, title and name."""

from keepmum_models.corpus.scene import Person, Scene
from keepmum_models.corpus.values import names

_PLAIN_WORDS = (
    "Will Rose Summer Mark Grace Hope Joy Faith Dawn Autumn Amber Jade Ruby Pearl Crystal Ivy Lily Daisy Violet Hazel "
    "Olive Willow Heather Holly Iris Poppy Ginger Sage Basil Rowan Ash Jasper Flint Cliff Dale Glen Heath Brook River "
    "Rob Bob Bill Chuck Drew Pat Sue Nick Jack Dean Chase Hunter Mason Carter Cooper Taylor Baker Parker Skip Buck Duke "
    "Earl Prince King Major Rich Sonny Sunny Sandy Rusty Dusty Frank Ernest Art Gene Ray Guy Herb Jay Robin Wren Raven "
    "Angel Star Melody Harmony Carol Harper Piper Destiny Trinity Chance Justice Royal Blaze Storm Sky Paris London "
    "India Chelsea Brooklyn Austin Dallas Jordan Israel Georgia Virginia Florence Sydney Charlotte April May June "
    "August Wednesday Bishop Deacon Christian Mercy Patience Prudence Penny Dollar Young Little Long Small Short Brown "
    "Green White Black Gray Day Knight Pope Page Field Stone Woods Rivers Banks Best Fox Wolf Bird Love Moon Price Case"
).split()
_STAGE_HEADS = (
    "Lil Big DJ MC Young Yung Queen King Miss Mr. Papa Mama Captain Professor Kid Lady Baby Doc PG Saint".split()
)
_STAGE_SYLLABLES = "ka zo ri tan mi lux ney dra vox jin ta bo xi qua rel mo shi ven do cee ty ro na zay ki lo".split()
_KIN = "Uncle Aunt Auntie Grandma Grandpa Coach Teacher Nana Mama Papa Master Granny Auntie".split()


def _allowed(scene: Scene, forms: list[str], otherwise: str) -> str:
    fit = [form for form in forms if len(form) > 1 and scene.split.admits(form)]
    return scene.pick(fit) if fit else otherwise


def nickname(scene: Scene, person: Person) -> str:
    """What friends make of a given name: shorter, with an ending, drawn out, in small letters or capitals."""
    if names.is_chinese(person):
        return names.short_form(scene, person)
    given = person.given
    short = given[:3] if len(given) > 4 else given
    forms = [
        given.lower(),
        given.upper(),
        given,
        short,
        f"{short}s",
        f"{given}y",
        f"{given[:4]}ie",
        given + given[-1] * 3,
    ]
    forms += [
        f"{given[0]}{person.family[0]}",
        f"{given} {person.family[0]}",
        f"{given.lower()} {person.family[0].lower()}",
    ]
    return _allowed(scene, forms, given)


def initialled(scene: Scene, person: Person) -> str:
    """Given names as initials, or the family name as one."""
    if names.is_chinese(person):
        return person.full
    given, family = person.given, person.family
    other = scene.masked("?")
    forms = [f"{given[0]}. {family}", f"{given[0]}.{other}. {family}", f"{given[0]} {family}", f"{family} {given[0]}"]
    forms += [
        f"{given} {family[0]}.",
        f"{given} {other}. {family}",
        f"{family}, {given[0]}.",
        f"{family.upper()}, {given}",
    ]
    forms += [f"{given.upper()} {family.upper()}", f"{given.lower()} {family.lower()}", f"{given} {family.upper()}"]
    return _allowed(scene, forms, person.full)


def with_kin_word(scene: Scene, person: Person) -> str:
    """A name with the word of kinship or office that is part of how the person is called."""
    if names.is_chinese(person):
        return names.with_title_zh(scene, person)
    return _allowed(
        scene, [f"{scene.pick(_KIN)} {scene.pick((person.given, person.family))}" for _ in range(4)], person.given
    )


def tag(scene: Scene, person: Person) -> str:
    """The name as a hashtag or a mention carries it: no blanks."""
    if names.is_chinese(person):
        return person.full
    joined = f"{person.given}{person.family}".replace(" ", "")
    forms = [
        joined,
        joined.lower(),
        f"{person.given}_{person.family}",
        f"{person.given}{scene.digits(2)}",
        person.family,
    ]
    return _allowed(scene, forms, person.family)


def plain_word(scene: Scene) -> str:
    """A name that is an ordinary word as well, alone or with another."""
    words = scene.split.part(_PLAIN_WORDS)
    return scene.pick(words) if scene.chance(0.6) else f"{scene.pick(words)} {scene.pick(words)}"


def stage_name(scene: Scene) -> str:
    """Name of a musician, player or streamer: one made-up word, or a title and a word."""
    word = scene.coined(_STAGE_SYLLABLES, scene.pick((2, 2, 3))).capitalize()
    if scene.chance(0.15):
        word = word.upper()
    if scene.chance(0.45):
        return f"{scene.pick(_STAGE_HEADS)} {word}"
    return f"{word} {scene.pick(scene.split.part(_PLAIN_WORDS))}" if scene.chance(0.2) else word


def artist(scene: Scene) -> str:
    """Somebody whose works are asked for: public by the request itself."""
    if scene.chance(0.35):
        return f"{scene.pick(('The ', 'the ', ''))}{stage_name(scene)}"
    return names.person(scene).full

"""What Chinese records and prose are made of: ordinary words, record numbers, permits, and numbers of things."""

from keepmum_models.corpus import lexicon
from keepmum_models.corpus.scene import Maker, Scene

_RECORD_NUMBERS = (
    "########",
    "##########",
    "ZY##########",
    "ZY20########",
    "MZ20##########",
    "BL-20##-#####",
    "MR########",
    "MR-20##-####",
    "A####-####",
    "2023########",
    "2024##########",
    "00########",
    "P#######",
    "HIS#########",
    "JK20##-####",
    "HT-20##-######",
    "DK20##########",
    "A##########",
    "E#########",
    "PDAA20##########",
    "YB############",
    "K#########",
    "M2024-#####",
)
_PERMITS = (
    "C########",
    "H##########",
    "M########",
    "CB#######",
    "W########",
    "军字第#######号",
    "南字第########号",
    "政字第######号",
    "武字第#######号",
    "士字第########号",
    "空字第########号",
    "########",
    "T########",
    "81000019########12",
    "83000019########47",
)
_SERIALS = (
    "SF#############",
    "YT#############",
    "JD##############",
    "DD20############",
    "XS-20##-#####",
    "WO-20##-####",
    "GD##########",
    "FP########",
    "GB/T #####-20##",
    "JGJ ###-20##",
    "LOT#######",
    "A##-###B",
    "XPS-####",
    "RTX ####",
    "Mate ##",
    "V#.##.#",
    "v#.#.##-beta",
    "CA####",
    "MU####",
    "G####",
    "D###",
    "#-###",
    "69###########",
    "K##+###",
    "TS-##X",
    "20##-##-##-###",
    "KB#######",
    "PN:####-####",
    "BUG-#####",
    "GH-###-?#",
    "NO.########",
    "20##############",
)


def _words(kind: str) -> Maker:
    def draw(scene: Scene) -> str:
        return scene.pick(lexicon.words()[f"common {kind}" if scene.chance(0.6) else kind])

    return draw


noun = _words("noun")
verb = _words("verb")
adjective = _words("adjective")
manner = _words("manner")
saying = _words("saying")
place = _words("place")
body = _words("body")
spot = _words("spot")
trap = _words("trap")


def record_number(scene: Scene) -> str:
    """Under which a hospital, insurer or bank keeps somebody's record."""
    return scene.masked(scene.pick(_RECORD_NUMBERS))


def permit(scene: Scene) -> str:
    """Number of an officer's or soldier's card, a travel or residence permit."""
    return scene.masked(scene.pick(_PERMITS))


def card_tail(scene: Scene) -> str:
    """The last digits by which a bank names a card."""
    return scene.digits(4)


def serial(scene: Scene) -> str:
    """An order, parcel, flight, standard, model or batch: of a thing, not of a person."""
    return scene.masked(scene.pick(_SERIALS))

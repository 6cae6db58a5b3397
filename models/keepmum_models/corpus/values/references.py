"""Numbers of things in the shape of private ones: parts, parcels, citations, flights, public lines, values gone wrong.

None of them names a person: they teach that a shape alone, or a word like "number", is not enough.
"""

from stdnum import ean, luhn

from keepmum_models.corpus.scene import Scene
from keepmum_models.corpus.values.contacts import company_domain

_HEX = "0123456789abcdef"
_PARTS = (
    "###-###-####-?",
    "###-##-####-?",
    "??-#####-##",
    "???#####",
    "#####-???-##",
    "P/N ########",
    "#?###-######",
    "####-###-###/?",
    "M#x##",
    "??##-####?",
    "SKU ########",
    "##?-###",
    "BRK-####-L",
)
_PARCELS = (
    "1Z????########",
    "1Z ### ??? ## #### ### #",
    "94## #### #### #### #### ##",
    "?? ### ### ### DE",
    "JD01############",
    "CP#########US",
    "TBA############",
    "#### #### ####",
    "################",
)
_CITATIONS = (
    "### U.S. ###",
    "### F.3d ####",
    "## U.S.C. § ####",
    "[20##] EWCA Civ ###",
    "Art. ## GDPR",
    "§ ### BGB",
    "C-###/##",
    "No. ##-####",
    "Directive 20##/##/EC",
    "45 CFR 164.###",
    "Cal. Civ. Code § ####.#",
    "Bill ?-##",
    "Ordinance No. ####",
)
_MODELS = (
    "XPS ##",
    "WH-####XM#",
    "RTX %0%0",
    "EOS R#",
    "ThinkPad X# Gen #",
    "Model #",
    "QN##?###",
    "MX-%000",
    "Boeing 7%7",
    "A3##-%00",
    "GT-####",
    "Type ##-?",
    "USB #.#",
    "ISO ####:20##",
    "DIN ####",
    "E####",
    "M## Ultra",
    "series %",
)
_FLIGHTS = ("BA ###", "LH####", "UA####", "AF ####", "QF##", "SQ ###", "EK###", "ICE ###", "train ####", "NH ##")
_ROLES = (
    "support info press sales help hello contact noreply no-reply jobs careers media office billing newsletter team "
    "feedback orders returns service admissions privacy security abuse webmaster enquiries bookings"
).split()
_HOTLINES = (
    "1-800-###-####",
    "(800) ###-####",
    "1-888-###-####",
    "+1 877 ### ####",
    "0800 ### ####",
    "0800 ######",
    "0300 ### ####",
    "1300 ### ###",
    "1800 ### ###",
    "0900-####",
    "116 ###",
)
_WRONG_DATES = ("20##-1%-##", "20##-0#-%%", "31/02/20##", "00/00/0000", "99-99-9999", "20##-13-40", "13/13/20##")


def part_number(scene: Scene) -> str:
    """A part, article or stock number; some look like telephone numbers with a letter behind."""
    return scene.masked(scene.pick(_PARTS))


def parcel_number(scene: Scene) -> str:
    """A carrier's tracking number."""
    return scene.masked(scene.pick(_PARCELS))


def citation(scene: Scene) -> str:
    """A statute, a reported case, a regulation."""
    return scene.masked(scene.pick(_CITATIONS))


def model_number(scene: Scene) -> str:
    """The name of a device, a standard or an aircraft."""
    return scene.masked(scene.pick(_MODELS))


def flight_number(scene: Scene) -> str:
    """A flight or train."""
    return scene.masked(scene.pick(_FLIGHTS))


def book_number(scene: Scene) -> str:
    """An ISBN or article number with the right check digit."""
    if scene.chance(0.5):
        body = "978" + scene.digits(9)
        full = body + ean.calc_check_digit(body)
        return full if scene.chance(0.4) else "-".join((full[:3], full[3], full[4:7], full[7:12], full[12]))
    body = scene.masked("%###########")
    return body + ean.calc_check_digit(body)


def wrong_card(scene: Scene) -> str:
    """Digits as on a card, too many or too few of them, or with a wrong check digit."""
    size = scene.pick((12, 14, 16, 16, 17, 18, 20))
    body = scene.pick(("4", "5", "6", "9", "1", "0", "37")) + scene.digits(size - 3)
    wrong = (int(luhn.calc_check_digit(body)) + scene.rng.randrange(1, 10)) % 10
    full = body + str(wrong)
    return full if scene.chance(0.6) else " ".join(full[at : at + 4] for at in range(0, len(full), 4))


def wrong_number(scene: Scene) -> str:
    """A telephone or social security number that cannot be one: digits short or over, zeros, letters."""
    return scene.masked(
        scene.pick(
            (
                "###-##-###",
                "000-00-0000",
                "###-###",
                "##-##",
                "###-####-##",
                "###-000-00",
                "(###) ###",
                "####-####-####-##",
                "#-##-###",
                "###-??-####",
                "+1 ### ###",
                "#####-###",
                "#####-#####",
                "123",
                "999-999",
            )
        )
    )


def wrong_date(scene: Scene) -> str:
    """A date that no calendar has."""
    return scene.masked(scene.pick(_WRONG_DATES))


def trace_id(scene: Scene) -> str:
    """What a system calls a request, a build, a job or a record."""
    raw = scene.letters(32, _HEX)
    return scene.pick(
        (
            f"{raw[:8]}-{raw[8:12]}-4{raw[13:16]}-a{raw[17:20]}-{raw[20:]}",
            raw,
            f"req_{raw[:14]}",
            f"00-{raw}-{raw[:16]}-01",
            f"evt_{raw[:10]}",
            f"#{scene.digits(5)}",
            f"0x{raw[:8]}",
            scene.masked("T-#######"),
            scene.masked("BUG-####"),
            scene.masked("??-####"),
            scene.masked("build-########.#"),
            scene.digits(12),
        )
    )


def public_email(scene: Scene) -> str:
    """The mailbox of a department, printed on its website."""
    return f"{scene.pick(_ROLES)}@{company_domain(scene)}"


def public_phone(scene: Scene) -> str:
    """A hotline that costs the caller nothing and belongs to nobody."""
    return scene.masked(scene.pick(_HOTLINES))


def measure(scene: Scene) -> str:
    """A size, a score, a position, a rate."""
    number = scene.rng.randrange
    return scene.pick(
        (
            f"{number(2, 900)}x{number(2, 900)}",
            f"{number(1, 90)}.{number(10)} kg",
            f"{number(2, 400)} km/h",
            f"{number(1, 12)}-{number(0, 9)}",
            f"1:{number(2, 500)}",
            f"{number(2, 99)}°C",
            f"{number(1800, 2030)}-{number(10, 99)}",
            f"#{number(1, 50)}{number(100000, 999999)}",
            f"{number(1, 24)}/{number(1, 60)}",
            f"±{number(1, 9)}%",
            f"{number(1, 99)}dB",
            f"pp. {number(1, 300)}-{number(300, 600)}",
        )
    )

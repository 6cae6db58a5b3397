"""Addresses off the usual pattern: street words of many languages, corners, barracks, ships, farms, no commas."""

from keepmum_models.corpus import pools
from keepmum_models.corpus.scene import Scene

_FORMS = (
    "the corner of {n} {s} and {t}",
    "the corner of {s} and {t}",
    "corner of {s} & {t}, {c}",
    "{s} and {t} {n}",
    "{n} {s} {u} {m} {c} {p}",
    "{n} {s} {u} {m}\n{c} {p}\n{k}",
    "{s} {n}, {p} {c}",
    "{s} {n}\n{p} {c}\n{k}",
    "{n} {s}, {c}, {k}",
    "{n}, {s}, {c} - {p}, {k}",
    "{s} No:{n} D:{m}, {p} {c}/{k}",
    "km {n} on the {s} road, {c}",
    "{s} Farm, {c} {p}",
    "Villa {s}, {c}",
    "{C} {p}, {s} {n}",
    "{s} {n}-{m}, {C}",
    "USS {w} FPO AP {z}",
    "USNS {w}\nFPO AE {z}",
    "Unit {z4} Box {b4}\nDPO AA {z}",
    "PSC {z4}, Box {b4} APO AE {z}",
    "RR {m} Box {n}, {c}",
    "Lot {n} {s} Estate, {c}, {k}",
    "{n}/{m} Soi {s}, {c} {p}, {k}",
    "{s} House, {n} {t}, {c}",
    "Bldg {m}, {s}, {c} (next to the {t} school)",
    "Flat {m}, {n} {s}, {c} {p}",
)
_COUNTRIES = (
    "Austria Belgium Brazil Chile Croatia Cyprus Czechia Denmark Egypt Estonia Finland France Germany Ghana Greece Greenland "
    "Hungary Iceland India Ireland Italy Japan Kenya Latvia Lithuania Malaysia Malta Mexico Morocco Nepal Netherlands Nigeria "
    "Norway Pakistan Peru Poland Portugal Romania Serbia Slovenia Spain Sweden Switzerland Tunisia Turkey Ukraine Uruguay"
).split()
_UNITS = ("Apt.", "Suite", "Unit", "Flat", "Floor", "Box", "Stg.", "ap.")
_KINDS = (
    "Street Str. Ave Radial Union Causeway Turnpike Burg Freeway Mews Quay Plaza Ridge Bypass Rue Allee Gasse".split()
)


def _street(scene: Scene) -> str:
    if scene.chance(0.6):
        return scene.pick(pools.faker_streets(scene.split))
    stem = pools.mimesis_words(scene.split, "en", "address", "street", "name")
    return f"{scene.pick(stem)} {scene.pick(_KINDS)}"


def unusual_address(scene: Scene) -> str:
    """An address as few templates have it; the city in capitals at times."""
    city = scene.pick(pools.faker_cities(scene.split))
    return scene.pick(_FORMS).format(
        s=_street(scene),
        t=_street(scene),
        c=city.upper() if scene.chance(0.2) else city,
        C=city.upper(),
        k=scene.pick(_COUNTRIES),
        n=scene.rng.randrange(1, 400) if scene.chance(0.8) else scene.digits(4),
        m=scene.rng.randrange(1, 99),
        p=scene.masked(scene.pick(("####", "#####", "?## ###", "### ##", "##-###", "?#? #?#"))),
        z=scene.digits(5),
        z4=scene.digits(4),
        b4=scene.digits(4),
        u=scene.pick(_UNITS),
        w=scene.pick(pools.mimesis_words(scene.split, "en", "person", "surnames")),
    )

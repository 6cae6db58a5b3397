"""What people type to get in: passwords, PINs, one-time and backup codes.

Everything is drawn at random, so no string here is, or looks copied from, anybody's secret.
"""

from keepmum_models.corpus.scene import Scene
from keepmum_models.corpus.values.names import HANDLE_WORDS

_LOWER = "abcdefghijklmnopqrstuvwxyz"
_UPPER = _LOWER.upper()
_DIGITS = "0123456789"
_ALNUM = _LOWER + _UPPER + _DIGITS
_SIGNS = "!@#$%^&*?+=~._-"
_PINYIN_WORDS = ("woaini", "xiaomao", "baobao", "zhongguo", "beijing", "laopo", "mima", "tianshi", "xingfu", "dashu")


def password(scene: Scene) -> str:
    """A password as people choose or generate it."""
    word, other = scene.pick(HANDLE_WORDS), scene.pick(HANDLE_WORDS)
    digits, sign = scene.digits(scene.rng.randrange(2, 5)), scene.pick(_SIGNS)
    leet = word.replace("a", "@").replace("o", "0").replace("e", "3").replace("i", "1")
    made = (
        f"{word.capitalize()}{digits}{sign}",
        f"{leet.capitalize()}{sign}{digits}",
        f"{word}{other}{digits}",
        f"{word}-{other}-{digits}",
        f"{word.capitalize()}{other.capitalize()}{sign}{digits}",
        f"{word}_{digits}",
        f"{digits}{word}{sign}",
        f"{scene.pick(_PINYIN_WORDS)}{digits}",
        f"{scene.pick(_PINYIN_WORDS).capitalize()}@{digits}",
        f"P@ss{word}{digits}",
        f"{word[:3]}{digits}{other[:3].upper()}{sign}",
        f"{word} {other} {scene.pick(HANDLE_WORDS)} {digits}",
        f"{word}.{other}.{scene.pick(HANDLE_WORDS)}",
        f"dev-{word.capitalize()}-{digits}",
        f"{word}{digits}",
        f"{word}{sign}{sign}{digits}",
    )
    drawn = scene.letters(scene.rng.randrange(8, 21), _ALNUM + _SIGNS).strip(".-_,")
    return scene.pick(
        (scene.pick(made), scene.pick(made), drawn or "x9!Kd0", scene.letters(scene.rng.randrange(8, 17), _ALNUM))
    )


def word_password(scene: Scene) -> str:
    """A password without digit or sign: only what is said about it tells that it is one."""
    words = [scene.pick((*HANDLE_WORDS, *_PINYIN_WORDS)) for _ in range(scene.pick((1, 2, 2, 3)))]
    joined = scene.pick(("", "", "-", "_")).join(words)
    return scene.pick((joined, joined, joined.capitalize(), joined.upper(), joined + "!"))


def pin(scene: Scene) -> str:
    """A PIN, at times with blanks or hyphens between its digits."""
    digits = scene.digits(scene.pick((4, 4, 4, 6, 6, 5)))
    if scene.chance(0.88):
        return digits
    pairs = [digits[at : at + 2] for at in range(0, len(digits), 2)]
    return scene.pick((" ".join(digits), "-".join(digits), " ".join(pairs), "-".join(pairs)))


def otp(scene: Scene) -> str:
    """A one-time code."""
    code = scene.digits(scene.pick((6, 6, 6, 6, 4, 8)))
    half = len(code) // 2
    return scene.pick(
        (
            code,
            code,
            code,
            code,
            f"{code[:half]}-{code[half:]}",
            f"{code[:half]} {code[half:]}",
            f"G-{code}",
            scene.letters(6, _UPPER + _DIGITS),
        )
    )


def backup_codes(scene: Scene) -> str:
    """Several spare one-time codes in a row."""
    shape = scene.pick(("dddd dddd", "hhhh-hhhh", "hhhhh-hhhhh", "dddddddd", "hhhhhhhhhh"))
    kinds = {"d": _DIGITS, "h": _LOWER + _DIGITS}
    made = (
        "".join(scene.letters(1, kinds[mark]) if mark in kinds else mark for mark in shape)
        for _ in range(scene.rng.randrange(2, 6))
    )
    return scene.pick((", ", "\n", " / ", "; ")).join(made)

"""Cards, accounts, wallets and the amounts that people earn, owe and own."""

from stdnum import luhn

from keepmum_models.corpus.scene import Scene
from keepmum_models.corpus.values.documents import iban_check

_CARDS = (
    ("4", 16),
    ("51", 16),
    ("52", 16),
    ("53", 16),
    ("55", 16),
    ("2221", 16),
    ("34", 15),
    ("37", 15),
    ("6011", 16),
    ("3528", 16),
    ("4", 16),
    ("54", 16),
)
_CARDS_ZH = (
    ("622202", 19),
    ("622848", 19),
    ("621700", 19),
    ("621661", 19),
    ("622588", 16),
    ("621226", 19),
    ("622609", 16),
    ("625", 16),
    ("436742", 16),
    ("621098", 19),
    ("623058", 19),
    ("4", 16),
)
_IBANS = (
    ("DE", "##################"),
    ("GB", "????##############"),
    ("FR", "#######################"),
    ("NL", "????##########"),
    ("ES", "####################"),
    ("CH", "#################"),
    ("AT", "################"),
    ("BE", "############"),
    ("IE", "????##############"),
    ("SE", "####################"),
    ("PL", "########################"),
    ("DK", "##############"),
    ("NO", "###########"),
)
_BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
_BECH32 = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
_HEX = "0123456789abcdef"
_CURRENCY = ("$", "€", "£", "US$", "CHF ", "₹", "A$", "¥", "Rs. ", "C$")
_SUFFIX = (" dollars", " euros", " pounds", " USD", " EUR", " bucks", "k", "K", " rupees", " francs", " grand")


def bank_card(scene: Scene) -> str:
    """A card number with its Luhn digit, grouped or not."""
    prefix, length = scene.pick(_CARDS_ZH if scene.language == "zh" and scene.chance(0.85) else _CARDS)
    body = prefix + scene.digits(length - 1 - len(prefix))
    full = body + luhn.calc_check_digit(body)
    joint = scene.pick((" ", " ", "-", "", "", ""))
    if length == 15:
        return joint.join((full[:4], full[4:10], full[10:]))
    return joint.join(full[at : at + 4] for at in range(0, length, 4))


def iban(scene: Scene) -> str:
    """An IBAN with right check digits."""
    country, mask = scene.pick(_IBANS)
    account = scene.masked(mask)
    full = f"{country}{iban_check(country, account)}{account}"
    return " ".join(full[at : at + 4] for at in range(0, len(full), 4)) if scene.chance(0.5) else full


def bank_account(scene: Scene) -> str:
    """An account number, an IBAN, or sort code or routing number with account."""
    if scene.language == "zh":
        return scene.masked(
            scene.pick(
                (
                    "62#################",
                    "################",
                    "####################",
                    "6217 #### #### #### ###",
                    "#### #### #### #### ###",
                    "############",
                )
            )
        )
    if scene.chance(0.5):
        return iban(scene)
    return scene.masked(
        scene.pick(
            (
                "##########",
                "########",
                "############",
                "##-##-## ########",
                "#### #### ##",
                "0########",
                "###-######-#",
                "######-########",
                "####-#######",
                "0210#####",
            )
        )
    )


def swift(scene: Scene) -> str:
    """A bank's code in payments, or its routing number; with the account behind it, it says where somebody banks."""
    return scene.masked(
        scene.pick(("????US%#", "????GB#?", "????DE??", "????FR??###", "????SG??", "0########", "##-##-##"))
    )


def crypto_wallet(scene: Scene) -> str:
    """A wallet address."""
    return scene.pick(
        (
            f"0x{scene.letters(40, _HEX + 'ABCDEF')}",
            f"0x{scene.letters(40, _HEX)}",
            f"bc1q{scene.letters(38, _BECH32)}",
            f"1{scene.letters(33, _BASE58)}",
            f"3{scene.letters(33, _BASE58)}",
            f"T{scene.letters(33, _BASE58)}",
            scene.letters(44, _BASE58),
            f"ltc1q{scene.letters(38, _BECH32)}",
            f"4{scene.letters(94, _BASE58)}",
            f"r{scene.letters(33, _BASE58)}",
        )
    )


def amount_en(scene: Scene) -> str:
    """An amount of money."""
    size = scene.rng.choice(
        (
            scene.rng.randrange(100, 999) * 10,
            scene.rng.randrange(1000, 99999),
            scene.rng.randrange(10, 900) * 1000,
            scene.rng.randrange(20, 950),
        )
    )
    plain = scene.pick(
        (
            f"{size:,}",
            f"{size:,}",
            str(size),
            f"{size:,}.{scene.digits(2)}",
            f"{size / 1000:.1f}k" if size > 2000 else f"{size}",
        )
    )
    if scene.chance(0.55):
        return scene.pick(_CURRENCY) + plain
    if plain[-1] == "k":
        return plain
    suffix = scene.pick(_SUFFIX)
    return f"{scene.rng.randrange(2, 400)}{suffix}" if suffix in {"k", "K", " grand"} else plain + suffix


def amount_zh(scene: Scene) -> str:
    """An amount in yuan, in digits or numerals."""
    ten_thousands = scene.rng.randrange(1, 300)
    return scene.pick(
        (
            f"{scene.rng.randrange(1000, 90000)}元",
            f"{scene.rng.randrange(1000, 90000):,}元",
            f"{ten_thousands}万",
            f"{ten_thousands}万元",
            f"{ten_thousands / 10:.1f}万",
            f"{scene.rng.randrange(10, 99) * 100}块",
            f"￥{scene.rng.randrange(1000, 200000):,}",
            f"{scene.pick('一二三四五六七八九')}万{scene.pick('一二三四五六七八九')}",
            f"{scene.pick('两三五六八')}十多万",
            f"{scene.pick('三四五六七八九')}千块",
            f"{scene.rng.randrange(1000, 50000)}.{scene.digits(2)}元",
            f"{ten_thousands}w",
            f"{scene.rng.randrange(3, 60)}k",
            f"人民币{scene.rng.randrange(1000, 900000):,}.00元",
            f"RMB {scene.rng.randrange(1000, 900000):,}",
            f"¥{scene.rng.randrange(100, 90000):,}.{scene.digits(2)}",
            f"{scene.rng.randrange(1000, 90000):,}.{scene.digits(2)}",
            f"{scene.pick('壹贰叁伍陆柒捌玖')}佰{scene.pick('贰叁肆伍陆柒捌')}拾万元整",
            f"{scene.rng.randrange(2, 90) / 10}亿元",
            f"{scene.pick('一二三五六八')}{scene.pick('百十')}{scene.pick('二三五六')}十万元",
        )
    )


def finance_en(scene: Scene) -> str:
    """An amount with the words that make it one of somebody's finances."""
    amount = amount_en(scene)
    return scene.pick(
        (
            amount,
            amount,
            amount,
            f"{amount} a year",
            f"{amount} per month",
            f"{amount}/mo",
            f"{amount} in debt",
            f"{amount} of student loans",
            f"{amount} in savings",
            f"{amount} before tax",
            f"{amount} overdraft",
            f"{amount} mortgage",
            f"{amount} net",
        )
    )


def finance_zh(scene: Scene) -> str:
    """The same in Chinese."""
    amount = amount_zh(scene)
    head = scene.pick(
        (
            "月薪",
            "年薪",
            "年收入",
            "月收入",
            "存款",
            "负债",
            "房贷",
            "欠款",
            "公积金",
            "年终奖",
            "信用卡欠了",
            "工资",
            "税后",
            "月供",
            "授信额度",
            "净资产",
            "个税",
            "实发工资",
            "持仓市值",
            "贷款余额",
            "账户余额",
            "保额",
            "每月还款",
        )
    )
    return scene.pick((amount, amount, f"{head}{amount}", f"{head}{amount}", f"每月{amount}"))


def credit_score(scene: Scene) -> str:
    """A credit score with the word that says so, in the language of the message."""
    score = scene.rng.randrange(350, 950)
    forms = (
        (f"征信分{score}", f"芝麻信用{score}分")
        if scene.language == "zh"
        else (f"credit score of {score}", f"credit score {score}", f"{score} credit score")
    )
    return scene.pick(forms)

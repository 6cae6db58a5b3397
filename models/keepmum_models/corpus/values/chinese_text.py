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
    "1101019########",
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

_ORGANS = (
    "胆囊 阑尾 甲状腺次全 乳腺肿物 子宫全 卵巢囊肿 扁桃体 脾 胃大部 肺叶 前列腺 半月板 结肠息肉 痔 声带息肉".split()
)
_OPERATIONS = (
    "剖宫产术 冠脉支架植入术 膝关节置换术 白内障超声乳化术 心脏搭桥手术 骨折内固定术 人工流产术 疝修补术 肾移植 种植牙 近视激光手术 宫腔镜检查术 胃镜下止血 试管婴儿移植 "
    "变性手术 输精管结扎 包皮环切术 清宫术 化疗第三周期 放疗 血液透析 起搏器植入术"
).split()
_FINDINGS = (
    "神志清楚 双肺呼吸音清 心律齐 腹软无压痛 双下肢无水肿 颈软无抵抗 咽部充血 双肺可闻及湿啰音 右下腹压痛反跳痛 双侧瞳孔等大等圆 肝脾肋下未触及 病理征阴性 四肢肌力4级 全身皮疹 "
    "巩膜黄染 精神萎靡 结膜苍白 心尖部杂音 宫口开大2厘米 胎心正常 伤口愈合良好 伤口渗血"
).split()


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


def operation(scene: Scene) -> str:
    """An operation or treatment that somebody had."""
    if scene.chance(0.5):
        return (
            scene.pick(("腹腔镜", "", "左侧", ""))
            + scene.pick(_ORGANS)
            + scene.pick(("切除术", "切除手术", "微创切除"))
        )
    return scene.pick(_OPERATIONS)


def finding(scene: Scene) -> str:
    """What a doctor wrote of an examination."""
    return scene.pick(_FINDINGS)


def permit(scene: Scene) -> str:
    """Number of an officer's or soldier's card, a travel or residence permit."""
    return scene.masked(scene.pick(_PERMITS))


def card_tail(scene: Scene) -> str:
    """The last digits by which a bank names a card."""
    return scene.digits(4)


def serial(scene: Scene) -> str:
    """An order, parcel, flight, standard, model or batch: of a thing, not of a person."""
    return scene.masked(scene.pick(_SERIALS))

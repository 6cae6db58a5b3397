"""Names and addresses in the script of their country, for sentences of that language."""

import re
from functools import cache

from keepmum_models.corpus import pools
from keepmum_models.corpus.scene import Maker, Scene
from keepmum_models.corpus.splits import Split

PATTERNS = {
    "arabic": r"[\u0600-\u06ff]",
    "hindi": r"[\u0900-\u097f]",
    "cyrillic": r"[\u0400-\u04ff]",
    "japanese": r"[\u3040-\u30ff\u4e00-\u9fff]",
    "korean": r"[\uac00-\ud7af]",
}
_ADDRESSES = {
    "arabic": (
        ("شارع {s}، مبنى {n}، شقة {m}، {c}", "حي {s}، {c} {p}", "{n} شارع {s}، {c}", "برج {s}، الطابق {m}، {c}"),
        "النخيل الورود الجامعة السلام الزيتون المطار البحر الوحدة النور الياسمين الصفا الربيع الميناء الحرية".split(),
        "الرياض جدة القاهرة دبي عمان بيروت الدوحة بغداد تونس الجزائر الكويت مسقط الرباط حلب".split(),
    ),
    "hindi": (
        ("मकान नंबर {n}, {s} नगर, {c} {p}", "फ्लैट {m}, {s} अपार्टमेंट, सेक्टर {n}, {c}", "{n}, {s} मार्ग, {c}"),
        "गांधी शांति अशोक विकास राजीव नेहरू सरोजनी कमला इंदिरा आनंद लक्ष्मी सूर्य हरि गंगा".split(),
        "दिल्ली मुंबई जयपुर लखनऊ पटना भोपाल इंदौर पुणे नागपुर कानपुर आगरा वाराणसी रांची सूरत".split(),
    ),
    "cyrillic": (
        ("ул. {s}, д. {n}, кв. {m}, {c}, {p}0", "{c}, улица {s}, дом {n}, квартира {m}", "{s} улица, {n}, {c}"),
        "Садовая Лесная Речная Школьная Зелёная Новая Полевая Морская Озёрная Вишнёвая Мира Победы Южная".split(),
        "Москва Казань Самара Омск Пермь Тула Киев Минск Томск Уфа Сочи Рязань Тверь Харьков".split(),
    ),
    "japanese": (
        ("{c}{s}町{n}-{m}", "〒{q}-{p} {c}{s}区{n}丁目{m}番", "{c}{s}{n}-{m}-{k}{s}マンション{m}号室"),
        "桜 緑 若葉 青葉 旭 泉 栄 港 西 東 本 大和 朝日 花園 松原".split(),
        "東京都 大阪市 名古屋市 札幌市 福岡市 京都市 神戸市 仙台市 広島市 横浜市 新潟市 静岡市 熊本市 岡山市".split(),
    ),
    "korean": (
        ("{c} {s}로 {n}, {m}동 {p}호", "{c} {s}구 {s}동 {n}-{m}", "{c} {s}길 {n}"),
        "중앙 송파 강서 마포 한빛 은행 달빛 푸른 새벽 소나무 해안 벚꽃 무지개 샘터".split(),
        "서울특별시 부산광역시 대구광역시 인천광역시 광주광역시 대전광역시 울산광역시 수원시 성남시 고양시 용인시 창원시".split(),
    ),
}


_JAPANESE_FAMILY = (
    "佐藤 鈴木 高橋 田中 伊藤 渡辺 山本 中村 小林 加藤 吉田 山田 佐々木 山口 松本 井上 木村 斎藤 清水 山崎 池田 橋本 阿部 石川 前田 藤田 "
    "小川 岡田 後藤 長谷川 村上 近藤 石井 坂本 遠藤 青木 藤井 西村 福田 太田 三浦 岡本 松田 中島 原田 中野 小野 田村 竹内 金子"
).split()
_JAPANESE_GIVEN = (
    "翔太 大輔 健一 直樹 拓也 誠 浩二 蓮 陽翔 湊 悠真 樹 隼人 智也 亮 修平 康平 美咲 さくら 陽菜 葵 結衣 凛 花子 由美子 恵 真由美 愛子 直子 "
    "千尋 優子 麻衣 彩香 菜々子 裕子 里奈 明日香 ひなた あかり みゆき ひろし たける ケンジ ユウコ 和也 沙織 良太 一郎 詩織 奈緒"
).split()


@cache
def _pools(split: Split, script: str) -> tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]:
    """Return the name tables in a script; all foreign ones where this side of the split has none."""
    if script == "japanese":
        return ((split.part(_JAPANESE_GIVEN), split.part(_JAPANESE_FAMILY)),)
    tables = pools.foreign_locales(split)
    return tuple(pair for pair in tables if all(re.match(PATTERNS[script], words[0]) for words in pair)) or tables


def name(script: str) -> Maker:
    """Return a maker of full names in a script."""

    def make(scene: Scene) -> str:
        given_pool, family_pool = scene.pick(_pools(scene.split, script))
        given, family = scene.pick(given_pool), scene.pick(family_pool)
        if script in {"japanese", "korean"}:
            return family + scene.pick(("", "", " ")) + given
        return scene.pick((f"{given} {family}", f"{given} {family}", f"{given} {scene.pick(given_pool)} {family}"))

    return make


def address(script: str) -> Maker:
    """Return a maker of postal addresses in a script."""
    forms, streets, cities = _ADDRESSES[script]

    def make(scene: Scene) -> str:
        text = scene.pick(forms).format(
            s=scene.pick(streets),
            c=scene.pick(cities),
            n=scene.rng.randrange(1, 290),
            m=scene.rng.randrange(1, 99),
            k=scene.rng.randrange(1, 20),
            p=scene.masked("%####"[: 4 if script in {"japanese", "korean"} else 5]),
            q=scene.masked("%##"),
        )
        if script == "arabic" and scene.chance(0.4):
            text = text.translate({48 + digit: 0x660 + digit for digit in range(10)})
        return text

    return make


def arabic_phone(scene: Scene) -> str:
    """A telephone number in Arabic digits, or in Latin ones."""
    number = scene.masked(scene.pick(("05########", "+9665########", "01########", "+97150#######", "07## ### ####")))
    return number.translate({48 + digit: 0x660 + digit for digit in range(10)}) if scene.chance(0.6) else number


SCRIPTS = tuple(PATTERNS)

"""Names of people and the user names they make of them.

Many countries in Latin letters and in their own scripts; Chinese names with rare and compound family names, names of
minorities, nicknames, forms of address.
"""

import re
import unicodedata

from keepmum_models.corpus import lexicon, pools
from keepmum_models.corpus.scene import Person, Scene

_GIVEN_CHARACTERS = (
    "安邦宝斌冰博才昌畅超辰晨成程诚驰楚川春慈聪翠达丹德帝典东栋冬端恩尔凡芳菲飞芬丰枫锋凤孚福富刚歌格根耕功冠光广贵桂国果海涵翰瀚航豪昊浩皓"
    "和荷贺赫恒弘红宏虹鸿厚花华桦怀欢焕辉慧惠吉季佳嘉坚建剑健江姣娇杰洁金锦津瑾进靖静晶菁景敬静炯娟隽军君俊骏凯康珂可克坤岚兰朗乐雷蕾磊黎丽"
    "莉立励利良亮琳霖林玲凌灵龙露璐禄律洛茂梅美萌蒙梦淼民敏明铭牧沐穆娜楠妮宁凝念诺攀沛培朋鹏平萍琪齐祺琦启千茜倩谦强巧钦勤青清晴庆秋泉荃群"
    "然冉仁荣蓉融如茹瑞睿若森珊善尚少绍深申升生声圣胜晟诗石时实世书淑舒树硕思松颂苏素泰涛腾天恬田甜铁婷庭通童彤桐望薇维伟玮蔚文雯武希西熙曦霞"
    "先贤娴显祥翔向潇晓笑欣昕新心馨鑫信星兴行杏雄秀旭轩萱璇雪勋训雅亚岩延言妍彦艳燕阳扬瑶耀业晔一伊怡依宜仪逸奕艺益毅轶英莹盈影颖永勇咏悠友"
    "有佑宇雨玉钰煜育誉渊元媛圆远悦月岳越云芸韵泽增展章昭哲珍真振正志智致中忠钟洲珠竹卓子梓紫宗祖"
)
COMPOUND = (
    "欧阳 司马 上官 诸葛 东方 皇甫 尉迟 公孙 慕容 令狐 司徒 端木 夏侯 宇文 长孙 轩辕 南宫 独孤 完颜 呼延 "
    "闻人 澹台 淳于 申屠 钟离 拓跋"
).split()
COMMON = (
    "王李张刘陈杨黄赵周吴徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟谭陆汪范金石"
    "廖贾夏韦付方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严覃武戴莫孔向汤"
)
_MINORITY_GIVEN = (
    "阿依古丽 买买提 艾力 阿卜杜拉 努尔兰 古丽娜尔 帕提古丽 吐尔逊 热依汗 玉素甫 扎西 卓玛 央金 多吉 次仁 丹增 格桑 旺堆 "
    "拉姆 巴桑 其其格 乌兰 巴特尔 苏日娜 娜仁托娅 哈斯 格日勒 那日松 萨仁 阿古拉 苏和 呼和 白玛 曲珍 米玛 洛桑 边巴 阿呷 木嘎 "
    "依布拉音 阿不都 居马 叶尔江 阿丽亚 古丽米热 迪丽 木合塔尔 塔依尔 热合曼"
).split()
_MINORITY_FAMILY = (
    "买买提 艾合买提 吐尔逊 依明 热合曼 玉素甫 卡德尔 扎西 次仁 顿珠 平措 加措 旺姆 德吉 巴雅尔 孟和 朝鲁 阿迪力 "
    "沙吾提 肉孜 库尔班 阿西木 吉木 沙马 曲比"
).split()
_TITLES = (
    "医生 大夫 老师 教授 主任 经理 总监 律师 师傅 阿姨 叔叔 女士 先生 护士 警官 院长 校长 护士长 科长 会计 老板 工 总 董 局 处 哥 姐 "
    "同学 博士 教练 医师 秘书 店长"
).split()
_NICK_HEADS = ("小", "老", "阿", "大")
_PARTICLES = ("van der", "de la", "von", "bin", "al-", "de", "da", "van", "dos", "O'", "Mc", "Mac", "ibn", "ter", "di")
_PINYIN = (
    "an bai bo cai cheng chun dan dong fang fei gang guo hai hao hong hua hui jia jian jie jing jun kai lan lei li "
    "lin ling long lu mei meng min ming na ning peng ping qi qiang qing rong rui shan shi tao ting wei wen xia "
    "xiang xiao xin xing xiu xu xue yan yang yi ying yong yu yuan yue yun ze zhen zhi zhong zi ruo si han"
).split()
_PINYIN_FAMILY = (
    "wang li zhang liu chen yang huang zhao zhou wu xu sun ma zhu hu guo he gao lin luo zheng liang xie song tang "
    "han feng deng cao peng zeng xiao tian dong yuan pan jiang cai yu du ye cheng su wei lv ding ren shen yao lu "
    "jiang cui zhong tan wang fan jin shi liao jia xia ouyang sima zhuge shangguan"
).split()
HANDLE_WORDS = (
    "sky moon tiger cloud pixel maple coffee night river panda fox code star rain wolf mango lazy happy green dark "
    "tiny ocean snow lucky ninja robot cat bear storm echo peach violet zen blue silent frost jazz toast bean "
    "koala otter comet ember pine nova drift lotus"
).split()


def ascii_word(word: str) -> str:
    """Return the lower-case ASCII letters of a word."""
    flat = unicodedata.normalize("NFKD", word.replace("ß", "ss").replace("ø", "o").replace("ł", "l"))
    return re.sub(r"[^a-z]", "", flat.lower())


def western(scene: Scene) -> Person:
    """A name of one of some seventy countries in Latin letters, sometimes with two given or family names."""
    given_pool, family_pool = scene.pick(pools.latin_locales(scene.split))
    if scene.chance(0.45):  # English and Chinese writers know mostly English, Indian, Spanish names
        given_pool = pools.mimesis_words(scene.split, "en", "person", "names", scene.pick(("female", "male")))
        family_pool = pools.mimesis_words(scene.split, "en", "person", "surnames")
    given, family = scene.pick(given_pool), scene.pick(family_pool)
    if scene.chance(0.06):
        family = f"{family}-{scene.pick(family_pool)}"
    elif scene.chance(0.05):
        particle = scene.pick(_PARTICLES)
        family = particle + family if particle[-1] in "'-c" else f"{particle} {family}"
    middle = ""
    if scene.chance(0.12):
        middle = f"{scene.pick(given_pool)} " if scene.chance(0.5) else f"{scene.masked('?')}. "
    latin = (ascii_word(given) or "x", ascii_word(family) or "y")
    return Person(f"{given} {middle}{family}", given, family, latin, scene.chance(0.5))


def western_full(scene: Scene) -> str:
    """The full name of somebody of those countries."""
    return scene.admitted(lambda drawn: western(drawn).full)


def romanised(scene: Scene) -> Person:
    """A Chinese name in pinyin, family name first or last."""
    syllables = [scene.pick(_PINYIN) for _ in range(1 if scene.chance(0.25) else 2)]
    family = scene.pick(scene.split.part(_PINYIN_FAMILY)).capitalize()
    given = ("-" if scene.chance(0.1) else "").join(syllables).capitalize()
    full = f"{family} {given}" if scene.chance(0.6) else f"{given} {family}"
    return Person(full, given, family, ("".join(syllables), family.lower()), scene.chance(0.5))


def foreign_script(scene: Scene) -> Person:
    """A name in the script of its country: Japanese, Korean, Cyrillic, Arabic, Devanagari ..."""
    given_pool, family_pool = scene.pick(pools.foreign_locales(scene.split))
    given, family = scene.pick(given_pool), scene.pick(family_pool)
    joint = "" if re.search(r"[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]", given + family) else " "
    full = f"{family}{joint}{given}" if not joint else f"{given} {family}"
    return Person(full, given, family, (scene.pick(_PINYIN), scene.pick(_PINYIN_FAMILY)), scene.chance(0.5))


def chinese(scene: Scene) -> Person:
    """A Chinese name: common, rare and compound family names, one or two given characters, some of minorities."""
    table, families = pools.chinese_names(scene.split)
    if scene.chance(0.06):
        given, family = scene.pick(scene.split.part(_MINORITY_GIVEN)), scene.pick(scene.split.part(_MINORITY_FAMILY))
        full = scene.pick((f"{given}·{family}", given + family, given))
        return Person(full, given, family, (scene.pick(_PINYIN), scene.pick(_PINYIN)), scene.chance(0.5))
    family = scene.pick(COMMON) if scene.chance(0.72) else scene.pick(families)
    if scene.chance(0.07):
        family = scene.pick(COMPOUND)
    given = scene.pick(table) if scene.chance(0.25) else _given(scene)
    latin = ("".join(scene.pick(_PINYIN) for _ in given[:2]), scene.pick(_PINYIN_FAMILY))
    return Person(family + given, given, family, latin, scene.chance(0.5))


def _given(scene: Scene) -> str:
    count = 1 if scene.chance(0.2) else 2
    while True:
        if scene.chance(0.5):  # as in real names, with the rare characters and the ordinary words among them
            first, second = lexicon.given_characters()
            given = scene.pick(first) * (count - 1) + scene.pick(second)
        else:
            given = scene.letters(count, _GIVEN_CHARACTERS)
        if scene.chance(0.06) and count == 2:
            given = given[0] * 2
        if scene.split.admits(given):
            return given


def person(scene: Scene) -> Person:
    """A person as fits the language of the message.

    Given and full name both belong to this side of the split: written without blanks, the full name of one person can
    be the given name of another.
    """
    while True:
        found = _drawn(scene)
        if scene.split.admits(found.given) and scene.split.admits(found.full):
            return found


def _drawn(scene: Scene) -> Person:
    draw = scene.rng.random()
    if scene.language == "zh":
        return chinese(scene) if draw < 0.9 else western(scene) if draw < 0.96 else romanised(scene)
    if draw < 0.8:
        return western(scene)
    return romanised(scene) if draw < 0.97 else foreign_script(scene)


def is_chinese(found: Person) -> bool:
    """Whether the name is written in Chinese characters without a blank."""
    return bool(re.fullmatch(r"[\u4e00-\u9fff·]+", found.full))


def short_form(scene: Scene, found: Person) -> str:
    """How friends and colleagues call the person: given name, 小王, 王姐, 李医生, initials with a family name."""
    if is_chinese(found):
        forms = [found.given * 2 if len(found.given) == 1 else found.given]
        if len(found.family) <= 2:
            forms.append(found.family + scene.pick(_TITLES))
            forms.append(scene.pick(_NICK_HEADS) + (found.family if scene.chance(0.6) else found.given[-1]))
        allowed = [form for form in forms if scene.split.admits(form)]
        return scene.pick(allowed) if allowed else found.full
    return found.given


def with_title_zh(scene: Scene, found: Person) -> str:
    """A family name with the form of address that follows it; the whole names the person."""
    if not is_chinese(found) or "·" in found.full or len(found.family) > 2:
        return found.full
    form = found.family + scene.pick(_TITLES)
    return form if scene.split.admits(form) else found.full


def reversed_form(scene: Scene, found: Person) -> str:
    """The name as directories print it: family name, comma, given name; Chinese names stay."""
    return found.full if is_chinese(found) else f"{found.family}, {found.given}"


def username(scene: Scene, found: Person) -> str:
    """A user name: from the name or from words, with or without digits."""
    given, family = found.latin
    digits = scene.digits(scene.rng.randrange(1, 5))
    words = (scene.pick(HANDLE_WORDS), scene.pick(HANDLE_WORDS))
    return scene.pick(
        (
            f"{given}{digits}",
            f"{given}.{family}",
            f"{given}_{family}",
            f"{given[0]}{family}{digits}",
            f"{family}{given[0]}",
            f"{words[0]}_{words[1]}{digits}",
            f"{words[0]}{words[1]}",
            f"{words[0]}{digits}",
            f"x_{given}_x",
            f"{given}the{words[0]}",
            f"{words[0]}-{given}",
            f"real{given.capitalize()}{digits}",
            f"{words[0].capitalize()}{words[1].capitalize()}{digits}",
        )
    )

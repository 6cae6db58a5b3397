"""Names as Chinese prose has them: of old times, of the neighbours, of the cloister, of the stage, of the court report."""

from keepmum_models.corpus import lexicon, pools
from keepmum_models.corpus.scene import Scene
from keepmum_models.corpus.values import names, transliteration

_ORDINARY_ENDS = "之一生见男来合印民初人春公高向对和为同正明会可因由先从方有成在文化石开国安发上中下平常年月日心天名力光声图电机本气全年路水"
"""Characters that end given names and begin many words: where such a name ends shows only in what follows."""

_TEMPLE = "太高世中仁英神哲徽钦孝光宁理度恭端昭宣穆敬文武懿僖哀德顺宪成景熹思真圣玄肃代睿显定道"
_POSTHUMOUS = "武文宣明元成平桓灵献惠怀愍安康简穆哀孝昭襄庄景厉幽悼威闵烈隐怀恭"
_REALMS = "秦 汉 魏 晋 宋 齐 梁 陈 隋 唐 辽 金 元 明 清 赵 燕 楚 吴 越 蜀 后唐 后汉 北魏 北周 南唐 西夏 东吴 前秦 后赵".split()
_REIGN = "光绪康熙雍正乾隆嘉庆道光咸丰同治宣统永乐洪武万历崇祯天启泰昌贞观元和大中至德建安延保昭和平成明宽文享"
_OLD_RANKS = "王 公 侯 夫人 太后 皇后 公主 贵妃 妃 氏 太子 世子".split()
_MONK_MARKS = "永信明觉慧法海空净玄真了悟圆通妙智弘一道宗印虚云太普照寂静藏印顺星能行澄观善导本"
_MONK_ENDS = ("", "", "法师", "禅师", "大师", "和尚", "上人", "道长", "真人")
_JAPANESE_FAMILY = (
    "佐藤 铃木 高桥 田中 渡边 伊藤 山本 中村 小林 加藤 吉田 山田 佐佐木 山口 松本 井上 木村 清水 山崎 阿部 池田 桥本 石川 前田 藤田 小川 冈田 后藤 长谷川 村上 "
    "近藤 石井 坂本 远藤 青木 藤井 西村 福田 太田 三浦 冈本 松田 中川 中野 原田 小野 田村 竹内 金子 和田 中山 石田 上田 森田 柴田 酒井 工藤 横山 宫崎 宫本 内田 高木 "
    "安藤 谷口 大野 丸山 今井 河野 藤原 菊地 早川 望月 本多 织田 丰臣 德川 武田 上杉 伊达 毛利 岛津 北条 足利 源 平 浅井 真田 二宫 大和田 久保 水野 黑川 白石 松尾"
).split()
_JAPANESE_GIVEN = "一二三太郎次介助平之男夫雄子美惠香奈菜绘里由纪幸信秀长义家康政宗光正直哉也人翔大辉健拓真树斗诚隆浩明和彦子代枝乃音步花梨纱织葵咲樱智弘敏吉晴久昭宽".replace(
    "子子", "子"
)
_KOREAN_FAMILY = tuple("金李朴崔郑姜赵尹张林吴韩申徐权黄安宋柳洪全高文孙白许南沈卢河郭成车朱禹具闵")
_KOREAN_GIVEN = "俊民智恩秀贤宇真成勋载锡镇洙永哲美京熙善英姬东元世允惠敏彩妍瑞泰亨正国南浩相奎大中正恩宰昌旭基范仁"
_VIET_FAMILY = tuple("阮陈黎范黄潘武邓裴杜胡吴杨李丁")
_STAGE_HEADS = ("小", "阿", "大", "老", "胖", "Angela", "Baby", "DJ", "MC", "老虎")
_SOFT = "豆米糖果鱼猫兔熊丸子圆点点乐乐鹿星月晨冰雨雪乔安妮可可欣甜桃柚茉诺希饭沫棠初浅夏"
_COURTESY = "子伯仲叔季元公文德孟长士景君彦安之之明远甫卿章阳思道游"
_KIN = "哥 姐 叔 爷 妹 弟 嫂 姨 总 导 爸 妈 少 哥哥 姐姐 爷爷 大爷 婶".split()
_EVERYMAN = (
    "张三 李四 王五 赵六 孙七 周八 吴九 郑十 李雷 韩梅梅 小明 小红 小刚 小王 小李 小张 老王 王小明 李小红".split()
)
_ADDRESSED = (
    "女士 先生 某 某某 女士 先生 老师 医生 律师 经理 警官 老太 大妈 老汉 师傅 教授 同学 阿姨 队长 导演 书记 主任"
).split()


def _family(scene: Scene) -> str:
    return scene.pick(names.COMMON) if scene.chance(0.7) else scene.pick(pools.chinese_names(scene.split)[1])


def citizen(scene: Scene) -> str:
    """A full Chinese name whose given characters are as frequent as in real names, rare ones among them."""
    first, second = lexicon.given_characters()

    def made(drawn: Scene) -> str:
        family = drawn.pick(names.COMPOUND) if drawn.chance(0.04) else _family(drawn)
        if drawn.chance(0.16):
            return family + drawn.pick(second)
        return family + drawn.pick(first) + drawn.pick(_ORDINARY_ENDS if drawn.chance(0.15) else second)

    return scene.admitted(made)


def surname(scene: Scene) -> str:
    """A family name alone, as it stands before `女士` or `某`."""
    return scene.pick(scene.split.part(tuple(names.COMMON)))


def everyman(scene: Scene) -> str:
    """The John Doe of Chinese examples: nobody's, so it is not split between training and held-back users."""
    return scene.pick(_EVERYMAN)


def addressed(scene: Scene) -> str:
    """What follows a family name in a report; no part of the name."""
    return scene.pick(_ADDRESSED)


def nickname(scene: Scene) -> str:
    """A pet name, screen name or stage name."""

    def made(drawn: Scene) -> str:
        return drawn.pick(
            (
                drawn.pick(_STAGE_HEADS[:5]) + drawn.pick(_family(drawn) + drawn.pick(_SOFT)),
                drawn.pick(_SOFT) * 2,
                drawn.pick(_SOFT) + drawn.pick(_SOFT),
                drawn.pick(lexicon.given_characters()[1]) + drawn.pick(_KIN),
                _family(drawn) + drawn.pick(_KIN),
                drawn.pick(_STAGE_HEADS) + drawn.pick(_SOFT) * 2,
                "小" + drawn.pick(_SOFT) + drawn.pick(("儿", "子", "宝")),
                _family(drawn) + "大" + drawn.pick(("圣", "仙", "嘴", "侠", "爷")),
            )
        )

    return scene.admitted(made)


def ancient(scene: Scene) -> str:
    """Somebody of the chronicles: ruler by temple or posthumous name, consort, lord, hermit, courtesy name."""

    def made(drawn: Scene) -> str:
        first, _ = lexicon.given_characters()
        return drawn.pick(
            (
                f"{drawn.pick(_REALMS)}{drawn.pick(_TEMPLE)}{drawn.pick(('宗', '祖'))}",
                f"{drawn.pick(_TEMPLE)}{drawn.pick(('宗', '祖'))}",
                f"{drawn.letters(2, _REIGN)}{drawn.pick(('', '帝', '皇帝'))}",
                f"{drawn.pick(first)}{drawn.pick(('国公', '郡王', '王', '侯', '公'))}",
                f"{drawn.pick(_REALMS)}{drawn.pick(_POSTHUMOUS)}{drawn.pick(('帝', '王', '公', '侯'))}",
                f"{_family(drawn)}{drawn.pick(first)}",
                f"{_family(drawn)}{drawn.pick(first)}",
                f"{drawn.pick(names.COMPOUND)}{drawn.pick(first)}",
                f"{_family(drawn)}{drawn.pick(_OLD_RANKS)}",
                f"{drawn.pick(_COURTESY)}{drawn.pick(_COURTESY)}",
                f"{drawn.pick(first)}{drawn.pick(('公主', '太子', '王爷', '贝勒', '夫人', '先生', '居士', '将军'))}",
                f"{drawn.pick(_COURTESY)}{drawn.pick(first)}",
            )
        )

    return scene.admitted(made)


def courtesy(scene: Scene) -> str:
    """A courtesy name or style."""
    return scene.admitted(
        lambda drawn: drawn.pick(_COURTESY) + drawn.pick(drawn.pick((_COURTESY, *lexicon.given_characters())))
    )


def cleric(scene: Scene) -> str:
    """A monk, nun, priest, saint."""

    def made(drawn: Scene) -> str:
        name = drawn.pick(_MONK_MARKS) + drawn.pick(_MONK_MARKS)
        if drawn.chance(0.25):
            return drawn.pick(("圣", "使徒", "")) + transliteration.given(drawn)
        return ("释" if drawn.chance(0.4) else "") + name + drawn.pick(_MONK_ENDS)

    return scene.admitted(made)


def neighbour(scene: Scene) -> str:
    """A Japanese, Korean, Vietnamese name in Chinese characters."""

    def made(drawn: Scene) -> str:
        draw = drawn.rng.random()
        if draw < 0.55:
            family = drawn.pick(_JAPANESE_FAMILY)
            if drawn.chance(0.35):
                return family if drawn.chance(0.55) else drawn.letters(2, _JAPANESE_GIVEN)
            return family + drawn.letters(drawn.pick((1, 2, 2, 2, 3)), _JAPANESE_GIVEN)
        if draw < 0.85:
            return drawn.pick(_KOREAN_FAMILY) + drawn.letters(drawn.pick((1, 2, 2, 2)), _KOREAN_GIVEN)
        return (
            drawn.pick(_VIET_FAMILY)
            + drawn.pick(("文", "氏", ""))
            + "".join(drawn.pick(lexicon.given_characters()[1]) for _ in range(drawn.pick((1, 2))))
        )

    return scene.admitted(made)


def steppe(scene: Scene) -> str:
    """A Manchu, Mongolian, Tibetan, Uighur name in Chinese characters."""

    def made(drawn: Scene) -> str:
        marks = "阿巴尔图多额尔泰福康安胡努隆布扎克苏格铁木真哈台察罕帖儿必烈和硕噶丹策零罗桑嘉措丹增班禅旺堆次仁依提玛吾力江"
        parts = drawn.letters(drawn.pick((2, 3, 3, 4, 4, 5)), marks)
        if drawn.chance(0.2):
            return f"{parts}·{drawn.letters(drawn.pick((2, 3, 4)), marks)}"
        return parts

    return scene.admitted(made)


def somebody(scene: Scene) -> str:
    """Any of the persons of this module, as an article mentions them."""
    makers = (citizen, citizen, citizen, ancient, neighbour, cleric, steppe, transliteration.mentioned, nickname)
    return scene.pick(makers)(scene)


def anybody(scene: Scene) -> str:
    """Somebody of the news of the day: mostly a full Chinese name, a foreign one without dots, a stage name."""
    draw = scene.rng.random()
    if draw < 0.62:
        return citizen(scene)
    if draw < 0.82:
        return transliteration.spoken(scene)
    return scene.pick((neighbour, nickname, steppe, cleric))(scene)

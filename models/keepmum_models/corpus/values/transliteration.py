"""Foreign names in Chinese characters, joined from the syllables with which their language is written in Chinese.

Hardly any comes out twice, so that a model can only know them by their sound and their place in the sentence.
"""

from collections.abc import Sequence

from keepmum_models.corpus.scene import Scene

_KNOWN_GIVEN = (
    "约翰 玛丽 大卫 彼得 保罗 迈克尔 詹姆斯 罗伯特 威廉 理查德 托马斯 查尔斯 乔治 爱德华 亨利 安娜 伊丽莎白 凯瑟琳 玛格丽特 艾米莉 苏珊 安德烈 亚历山大 尼古拉 "
    "弗拉基米尔 伊万 谢尔盖 卡洛斯 何塞 胡安 路易斯 费尔南多 马里奥 朱塞佩 弗朗茨 汉斯 卡尔 弗里德里希 皮埃尔 让 雅克 穆罕默德 阿里 哈桑 艾哈迈德 法蒂玛 "
    "克里斯蒂安 马丁 斯蒂芬 安东尼 杰克 汤姆 凯文 露西 艾伦 本杰明 丹尼尔 西蒙 维克多 奥斯卡 雷蒙德 萨拉 朱莉娅 娜塔莎 奥尔加 英格丽德 拉吉 阿米尔 普里扬卡"
).split()
_GENERAL = (
    "亚 艾 安 阿 巴 贝 比 布 卡 克 查 科 达 戴 德 丹 迪 多 埃 恩 费 菲 弗 福 加 盖 格 古 哈 海 赫 霍 胡 伊 雅 杰 金 凯 拉 莱 兰 劳 勒 里 林 罗 卢 鲁 马 迈 曼 梅 米 莫 穆 纳 "
    "内 尼 诺 努 奥 帕 佩 皮 普 珀 奇 雷 萨 塞 沙 舍 席 西 索 斯 苏 塔 泰 特 蒂 托 图 乌 瓦 范 维 沃 威 温 耶 尤 扎 泽 佐 乔 约 朱 詹 简 蒙 洛 路 利 夏 谢 切 什 欧 坎 坦 桑 康 冯"
).split()
_INNER = (
    "尔 斯 德 特 克 拉 里 罗 利 诺 纳 尼 曼 西 维 塔 托 多 达 米 马 莱 洛 卢 贝 布 普 夫 弗 格 加 丹 森 蒂 迪 恩 因 安 亚 瑟 伦 林 姆 兹 赛 阿 伊 奥 哈 列 基 科 卡 泽 茨"
).split()
_TAILS = {
    "english": "森 顿 逊 特 斯 克 尔 利 曼 德 姆 恩 比 里 沃斯 菲尔德 福德 伯里 兰 莱 金斯 登 伍德 盖特 雷 韦尔".split(),
    "slavic": "夫 斯基 科夫 维奇 耶娃 诺娃 琴科 诺夫 斯卡娅 缅科 耶夫 申 舍夫".split(),
    "german": "曼 伯格 贝格 施泰因 哈特 勒 茨 迈尔 霍夫 克 特 纳 里希 博格 瓦尔德".split(),
    "romance": "斯 雷斯 多 托 拉 奥 尼 里 诺 洛 蒂 内利 埃拉 桑托斯 德斯 瓦 梅 特 纳尔".split(),
    "eastern": "米 德 丁 夫 齐 兹 尼 赫 曼 汗 汉 里 瓦里 扎 姆 拉 巴耶夫 沙阿 辛格 亚尔".split(),
}
_WOMEN = "娜 娅 莎 丽 妮 琳 莉 达 塔 蒂 拉 丝 雅 黛 娃 珍 卡".split()
_PARTICLES = ("德", "范德", "冯", "本", "阿尔", "达", "德拉", "范", "麦克", "圣", "伊本", "奥")
_NUMERALS = ("一世", "二世", "三世", "四世", "五世", "六世", "七世", "八世", "十二世", "十三", "十四", "十五", "十六")


def _joined(scene: Scene, tails: Sequence[str], inner: Sequence[int]) -> str:
    while True:
        middle = "".join(scene.pick(_INNER) for _ in range(scene.pick(inner)))
        name = scene.pick(_GENERAL) + middle + scene.pick(tails)
        if scene.split.admits(name):
            return name


def family(scene: Scene) -> str:
    """A family name of two to six characters."""
    name = _joined(scene, _TAILS[scene.pick(tuple(_TAILS))], (0, 0, 1, 1, 1, 2, 2, 3))
    if scene.chance(0.06):
        name = scene.pick(_PARTICLES) + name
    return name if scene.split.admits(name) else family(scene)


def given(scene: Scene) -> str:
    """A given name: a well-known one, or one of the same sound."""
    known = scene.split.part(_KNOWN_GIVEN)
    if scene.chance(0.35):
        return scene.pick(known)
    tails = _WOMEN if scene.chance(0.4) else _TAILS[scene.pick(("english", "romance", "german"))]
    return _joined(scene, tails, (0, 0, 1, 1, 2))


def _whole(scene: Scene, joint: str) -> str:
    parts = [given(scene)]
    if scene.chance(0.12):
        parts.append(scene.masked("?") if joint and scene.chance(0.4) else given(scene))
    parts.append(family(scene))
    if scene.chance(0.05):
        parts.append(family(scene))
    if joint and scene.chance(0.05):
        parts[0] = scene.masked("?") + ("." if scene.chance(0.3) else "")
    return joint.join(parts)


def full(scene: Scene) -> str:
    """Given and family name, joined by a dot as print has it."""
    return scene.admitted(lambda drawn: _whole(drawn, drawn.pick("·····•．・‧-")))


def spoken(scene: Scene) -> str:
    """The same without dots, as a recogniser writes it; half of the time the family name alone."""
    return family(scene) if scene.chance(0.5) else scene.admitted(lambda drawn: _whole(drawn, ""))


def mentioned(scene: Scene) -> str:
    """How a text that has introduced the person goes on: the family or the given name, at times a ruler's number."""
    if scene.chance(0.12):
        return scene.admitted(lambda drawn: f"{given(drawn)}{drawn.pick(_NUMERALS)}")
    return family(scene) if scene.chance(0.65) else given(scene)

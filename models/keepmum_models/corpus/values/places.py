"""Addresses, postcodes and whereabouts: street grammars of a dozen countries and of Chinese cities and villages."""

from keepmum_models.corpus import pools
from keepmum_models.corpus.scene import Scene
from keepmum_models.corpus.values import streets

_SUFFIXES = (
    "Street St St. Road Rd Avenue Ave Ave. Lane Ln Drive Dr Court Ct Boulevard Blvd Way Place Terrace Close Crescent "
    "Circle Parkway Trail Row Square Hill Grove"
).split()
_STATES = (
    "AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA "
    "RI SC SD TN TX UT VT VA WA WV WI WY"
).split()
_UNITS = ("Apt", "Apt.", "Unit", "Suite", "Flat", "#", "Floor", "Ste", "Room", "Apartment")
_COUNTRIES = ("UK", "Canada", "Ireland", "USA", "Australia", "New Zealand", "Singapore", "India", "South Africa")
_EUROPE = (
    "{s}straße {n}, {p5} {c}",
    "{s}weg {n}, {p5} {c}",
    "{n} rue de {s}, {p5} {c}",
    "{n} avenue {s}, {p5} {c}",
    "Calle {s} {n}, {p5} {c}",
    "Calle de {s} {n}, 3º B, {p5} {c}",
    "Via {s} {n}, {p5} {c}",
    "Rua {s} {n}, {p4}-{p3} {c}",
    "{s}straat {n}, {p4} {L} {c}",
    "ul. {s}a {n}/{m}, {p2}-{p3} {c}",
    "{s}gatan {n}, {p3} {p2} {c}",
    "{s}vej {n}, {p4} {c}",
    "{s}katu {n} A {m}, {p5} {c}",
    "{n} {s} St, {c} VIC {p4}",
    "{s} {n}, {c}",
    "Block {n} {s} Road #{m}-{p3}, {c} {p5}",
    "Plot {n}, {s} Nagar, {c} {p5}{m}",
    "No. {n}, Jalan {s}, {p5} {c}",
    "Av. {s} {n}, {c}, CP {p5}",
)
_ZH_STREET = "梧桐 桂花 槐树 文昌 建国 解放 人民 青年 复兴 学府 翠湖 滨江 望京 东风 红旗 朝阳 长安 中山 南京 北京 新华 和平 胜利 永安 龙泉 凤凰 玉泉 锦绣 清河 金沙 科苑 创业 软件园 钱江 文三 祥云 迎宾 观海 紫荆 白云 松山 沿河 柳荫 月坛 静安 虹桥 宝山 沧浪 听涛 云栖 明珠 富春 牡丹 樱花 海棠 石榴 银杏 丁香 碧波 芙蓉".split()
_ZH_KIND = (
    "路",
    "街",
    "大道",
    "巷",
    "胡同",
    "东路",
    "西路",
    "南路",
    "北路",
    "中路",
    "大街",
    "弄",
    "里",
    "环路",
    "二路",
)
_ZH_ESTATE = "花园 小区 家园 苑 公寓 新村 名邸 华庭 嘉园 城 府 国际 广场 里 大厦 雅居 首府 山庄".split()
_ZH_STEM = "阳光 翡翠 金色 万科 绿地 保利 龙湖 碧桂 御景 恒大 锦江 紫薇 香榭 水岸 观澜 融创 金地 幸福 东方 世纪 丽景 天悦 云顶 枫林 星河 盛世 和谐 嘉兴 北辰 凯旋 江南 西山 湖畔 祥和 枫丹 澜湾 学林 檀香 春江 海尚".split()
_ZH_PROVINCE = "河北省 山西省 辽宁省 吉林省 黑龙江省 江苏省 浙江省 安徽省 福建省 江西省 山东省 河南省 湖北省 湖南省 广东省 海南省 四川省 贵州省 云南省 陕西省 甘肃省 青海省 广西壮族自治区 内蒙古自治区 宁夏回族自治区 新疆维吾尔自治区".split()
_ZH_ROMAN = "Wenhua Jianshe Renmin Zhongshan Chaoyang Beichen Gulou Qinghe Yuhua Longquan Xihu Jinhai Hongqi Xueyuan Binjiang Tianfu Guangming Fuxing Dongfeng Yingbin Taihu Yanhe Xinhua Heping".split()


_ZH_STREET_MARKS = "东西南北中新安永平和兴文武学府华民江河湖海山溪泉港桥塔寺门城花园柳松竹梅桃杏槐枫桐龙凤鹤马白金银玉石青红黄紫云星月阳光春秋长大福寿康宁富民裕丰泰昌盛广建业工农科技师院站前后上下沙塘岭峰谷坪湾洲滨堤环"
_ZH_ESTATE_MARKS = "御龙凤金碧玉翠锦绣云天星月阳光水岸湖湾江海山林枫桐桂兰梅竹荷花香雅逸景和悦福泰安康盛世华丽都城东西南北中央学府书院名门贵尚品汇峰"
_ZH_SYLLABLES = "wen hua jian she ren min zhong shan chao yang bei chen gu lou qing he yu long xi hu jin hai hong qi xue yuan bin tian fu guang ming xing dong feng ying tai yan xin ping an shou kang ning he lin jiang nan bo le shun cheng gang wu tong dan lan".split()


def _street_stem(scene: Scene) -> str:
    return scene.pick(scene.split.part(_ZH_STREET)) if scene.chance(0.4) else scene.coined(_ZH_STREET_MARKS)


def _estate_stem(scene: Scene) -> str:
    return scene.pick(scene.split.part(_ZH_STEM)) if scene.chance(0.3) else scene.coined(_ZH_ESTATE_MARKS)


def _romanised_word(scene: Scene) -> str:
    return scene.coined(_ZH_SYLLABLES).capitalize()


def _street_words(scene: Scene) -> tuple[str, ...]:
    return pools.mimesis_words(scene.split, "en", "address", "street", "name")


def street(scene: Scene) -> str:
    """A street name in Latin letters."""
    return f"{scene.pick(_street_words(scene))} {scene.pick(_SUFFIXES)}"


def city_en(scene: Scene) -> str:
    """A city in Latin letters."""
    pool = pools.mimesis_words(scene.split, "en", "address", "city")
    return scene.pick(pool if scene.chance(0.6) else pools.faker_cities(scene.split))


def postcode_en(scene: Scene) -> str:
    """A postcode: American, British, Canadian, Australian, Dutch."""
    return scene.masked(
        scene.pick(("#####", "#####", "#####-####", "?%# #??", "??%# #??", "?#? #?#", "####", "#### ??"))
    )


def address_en(scene: Scene) -> str:
    """A postal address in Latin letters; how complete it is varies."""
    if scene.chance(0.18):
        return streets.unusual_address(scene)
    number = str(scene.rng.randrange(1, 9999 if scene.chance(0.4) else 200)) + (
        scene.pick("abcAB") if scene.chance(0.06) else ""
    )
    head = f"{number} {street(scene)}"
    if scene.chance(0.35):
        unit = scene.pick(_UNITS)
        inner = f"{scene.rng.randrange(1, 999)}" + (scene.pick("ABCDEF") if scene.chance(0.3) else "")
        head += f"{scene.pick((', ', ' ', chr(10)))}{unit}{'' if unit == '#' else ' '}{inner}"
    kind = scene.rng.random()
    sep = "\n" if scene.chance(0.08) else ", "
    if kind < 0.2:
        return head
    if kind < 0.3:
        return f"{head}{sep}{city_en(scene)}"
    if kind < 0.6:
        state = scene.pick(_STATES)
        zip_code = scene.masked("#####") if scene.chance(0.8) else scene.masked("#####-####")
        return f"{head}{sep}{city_en(scene)}{scene.pick((', ', ' '))}{state} {zip_code}"
    if kind < 0.7:
        return f"{head}{sep}{city_en(scene)}, {postcode_en(scene)}" + (
            f", {scene.pick(_COUNTRIES)}" if scene.chance(0.4) else ""
        )
    if kind < 0.85:
        return _european(scene)
    if kind < 0.93:
        return _romanised_chinese(scene)
    return f"P.O. Box {scene.digits(4)}, {city_en(scene)}, {scene.pick(_STATES)} {scene.digits(5)}"


def _european(scene: Scene) -> str:
    stem = scene.pick(pools.mimesis_words(scene.split, "en", "address", "street", "name"))
    return scene.pick(_EUROPE).format(
        s=stem,
        n=scene.rng.randrange(1, 190),
        m=scene.rng.randrange(1, 40),
        c=scene.pick(pools.faker_cities(scene.split)),
        p5=scene.digits(5),
        p4=scene.masked("%###"),
        p3=scene.digits(3),
        p2=scene.digits(2),
        L=scene.masked("??"),
    )


def _romanised_chinese(scene: Scene) -> str:
    parts = [
        f"{scene.pick(('No.', 'Number', 'No'))} {scene.rng.randrange(1, 999)}",
        f"{_romanised_word(scene)} {scene.pick(('Road', 'Street', 'Avenue', 'Lane'))}",
    ]
    if scene.chance(0.5):
        parts.insert(0, f"Room {scene.rng.randrange(101, 2999)}, Building {scene.rng.randrange(1, 30)}")
    parts += [f"{_romanised_word(scene)} District", f"{_romanised_word(scene)} City"]
    if scene.chance(0.5):
        parts.append(
            f"{scene.pick(('Zhejiang', 'Jiangsu', 'Sichuan', 'Hubei', 'Yunnan', 'Guangdong', 'Shandong'))} Province"
        )
    return ", ".join(parts)


def region_en(scene: Scene) -> str:
    """A place one lives in or goes to: city, city with state, district."""
    city = city_en(scene)
    return scene.pick(
        (
            city,
            city,
            city,
            f"{city}, {scene.pick(_STATES)}",
            f"{scene.pick(('north', 'downtown', 'West', 'East'))} {city}",
            f"the {scene.pick(_street_words(scene))} district",
        )
    )


def city_zh(scene: Scene) -> str:
    """A Chinese city, with or without its suffix."""
    city = scene.pick(pools.chinese_cities(scene.split))
    return city + ("市" if scene.chance(0.4) else "")


def _street_zh(scene: Scene) -> str:
    return _street_stem(scene) + scene.pick(_ZH_KIND)


def _estate_zh(scene: Scene) -> str:
    return _estate_stem(scene) + scene.pick(_ZH_ESTATE)


def _door_zh(scene: Scene) -> str:
    building, floor, room = scene.rng.randrange(1, 40), scene.rng.randrange(1, 33), scene.rng.randrange(1, 5)
    return scene.pick(
        (
            f"{building}栋{floor}0{room}室",
            f"{building}号楼{scene.rng.randrange(1, 6)}单元{floor}0{room}",
            f"{building}幢{scene.rng.randrange(1, 4)}单元{floor}0{room}室",
            f"{building}-{scene.rng.randrange(1, 4)}-{floor}0{room}",
            f"{scene.pick('ABCDE')}座{floor}层",
            f"{building}号楼{floor}层{floor}0{room}",
            f"{building}栋",
            f"{scene.pick('一二三四五六七八')}单元{floor}0{room}",
        )
    )


def address_zh(scene: Scene) -> str:
    """A Chinese address, from province to door; any of the parts may be missing."""
    kind = scene.rng.random()
    number = f"{scene.rng.randrange(1, 999)}号" + ("院" if scene.chance(0.12) else "")
    district = scene.pick(pools.chinese_districts(scene.split)) + scene.pick(("区", "区", "区", "县", "镇"))
    if kind < 0.12:
        return f"{district}{_estate_stem(scene)}{scene.pick(('村', '镇', '乡'))}{scene.pick(('东', '西', '南', '北'))}{scene.rng.randrange(1, 50) * 100}米"
    if kind < 0.22:
        return f"{_estate_zh(scene)}{_door_zh(scene)}"
    if kind < 0.3:
        village = _street_stem(scene)
        return f"{city_zh(scene).rstrip('市')}市{district}{village}镇{_estate_stem(scene)}村{scene.rng.randrange(1, 12)}组{scene.rng.randrange(1, 99)}号"
    core = f"{_street_zh(scene)}{number}"
    if scene.chance(0.12):
        core = f"{_street_zh(scene)}与{_street_zh(scene)}交叉口{scene.pick(('', '东北角', '往东100米', '西侧'))}"
    elif scene.chance(0.55):
        core += (_estate_zh(scene) if scene.chance(0.6) else "") + _door_zh(scene)
    city = city_zh(scene)
    if scene.chance(0.3):
        city = scene.pick(_ZH_PROVINCE) + city.rstrip("市") + "市"
    joint = " " if scene.chance(0.05) else ""
    return scene.pick(
        (core, f"{district}{core}", f"{city}{joint}{district}{joint}{core}", f"{city}{district}{core}", f"{city}{core}")
    )


def region_zh(scene: Scene) -> str:
    """A place one lives in or goes to: city, district, quarter, estate."""
    district = scene.pick(pools.chinese_districts(scene.split)) + "区"
    return scene.pick(
        (city_zh(scene), city_zh(scene), f"{city_zh(scene)}{district}", district, _estate_zh(scene), _street_zh(scene))
    )


def postcode_zh(scene: Scene) -> str:
    """A Chinese postcode."""
    return scene.masked("%#####") if scene.chance(0.7) else scene.masked("1#####")


def coordinates(scene: Scene) -> str:
    """A position in degrees."""
    north, east = scene.rng.uniform(-60, 60), scene.rng.uniform(-170, 170)
    return scene.pick(
        (
            f"{north:.4f}, {east:.4f}",
            f"{north:.6f},{east:.6f}",
            f"{abs(north):.4f}°N, {abs(east):.4f}°E",
            f"{abs(north):.5f}N {abs(east):.5f}W",
        )
    )


_HOURS = ("6:40", "7:10 am", "7:45", "8:05", "half past six", "18:30", "9 pm", "22:15", "5:50 am")


def trace_en(scene: Scene) -> str:
    """Where somebody regularly is, or was at a certain time."""
    here, there = street(scene), street(scene)
    return scene.pick(
        (
            f"from {here} to {there} at {scene.pick(_HOURS)}",
            f"{here} at {scene.pick(_HOURS)} every weekday",
            f"parked on {here} overnight",
            f"checked in at the {there} hotel, room {scene.rng.randrange(101, 1999)}",
            f"the 7:{scene.rng.randrange(10, 59)} train to {city_en(scene)} every morning",
            f"jogging along {here} around {scene.pick(_HOURS)}",
            f"badged in at {scene.pick(_HOURS)}, left at {scene.pick(_HOURS)}",
            f"gate {scene.pick('ABCD')}{scene.rng.randrange(1, 60)}, seat {scene.rng.randrange(1, 40)}{scene.pick('ABCDEF')}",
            f"picked up at {here}, dropped off at {there}",
            coordinates(scene),
            coordinates(scene),
            f"at the {here} clinic between {scene.pick(_HOURS)} and noon",
        )
    )


def trace_zh(scene: Scene) -> str:
    """The same in Chinese."""
    here, there, hour = _street_zh(scene), _street_zh(scene), scene.rng.randrange(6, 23)
    return scene.pick(
        (
            f"每天早上{hour % 12 or 7}点从{here}到{there}",
            f"每周三晚上{hour % 12 or 8}点在{_estate_zh(scene)}附近跑步",
            f"{hour}:{scene.rng.randrange(10, 59)}在{here}地铁站刷卡进站",
            f"昨晚住在{there}那家酒店{scene.rng.randrange(301, 1999)}房",
            f"G{scene.rng.randrange(11, 7999)}次{scene.rng.randrange(1, 16)}车{scene.rng.randrange(1, 20)}{scene.pick('ABCDF')}座",
            f"从{_estate_zh(scene)}打车到{there}",
            f"下班后都会去{here}接孩子",
            coordinates(scene),
            f"周末一般在{_estate_zh(scene)}",
            f"上午{hour % 12 or 9}点半在{here}打卡",
        )
    )

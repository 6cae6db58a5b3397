"""The user's own employer, school, ward; and public firms, which are nobody's secret."""

from keepmum_models.corpus import pools
from keepmum_models.corpus.scene import Scene

_ENDS_EN = (
    "Inc",
    "Inc.",
    "LLC",
    "Ltd",
    "Ltd.",
    "Group",
    "GmbH",
    "Partners",
    "& Sons",
    "Consulting",
    "Logistics",
    "Systems",
    "Holdings",
    "Technologies",
    "Labs",
    "Foods",
    "Bank",
    "Dental",
    "Insurance",
    "Solutions",
    "Media",
    "Robotics",
    "Studio",
    "Corporation",
    "Law",
    "Pharma",
    "Credit Union",
    "AG",
    "Motors",
    "Design",
    "PLC",
    "Inc",
    "S.A.",
    "Pty Ltd",
    "Associates",
    "Ventures",
    "Capital",
    "Energy",
    "Analytics",
    "Biologics",
    "Properties",
    "Airways",
    "Brewing",
    "Trust",
    "Foundation",
    "App",
    "Market",
    "Cloud Hosting",
    "Law Firm",
    "Travel",
    "LLP",
    "Cooperative",
)
_SCHOOLS_EN = (
    "{w} High School",
    "{w} Elementary",
    "{w} Middle School",
    "{w} Academy",
    "{w} College",
    "University of {c}",
    "{c} University",
    "{w} Montessori",
    "St. {w} School",
    "{w} Preparatory",
    "{c} State University",
    "{w} Community College",
)
_WARDS_EN = (
    "{w} Hospital",
    "{w} Medical Center",
    "{w} Clinic",
    "{c} General Hospital",
    "{w} Care Home",
    "St. {w} Hospice",
    "{w} Family Practice",
    "ward {n} of {w} Hospital",
    "{w} Dental Clinic",
    "{w} Surgery",
    "{w} Recovery Center",
)
_CLUBS_EN = (
    "{w} Tennis Club",
    "{w} Baptist Church",
    "{c} Rotary",
    "{w} Running Club",
    "{w} Credit Union",
    "{w} Tenants Association",
    "{c} Community Center",
    "{w} Bookshop",
    "{w} Coffee",
    "{w} Bakery",
    "{w} Cultural Park",
    "{w} Park",
    "{w} Flower Market",
    "{w} Pottery Workshop",
    "{c} metro station",
    "{c} office",
    "{w} Guesthouse",
    "{w} Shopping Mall",
    "{w} Music",
    "{w} Noodle House",
    "{w} Temple",
    "{w} Yoga Studio",
    "{w} Choir",
    "{w} Fund",
    "Café {w}",
    "The {w} Inn",
    "{w} Garden Restaurant",
    "{w} Pharmacy",
    "{w} Barbers",
    "Museum of {c}",
    "{w} Swimming Hall",
    "{w} Residents Association",
    "{c} Animal Shelter",
)
_STEM_ZH = "鸿达 云图 瑞祥 博思 天润 恒信 华瑞 启明 中科 智联 海纳 优品 新锐 百川 盛世 明德 德润 信诚 金禾 汇通 安泰 卓越 远景 星辰 弘毅 创想 众合 鼎盛 宏图 蓝海 思源 同心 立新 佳讯 东方 凌云 辰光 迅达 慧通 锐进 晨曦 万象 和信 嘉合 川流 麦田 青禾 紫光 北斗 南风 腾跃 九州 宇通 诺亚 乐途 极客 光年 微澜 墨客 知行 青藤 雅致".split()
_ENDS_ZH = "科技有限公司 信息技术有限公司 网络科技公司 集团 贸易有限公司 建筑工程公司 物流 律师事务所 会计师事务所 文化传媒 生物医药 电子 股份有限公司 证券 银行 保险 设计院 技术股份有限公司 集团有限公司 有限责任公司 装饰公司 食品厂 机械厂 教育 地产 咨询 软件".split()
_SCHOOLS_ZH = (
    "{w}中学",
    "{w}小学",
    "{w}幼儿园",
    "{c}第{k}中学",
    "{c}实验小学",
    "{c}{s}学院",
    "{c}职业技术学院",
    "{w}外国语学校",
    "{c}{s}大学",
    "{c}{s}大学计算机学院",
    "{w}实验学校",
    "{c}第{k}人民小学",
)
_WARDS_ZH = (
    "{c}第{k}人民医院",
    "{w}医院",
    "{c}中医院",
    "{w}口腔诊所",
    "{c}市妇幼保健院",
    "{w}社区卫生服务中心",
    "{c}人民医院心内科",
    "{c}人民医院{n}病区",
    "{w}养老院",
    "{c}肿瘤医院",
    "{c}{w}医院",
    "{c}大学附属{w}医院",
    "{c}儿童医院",
    "{c}{s}大学第{k}附属医院",
    "解放军第{n}医院",
)
_CLUBS_ZH = (
    "{w}健身房",
    "{w}羽毛球俱乐部",
    "{w}社区居委会",
    "{w}书店",
    "{w}瑜伽馆",
    "{w}物业",
    "{w}派出所",
    "{w}文创园",
    "{w}超市",
)
_SUBJECTS_ZH = "师范 理工 农业 财经 工业 医科 政法 邮电 交通 外国语 音乐 科技".split()
_FAMOUS_EN = (
    "Google Microsoft Apple Amazon Netflix Tesla Nvidia Samsung Toyota IKEA Starbucks Spotify Airbnb Uber Intel IBM Oracle Adobe Nestlé Siemens BMW Sony Boeing FedEx PayPal Visa Walmart Costco Target Pfizer Reuters BBC CNN FIFA NASA NATO UNESCO WHO Harvard MIT Stanford "
    "OpenAI Anthropic Reddit Wikipedia Facebook Twitter YouTube LinkedIn TikTok Stripe Shopify Zoom Slack Nintendo Lego Ford Honda Shell HSBC Barclays Lufthansa Delta Hilton Marriott"
).split()
_FAMOUS_ZH = "华为 腾讯 阿里巴巴 百度 京东 小米 字节跳动 美团 滴滴 网易 比亚迪 格力 海尔 联想 中国银行 工商银行 建设银行 招商银行 中国移动 中国联通 中国电信 国家电网 茅台 顺丰 淘宝 微信 支付宝 抖音 快手 拼多多 携程 万科 恒大 中石油 清华大学 北京大学 复旦大学 浙江大学 新华社 央视 特斯拉 苹果 谷歌 微软 三星 教育部 国务院 外交部 国家统计局 世界银行 联合国 央行 证监会".split()


_MARKS_ZH = "鸿达云图瑞祥博思天润恒信华启明科智联海纳优品新锐百川盛世德诚金禾汇通安泰卓越远景星辰弘毅创想众合鼎宏蓝同心立佳讯东方凌光迅慧进晨曦万象嘉流麦田青紫北斗南风腾跃九州宇诺亚乐途极微澜知行藤雅致元正大中融拓普康捷顺源丰利茂兴隆亿"
_SYLLABLES_EN = (
    "ver",
    "lum",
    "no",
    "tri",
    "quan",
    "cor",
    "zen",
    "ora",
    "vel",
    "nex",
    "sy",
    "bri",
    "ta",
    "mon",
    "del",
    "pho",
    "ark",
    "lu",
    "sol",
    "vi",
    "gra",
    "tek",
    "med",
    "bio",
    "fin",
    "eco",
    "ari",
    "kel",
    "dor",
    "mar",
    "pex",
    "via",
    "ly",
    "ron",
    "sta",
    "ge",
    "cle",
    "ba",
)


def _words(scene: Scene) -> tuple[str, ...]:
    return pools.mimesis_words(scene.split, "en", "address", "street", "name")


def _stem_zh(scene: Scene) -> str:
    return scene.pick(scene.split.part(_STEM_ZH)) if scene.chance(0.25) else scene.coined(_MARKS_ZH)


def _stem_en(scene: Scene) -> str:
    draw = scene.rng.random()
    if draw < 0.25:
        return scene.coined(_SYLLABLES_EN).capitalize()
    if draw < 0.45:
        return scene.pick(pools.mimesis_words(scene.split, "en", "person", "surnames"))
    return scene.pick(_words(scene))


def _fill(scene: Scene, form: str) -> str:
    if scene.language == "zh":
        city = scene.pick(pools.chinese_cities(scene.split))
        stem = _stem_zh(scene)
        return form.format(
            w=stem,
            c=city,
            k=scene.pick("一二三四五六七八九十"),
            s=scene.pick(_SUBJECTS_ZH),
            n=scene.rng.randrange(1, 30),
        )
    return form.format(w=_stem_en(scene), c=scene.pick(pools.faker_cities(scene.split)), n=scene.rng.randrange(1, 30))


def employer(scene: Scene) -> str:
    """The firm that somebody works for; one time in twelve a famous one, which is then private all the same."""
    if scene.chance(0.08):
        return public_firm(scene)
    if scene.language == "zh":
        city = scene.pick(pools.chinese_cities(scene.split)) if scene.chance(0.3) else ""
        return city + _stem_zh(scene) + (_stem_zh(scene) if scene.chance(0.1) else "") + scene.pick(_ENDS_ZH)
    stem = _stem_en(scene)
    if scene.chance(0.12):
        return _partners(scene)
    if scene.chance(0.2):
        return scene.pick(pools.mimesis_words(scene.split, "en", "finance", "company", "name"))
    if scene.chance(0.15):
        stem = f"{stem} {scene.pick(('&', 'and', 'Data', 'Green', 'Blue', 'North', 'United', 'First'))} {scene.pick(_words(scene))}"
    return f"{stem} {scene.pick(_ENDS_EN)}" if scene.chance(0.85) else stem


def _partners(scene: Scene) -> str:
    """A firm named after its founders, or one word made of two."""
    families = pools.mimesis_words(scene.split, "en", "person", "surnames")
    first, second, third = (scene.pick(families) for _ in range(3))
    coined = scene.coined(_SYLLABLES_EN).capitalize()
    return scene.pick(
        (
            f"{first}, {second} and {third}",
            f"{first}, {second} & {third} LLP",
            f"{first}-{second}",
            f"{first} & {second}",
            f"{first} and Sons",
            f"{coined}{scene.pick(('Works', 'Hub', 'Light', 'Lights', 'Soft', 'Pay', 'Link', 'Care'))}",
            f"{coined}.{scene.pick(('com', 'io', 'ai'))}",
            f"Open {coined} {scene.pick(('Project', 'Maps', 'Labs'))}",
        )
    )


def school(scene: Scene) -> str:
    """A school or university that somebody attends."""
    if scene.language == "en" and scene.chance(0.25):
        return scene.pick(pools.mimesis_words(scene.split, "en", "person", "university")).split(" (")[0]
    return _fill(scene, scene.pick(_SCHOOLS_ZH if scene.language == "zh" else _SCHOOLS_EN))


def ward(scene: Scene) -> str:
    """A hospital, ward or practice that treats somebody."""
    return _fill(scene, scene.pick(_WARDS_ZH if scene.language == "zh" else _WARDS_EN))


def club(scene: Scene) -> str:
    """A club, church, shop or office of the neighbourhood."""
    return _fill(scene, scene.pick(_CLUBS_ZH if scene.language == "zh" else _CLUBS_EN))


def public_firm(scene: Scene) -> str:
    """A firm or institution that everybody knows."""
    return scene.pick(scene.split.part(_FAMOUS_ZH if scene.language == "zh" else _FAMOUS_EN))


def bank(scene: Scene) -> str:
    """A bank that takes deposits from everybody."""
    return scene.pick(pools.mimesis_words(scene.split, "en", "finance", "banks"))

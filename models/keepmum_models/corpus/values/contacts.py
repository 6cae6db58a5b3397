"""Telephone numbers, e-mail addresses, profile links, accounts."""

from keepmum_models.corpus import pools
from keepmum_models.corpus.scene import Person, Scene
from keepmum_models.corpus.values import names

_PHONES_EN = (
    "(%##) %##-####",
    "%##-%##-####",
    "%##.%##.####",
    "+1 %## %## ####",
    "+1-%##-%##-####",
    "1-8##-%##-####",
    "%## %## ####",
    "+1 (%##) %##-####",
    "%#########",
    "+44 7### ######",
    "07### ######",
    "+44 20 #### ####",
    "020 #### ####",
    "01## ### ####",
    "+44 (0)1### ######",
    "+49 15# ########",
    "0151 ########",
    "+49 30 #######",
    "+33 6 ## ## ## ##",
    "06 ## ## ## ##",
    "+34 6## ## ## ##",
    "6## ### ###",
    "+39 3## ### ####",
    "+31 6 ########",
    "06-########",
    "+91 9#### #####",
    "98########",
    "+61 4## ### ###",
    "04## ### ###",
    "+64 21 ### ####",
    "+65 9### ####",
    "+852 9### ####",
    "+886 9## ### ###",
    "+81-3-####-####",
    "+81 90-####-####",
    "03-####-####",
    "010-####-####",
    "+82-10-####-####",
    "+55 11 9####-####",
    "(11) 9####-####",
    "+52 55 #### ####",
    "+7 9## ###-##-##",
    "+380 67 ### ## ##",
    "+234 80# ### ####",
    "+254 7## ######",
    "+27 8# ### ####",
    "+971 5# ### ####",
    "+90 5## ### ## ##",
    "+48 6## ### ###",
    "+46 70 ### ## ##",
    "+47 9## ## ###",
    "+45 ## ## ## ##",
    "+358 40 #######",
    "+353 8# ### ####",
    "+41 79 ### ## ##",
    "+420 60# ### ###",
    "+86 13# #### ####",
    "+8613#########",
    "%##-555-01## ext. ###",
    "(%##) 555-01## x####",
    "%##-55##",
    "555-01##",
)
_PHONES_ZH = (
    "1{h}#########",
    "1{h}#########",
    "1{h}#########",
    "1{h}# #### ####",
    "1{h}#-####-####",
    "+86 1{h}#########",
    "+86-1{h}#########",
    "861{h}#########",
    "(+86)1{h}#########",
    "1{h}#### ####1",
    "1{h}#-########",
    "1{h}##-###-####",
    "1 {h} # # # # # # # # #",
    "1{h}#·####·####",
    "0086-1{h}#########",
    "+861{h}#########",
    "1{h}#_####_####",
    "(0##)########",
    "0###-########",
    "95###",
    "1{h}##.####.###",
    "010-########",
    "021-########",
    "0755-########",
    "0571-########",
    "(010)########",
    "010 #### ####",
    "0###-#######",
    "########",
    "8#######",
    "6#######",
    "400-###-####",
    "400#######",
    "010-########转###",
    "0##-########-####",
    "+852 6### ####",
    "09##-###-###",
)
_DOMAINS = (
    "gmail.com outlook.com yahoo.com hotmail.com icloud.com proton.me fastmail.com aol.com gmx.de web.de mail.ru orange.fr live.co.uk me.com zoho.com "
    "btinternet.com comcast.net email.com mail.com"
).split()
_DOMAINS_ZH = "qq.com 163.com 126.com sina.com foxmail.com gmail.com outlook.com sohu.com aliyun.com 139.com yeah.net vip.qq.com".split()
_TLDS = "com org net io co.uk de fr co dev ai edu gov.uk es it nl ca com.au se jp kr cn com.cn".split()
_SITES = (
    "https://www.linkedin.com/in/{u}",
    "linkedin.com/in/{u}",
    "https://github.com/{u}",
    "github.com/{u}",
    "https://twitter.com/{u}",
    "https://x.com/{u}",
    "https://www.facebook.com/{u}",
    "https://www.instagram.com/{u}/",
    "instagram.com/{u}",
    "https://{u}.github.io",
    "https://www.tiktok.com/@{u}",
    "https://medium.com/@{u}",
    "https://mastodon.social/@{u}",
    "https://{d}.me",
    "www.{d}.com/about",
    "https://{d}.design",
    "https://www.youtube.com/@{u}",
    "https://www.reddit.com/user/{u}",
    "https://t.me/{u}",
)
_SITES_ZH = (
    "https://weibo.com/{u}",
    "https://weibo.com/u/{n}",
    "https://www.zhihu.com/people/{u}",
    "https://space.bilibili.com/{n}",
    "https://www.xiaohongshu.com/user/profile/{x}",
    "https://www.douban.com/people/{u}/",
    "https://blog.csdn.net/{u}",
    "https://gitee.com/{u}",
    "https://juejin.cn/user/{n}",
)
_NUMERALS = "零一二三四五六七八九"


def phone_en(scene: Scene) -> str:
    """A telephone number of one of many countries."""
    return scene.masked(scene.pick(_PHONES_EN))


def phone_zh(scene: Scene) -> str:
    """A Chinese number: mobile, land line with or without area code, service number; at times in numerals."""
    number = scene.masked(scene.pick(_PHONES_ZH).replace("{h}", scene.pick("3356789")))
    if scene.chance(0.06):
        table = _NUMERALS.replace("一", "幺") if scene.chance(0.5) else _NUMERALS
        return "".join(table[int(digit)] for digit in number if digit.isdigit() and digit.isascii())
    return number


def fax(scene: Scene) -> str:
    """A land line."""
    return scene.masked(scene.pick(("0##-########", "(%##) %##-####", "%##-%##-####", "+44 20 #### ####")))


def company_domain(scene: Scene) -> str:
    """Domain of a firm that nobody else has."""
    stem = names.ascii_word(scene.pick(pools.mimesis_words(scene.split, "en", "address", "street", "name"))) or "acme"
    tail = scene.pick(("", "", "-group", "tech", "labs", "health", "bank", "-it", "co", "hq"))
    return f"{stem}{tail}.{scene.pick(_TLDS)}"


def email(scene: Scene, person: Person) -> str:
    """An e-mail address, mostly of the person's name."""
    given, family = person.latin
    year = scene.digits(2)
    local = scene.pick(
        (
            f"{given}.{family}",
            f"{given}{family}",
            f"{given[0]}.{family}",
            f"{given[0]}{family}",
            f"{family}.{given}",
            f"{given}_{family}",
            f"{given}{year}",
            f"{given}.{family}{year}",
            f"{family}{given[0]}",
            f"{given}-{family}",
            f"{given}.{family[0]}",
        )
    )
    if scene.chance(0.12):
        local = names.username(scene, person).strip("_")
    if scene.language == "zh" and scene.chance(0.25):
        local = scene.digits(scene.rng.randrange(6, 11)).lstrip("0") or "88"
    if scene.chance(0.05):
        local += f"+{scene.pick(('news', 'shop', 'bank', 'test'))}"
    if scene.chance(0.04):
        local = local.capitalize()
    domains = _DOMAINS_ZH if scene.language == "zh" and scene.chance(0.75) else _DOMAINS
    return f"{local}@{scene.pick(domains) if scene.chance(0.55) else company_domain(scene)}"


def profile_url(scene: Scene, person: Person) -> str:
    """A link to the person's page."""
    site = scene.pick(_SITES_ZH if scene.language == "zh" and scene.chance(0.7) else _SITES)
    user = names.username(scene, person)
    return site.format(
        u=user,
        d=f"{person.latin[0]}{person.latin[1]}",
        n=scene.digits(9).lstrip("0") or "9",
        x=scene.letters(24, "0123456789abcdef"),
    )


def account_id(scene: Scene) -> str:
    """A number under which some firm or office knows the person: member, employee, student, policy, case, ticket."""
    return scene.masked(
        scene.pick(
            (
                "########",
                "##########",
                "??-######",
                "???-####-###",
                "#########",
                "E#####",
                "EMP-####",
                "EMP######",
                "CUST-######",
                "M#######",
                "??#######",
                "S20######",
                "20########",
                "STU-20##-####",
                "#####-##",
                "AC-####-####",
                "MBR ### ### ###",
                "POL-########",
                "HR-####",
                "UID#######",
                "user_####",
                "######",
                "##-####-####",
                "REF-??####",
                "CLM-20##-#####",
                "INV-MEM-####",
                "#-####-####",
                "NO.########",
                "VIP########",
                "KH########",
                "GH#####",
                "BX20########",
                "YG######",
                "XH20######",
                "#########",
                "DES-20##-###",
            )
        )
    )


def wechat(scene: Scene, person: Person) -> str:
    """A WeChat name."""
    return scene.pick(
        (
            f"wxid_{scene.letters(12, 'abcdefghijklmnopqrstuvwxyz0123456789')}",
            names.username(scene, person),
            f"{person.latin[0]}{person.latin[1]}{scene.digits(3)}",
        )
    )


def qq(scene: Scene) -> str:
    """A QQ number."""
    return str(scene.rng.randrange(10**5, 10 ** scene.rng.randrange(6, 11) + 10**6))

"""Pages and names of one person on a service: profile addresses, handles, WeChat and QQ names."""

import re
from collections.abc import Iterator
from typing import Final

from keepmum_shared.taxonomy import EntityType

from keepmum_edge.spans.finding import CONTEXT, FORMED, Finding
from keepmum_edge.spans.normalise import Reading
from keepmum_edge.spans.patterns.labelled import Labelled

_PROFILES: Final = re.compile(
    r"(?:https?://)?(?:[a-z]{2,3}\.)?(?:"
    r"linkedin\.com/in/[\w%-]{3,100}|facebook\.com/(?:profile\.php\?id=[0-9]{5,20}|people/[\w%.-]{2,60}/[0-9]{5,20})"
    r"|instagram\.com/(?!p/|reel|explore|stories)[\w.]{3,30}|tiktok\.com/@[\w.]{2,30}|t\.me/(?!s/|joinchat)[a-z][\w]{4,31}"
    r"|weibo\.com/(?:u/)?[0-9]{8,12}|zhihu\.com/people/[\w%-]{2,60}|douban\.com/people/[\w-]{2,40}"
    r"|space\.bilibili\.com/[0-9]{3,12}|github\.com/users/[\w-]{1,39}|medium\.com/@[\w.-]{2,40}"
    r"|reddit\.com/u(?:ser)?/[\w-]{3,20}|keybase\.io/[\w]{2,20}|orcid\.org/[0-9x-]{19})/?"
)
_PROFILE_HINTS: Final = (
    "linkedin.", "facebook.", "instagram.", "tiktok.", "t.me/", "weibo.", "zhihu.", "douban.", "bilibili.",
    "github.com/users", "medium.com/@", "reddit.com/u", "keybase.", "orcid.",
)  # fmt: skip


_NO_PROFILES: Final = (
    "about|account|accounts|admin|api|apps|blog|business|careers|collections|contact|customer-stories|dashboard|developers?|docs|download"
    "|downloads|enterprise|events|explore|features|feed|forgot|groups?|hashtag|help|home|i|images|intent|issues|jobs|join|legal|login"
    "|logout|marketplace|me|messages|models|new|notifications|orgs|organizations|pages|premium|pricing|privacy|profile|projects|pulls"
    "|readme|register|reset|search|security|sessions?|settings|share|signin|signup|site|sponsors|spaces|status|stars|support|terms|topics|tos"
    "|trending|users?|videos|watch|datasets|solutions|team|teams"
)
_OWN_PAGE: Final = re.compile(
    r"(?<![a-z0-9@./-])(?:https?://)?(?:www\.|m\.|mobile\.)?(?:(?:github|twitter|x|facebook|fb|behance|dribbble|twitch|pinterest"
    r"|huggingface|kaggle|codepen|patreon|vk)\.(?:com|net|tv|co)|(?:gitlab|youtube|medium|soundcloud|threads)\.(?:com|net)"
    r"|(?:gitee|cnblogs|codeberg|bitbucket|blog\.csdn)\.(?:com|org|net)|linktr\.ee|about\.me)"
    rf"/(?!(?:{_NO_PROFILES})(?![\w.-]))[@~]?[a-z0-9][\w.-]{{1,38}}/?(?![\w/?=&#%@-])"
)
_PAGE: Final = (
    "profile|github|gitlab|gitee|twitter|x|facebook|fb|page|homepage|website|site|account|handle|link|url|portfolio"
    "|channel|blog|socials?|behance|dribbble|twitch|pinterest|kaggle|medium|threads|youtube|soundcloud"
)
_OWNER: Final = re.compile(
    rf"(?<![a-z])(?:my|his|her|their|our)(?: [\w'’-]{{1,16}}){{0,2}}? (?:{_PAGE})(?: (?:{_PAGE}))?"
    r"(?:\W{1,3}| is | at | here ){1,3}$"
    r"|(?<![a-z])(?:find|follow|add|reach|contact|see|message) (?:me|him|her|us)(?![a-z])[^\n.!?]{0,24}$"
    r"|(?<![a-z])(?:i'm|i’m|i am)(?: (?:on|at|here))*:? $"
    rf"|(?:[我他她]们?|本人|个人)的?[^\n，。,]{{0,8}}?(?:{_PAGE}|推特|主页|主頁|首页|账号|帳號|博客|码云|链接|脸书|油管)[^\n，。,]{{0,6}}$"
    r"|(?<![a-z])(?:profile|github|gitlab|twitter|x|facebook|homepage|portfolio|user ?page|social(?:s| media)?)"
    r"(?: url| link| profile| page)?"
    r"[\"']?\s{0,2}[:：]\s{0,2}[\"'<(\[]{0,2}$"
)
_NOT_OWNER: Final = re.compile(
    r"(?<![a-z])(?:repo|repos|repository|package|library|tool|project|issue|tell me|show me|give me)(?![a-z])|项目|仓库"
)


def find_profiles(reading: Reading) -> Iterator[Finding]:
    """Addresses of one person's page on a service; where any page could stand there, only if the text says whose."""
    if "/" not in reading.text:
        return
    for page in _OWN_PAGE.finditer(reading.lower):
        before = reading.lower[max(0, page.start() - 60) : page.start()]
        if _OWNER.search(before) and not _NOT_OWNER.search(before):
            end = page.end() - (len(page[0]) - len(page[0].rstrip(".")))
            yield Finding(page.start(), end, EntityType.PROFILE_URL, CONTEXT, "profile-own")
    if any(hint in reading.lower for hint in _PROFILE_HINTS):
        for found in _PROFILES.finditer(reading.lower):
            if found.start() == 0 or not re.match(r"[a-z0-9@]", reading.lower[found.start() - 1]):
                yield Finding(found.start(), found.end(), EntityType.PROFILE_URL, FORMED, "profile-url")


_HANDLE_GAP: Final = (
    r"(?:[ \t]{0,3}(?:handle|username|user name|account|id|name|号|账号|帐号|昵称))?[ \t]{0,3}"
    r"(?:(?:is|was|=|:|是|为)[ \t]{0,3}){1,2}[\"'`]?"
)
_HANDLES: Final = (
    Labelled(
        EntityType.USERNAME,
        "at-handle",
        "follow me|find me|add me|dm me|tag me|message me|reach me|ig|twitter|instagram|insta|tiktok|threads|"
        "telegram|bluesky|"
        "推特|微博|抖音|快手|小红书|关注我|加我",
        r"(@[A-Za-z0-9_][\w.]{2,30})(?<![.,])",
        accept=lambda value: (
            value.lower() not in {"@home", "@work", "@here", "@everyone", "@all", "@channel", "@school"}
        ),
        gap=r"(?:[ \t]{1,2}(?:on|at|via|as)(?: [a-z]{2,12})?)?"
        r"(?:[ \t]{1,2}(?:as|at|@(?= )))?(?:号|账号|帐号|id|是|:|[ \t]){0,4}[\"'`]?",
    ),
    Labelled(
        EntityType.USERNAME,
        "handle-zh",
        "小红书号|抖音号|快手号|微博号|推特账号|微博账号|b站账号|陌陌号|支付宝账号|游戏id|知乎账号|豆瓣id",
        r"([0-9A-Za-z][\w.-]{3,31})(?<![.,])",
        gap=r"(?:是|为|:|=|[ \t]){0,4}[\"'`]?",
    ),
    Labelled(
        EntityType.USERNAME,
        "handle",
        (
            "twitter|instagram|insta|telegram|github|discord|reddit|skype|snapchat|tiktok|mastodon|"
            "handle|steam|line id|kakaotalk|signal|twitch|bluesky"
        ),
        r"(@?[A-Za-z0-9_][\w.#-]{2,31}(?:@[\w.-]{3,40})?)(?<![.,])",
        accept=lambda value: value[0] == "@" or any(c in "0123456789_#." for c in value),
        gap=_HANDLE_GAP,
    ),
    Labelled(
        EntityType.USERNAME,
        "username",
        "my username|my user name|my login|my handle|用户名|username for me|my screen name",
        r"@?([A-Za-z0-9_][\w.-]{2,31})(?<![.,])",
        gap=r"[ \t]{0,3}(?:(?:is|was|=|:|是|为)[ \t]{0,3}){1,2}[\"'`]?",
        accept=lambda value: value.lower() not in {"root", "admin", "not", "wrong", "the", "required", "taken"},
    ),
    Labelled(
        EntityType.USERNAME,
        "wechat",
        "微信|微信号|wechat|wechat id|wx|v信|vx|威信",
        r"([A-Za-z][A-Za-z0-9_-]{5,19})(?![A-Za-z0-9_-])",
        gap=r"(?:号|id|是|为|:|=|is|[ \t]){1,6}[\"'`]?",
    ),
    Labelled(
        EntityType.USERNAME,
        "wechat-adjacent",
        "微信",
        r"([A-Za-z][A-Za-z0-9_-]{5,19})(?![A-Za-z0-9_-])",
        accept=lambda value: any(c in "0123456789_" for c in value),
        gap="",
    ),
    Labelled(
        EntityType.USERNAME,
        "qq",
        "qq|扣扣|q号",
        r"([1-9][0-9]{4,10})(?![0-9])",
        gap=r"(?:号码|号|是|为|:|=|is|群|[ \t]){0,6}[\"'`]?",
    ),
)


def find_handles(reading: Reading) -> Iterator[Finding]:
    """Names on services, where the words around say so."""
    for rule in _HANDLES:
        yield from rule.find(reading)

"""Keys and tokens that carry their issuer's mark: prefix, alphabet and length say what they are."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from keepmum_shared.taxonomy import EntityType

from keepmum_edge.spans.finding import CHECKED, FORMED, Finding
from keepmum_edge.spans.normalise import Reading
from keepmum_edge.spans.patterns import secrecy

_W: Final = r"[0-9A-Za-z]"
_U: Final = r"[0-9A-Za-z_-]"
_H: Final = r"[0-9a-fA-F]"
_UUID: Final = rf"{_H}{{8}}-{_H}{{4}}-{_H}{{4}}-{_H}{{4}}-{_H}{{12}}"

# (mark, pattern): the mark is a literal that the text must hold before the pattern is tried.
_KEYS: Final[tuple[tuple[str, str], ...]] = (
    # Amazon, Google, Microsoft, Alibaba, Tencent and other clouds
    ("A", r"(?:A3T[A-Z0-9]|AKIA|ABIA|ACCA|AGPA|AIDA|AIPA|ANPA|ANVA|AROA|ASIA)[A-Z0-9]{16}"),
    ("amzn.mws.", rf"amzn\.mws\.{_U}{{8}}-{_W}{{3,4}}-{_W}{{3,4}}-{_W}{{3,4}}-{_W}{{12}}"),
    ("ABSK", r"ABSK[0-9A-Za-z+/]{100,140}={0,2}"),
    ("bedrock-api-key-", r"bedrock-api-key-[0-9A-Za-z+/=_-]{20,}"),
    ("da2-", r"da2-[a-z0-9]{26}"),
    ("AIza", r"AIza[0-9A-Za-z_-]{30,45}"),
    ("GOCSPX-", rf"GOCSPX-{_U}{{20,40}}"),
    ("ya29.", rf"ya29\.{_U}{{20,300}}"),
    ("1//0", rf"1//0{_U}{{40,200}}"),
    ("LTAI", rf"LTAI{_W}{{12,26}}"),
    ("AKID", rf"AKID{_W}{{13,40}}"),
    ("AKLT", rf"AKLT{_W}{{16,60}}={{0,2}}"),
    ("JDC_", r"JDC_[0-9A-Z]{25,40}"),
    ("JQQJ99", rf"{_W}{{20,90}}JQQJ99{_W}{{10,40}}"),
    ("AZDO", rf"{_W}{{52,80}}AZDO{_W}{{4}}"),
    ("8Q~", r"[0-9A-Za-z_~.]{3}8Q~[0-9A-Za-z_~.-]{31,34}"),
    ("do", r"do[oprs]_v1_[0-9a-f]{64}"),
    ("dp.", r"dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[a-z0-9_-]{2,35}\.)?[0-9A-Za-z]{40,44}"),
    ("cf", rf"cf(?:k|at|ut)_{_U}{{30,64}}"),
    ("tfp_", rf"tfp_{_W}{{30,70}}"),
    (".atlasv1.", rf"{_W}{{14}}\.atlasv1\.[0-9A-Za-z_=-]{{50,90}}"),
    ("hv", rf"hv[sbr]\.{_U}{{20,300}}"),
    ("pscale_", r"pscale_(?:tkn|oauth|pw)_[0-9A-Za-z_.-]{30,70}"),
    ("rnd_", rf"rnd_{_W}{{28,40}}"),
    ("fly", r"(?:fm[12]_|FlyV1 )[0-9A-Za-z+/=_,-]{40,1000}"),
    ("vercel_", rf"vercel_(?:blob_rw_)?{_W}{{20,70}}"),
    ("bkua_", rf"bkua_{_W}{{30,50}}"),
    ("dapi", r"dapi[0-9a-z]{32}(?:-[0-9])?"),
    ("dt0", rf"dt0[a-z][0-9]{{2}}\.{_W}{{20,30}}\.{_W}{{50,70}}"),
    ("eyJrIjoi", r"eyJrIjoi[0-9A-Za-z+/]{40,300}={0,2}"),
    ("gl", rf"glc_[0-9A-Za-z+/]{{32,400}}={{0,2}}|glsa_{_W}{{32}}_{_H}{{8}}"),
    # Code hosting, packages, build
    ("gh", rf"gh[oprsu]_{_W}{{36,255}}"),
    ("github_pat_", r"github_pat_[0-9A-Za-z_]{40,255}"),
    ("gl", rf"gl(?:pat|ptt|dt|rt|rtr|cbt|ft|ffct|imt|agent|oas|soat|wt)-[0-9A-Za-z_.-]{{12,300}}|gloas-{_H}{{64}}"),
    ("glimt-", rf"glimt-{_U}{{20,40}}"),
    ("GR1348941", rf"GR1348941{_U}{{20,25}}"),
    ("AT", r"AT(?:ATT3|BB|CTT3|LT)[0-9A-Za-z_=+/\\%-]{24,300}"),
    ("npm_", rf"npm_{_W}{{30,40}}"),
    ("pypi-", rf"pypi-Ag[EI]{_U}{{50,1000}}"),
    ("rubygems_", rf"rubygems_{_H}{{48}}"),
    ("oy2", r"oy2[a-z0-9]{43}"),
    ("AKCp", r"AKCp[0-9A-Za-z]{60,80}"),
    ("cmVmd", r"cmVmd(?:Gtuo|GtuOj)[0-9A-Za-z]{50,80}"),
    ("dckr_", rf"dckr_(?:pat|oat)_{_U}{{20,40}}"),
    ("SWM", r"SWM(?:TKN-1-[0-9a-z]{40,60}-[0-9a-z]{20,30}|KEY-1-[0-9A-Za-z+/]{40,50})"),
    ("CCIPAT_", rf"CCIPAT_{_W}{{20,25}}_{_H}{{40}}"),
    ("sgp_", rf"sgp_(?:{_H}{{16}}_|local_)?{_W}{{40,70}}"),
    ("sq", rf"sq(?:u|p|a)_{_H}{{40}}"),
    ("PMA", rf"PMA(?:K-{_H}{{24}}-{_H}{{34}}|T-[0-9A-Z]{{26}})"),
    ("odt_", rf"odt_{_W}{{30,60}}"),
    ("tgp_v1_", rf"tgp_v1_{_U}{{40,50}}"),
    ("figd_", rf"figd_{_U}{{38,45}}"),
    ("lin_", rf"lin_(?:api|oauth)_{_W}{{32,70}}"),
    ("ntn_", rf"ntn_{_W}{{40,50}}"),
    ("secret_", rf"secret_{_W}{{43}}"),
    ("pat", rf"pat{_W}{{14}}\.{_H}{{64}}"),
    ("PRIVATE-KEY", rf"{_H}{{8}}-PRIVATE-KEY-{_H}{{20,60}}"),
    ("hawk.", rf"hawk\.{_U}{{20}}\.{_U}{{20}}"),
    ("CLOJARS_", r"CLOJARS_[0-9a-z]{60}"),
    ("tskey-", rf"tskey-[a-z]{{2,10}}-{_W}{{8,30}}-{_W}{{16,50}}"),
    # Models
    ("sk-", rf"sk-(?:ant-(?:api|admin|sid)[0-9]{{2}}-|proj-|svcacct-|admin-|or-v1-|lf-)?{_U}{{20,300}}"),
    ("hf_", rf"hf_{_W}{{30,40}}"),
    ("api_org_", rf"api_org_{_W}{{30,40}}"),
    ("r8_", rf"r8_{_U}{{37,48}}"),
    ("gsk_", rf"gsk_{_W}{{40,60}}"),
    ("xai-", rf"xai-{_U}{{60,100}}"),
    ("pplx-", rf"pplx-{_W}{{40,60}}"),
    ("nvapi-", rf"nvapi-{_U}{{50,80}}"),
    ("pcsk_", rf"pcsk_{_W}{{5,8}}_{_W}{{50,70}}"),
    ("lsv2_", rf"lsv2_(?:pt|sk)_{_H}{{32}}_{_H}{{10}}"),
    ("tvly-", rf"tvly-(?:dev-)?{_U}{{28,50}}"),
    ("jina_", rf"jina_{_U}{{50,70}}"),
    ("fw_", rf"fw_{_W}{{22,30}}"),
    ("wandb", rf"(?<=wandb ){_H}{{40}}"),
    ("csk-", r"csk-[0-9a-z]{40,60}"),
    ("fc-", rf"fc-{_H}{{32}}"),
    ("esecret_", rf"esecret_{_W}{{24,60}}"),
    ("pa-", rf"pa-{_U}{{42,46}}"),
    ("BSA", rf"BSA{_U}{{26,30}}"),
    ("AQ.Ab", rf"AQ\.Ab{_U}{{30,80}}"),
    ("rpa_", rf"rpa_{_W}{{36,50}}"),
    ("e2b_", rf"e2b_{_H}{{40}}"),
    ("ctx7sk-", rf"ctx7sk-{_UUID}"),
    # Hosting
    ("napi_", r"napi_[0-9a-z]{48,70}"),
    ("vcp_", rf"vcp_{_W}{{24,70}}"),
    ("vck_", rf"vck_{_W}{{24,70}}"),
    ("fm2_", r"fm2_[0-9A-Za-z+/=_-]{60,1000}"),
    ("nfp_", rf"nfp_{_W}{{36,44}}"),
    ("pul-", rf"pul-{_H}{{40}}"),
    ("zpka_", rf"zpka_{_H}{{32}}_{_H}{{8}}"),
    ("tr_dev_", rf"tr_dev_{_W}{{20,40}}"),
    ("tr_prod_", rf"tr_prod_{_W}{{20,40}}"),
    ("cal_", rf"cal_(?:live_|test_)?{_H}{{32}}"),
    # Money, shops
    ("k_", rf"[sr]k_(?:live|test)_{_W}{{16,250}}|sk_{_H}{{40,64}}|rk_(?:live|test)_{_W}{{16,250}}"),
    ("whsec_", r"whsec_[0-9A-Za-z+/=]{20,80}"),
    ("sq0", rf"sq0(?:atp|csp|idp)-{_U}{{22,43}}"),
    ("EAAA", r"EAAA[0-9A-Za-z_-]{56,70}"),
    ("shp", rf"shp(?:at|ca|pa|ss|tka)_{_H}{{32}}"),
    ("access_token$", r"access_token\$(?:production|sandbox)\$[0-9a-z]{10,24}\$[0-9a-f]{32}"),
    ("rzp_", rf"rzp_(?:live|test)_{_W}{{14,20}}"),
    ("FLWSECK", rf"FLWSECK(?:_TEST)?-{_W}{{12,40}}(?:-X)?"),
    ("dnkey-", r"dnkey-[0-9A-Z]{26}-[0-9A-Z]{52}"),
    # Mail, messages, people
    ("SG.", rf"SG\.{_U}{{16,32}}\.{_U}{{16,64}}"),
    ("xkeysib-", rf"xkeysib-{_H}{{64}}-{_W}{{16}}"),
    ("xsmtpsib-", rf"xsmtpsib-{_H}{{64}}-{_W}{{16}}"),
    ("key-", rf"key-{_H}{{32}}"),
    ("-us", rf"{_W}{{20,40}}-us[0-9]{{1,2}}"),
    ("re_", rf"re_{_W}{{8}}_{_W}{{20,30}}"),
    ("xox", r"xox[abeoprs](?:\.xox[bp])?-[0-9A-Za-z-]{20,400}"),
    ("xapp-", r"xapp-[0-9A-Za-z/-]{20,200}"),
    ("hooks.slack.com", r"https://hooks\.slack\.com/(?:services|workflows|triggers)/[0-9A-Za-z/]{30,90}"),
    ("webhooks", r"https://(?:[a-z]{3,8}\.)?discord(?:app)?\.com/api/webhooks/[0-9]{15,21}/[0-9A-Za-z_-]{50,90}"),
    ("api.telegram.org/", r"https://api\.telegram\.org/(?:file/)?bot[0-9]{6,12}:[0-9A-Za-z_-]{30,40}"),
    ("/open-apis/bot/", r"https://open\.(?:feishu\.cn|larksuite\.com)/open-apis/bot/(?:v2/)?hook/[0-9A-Za-z-]{20,60}"),
    ("maker.ifttt.com", r"https://maker\.ifttt\.com/trigger/[^/\s]{1,60}/(?:json/)?with/key/[0-9A-Za-z_-]{15,60}"),
    (".make.com", r"https://hook\.(?:[a-z0-9]{2,12}\.)?make\.com/[0-9a-z]{20,40}"),
    ("webhook.office.com", r"https://[a-z0-9-]{1,40}\.webhook\.office\.com/webhookb2/[0-9A-Za-z@/_-]{60,250}"),
    (":AA", r"[0-9]{7,12}:AA[0-9A-Za-z_-]{32,34}"),
    (".", r"[MNO][0-9A-Za-z_-]{23,27}\.[0-9A-Za-z_-]{6}\.[0-9A-Za-z_-]{27,40}"),
    ("SK", rf"SK{_H}{{32}}"),
    ("AC", r"AC[0-9a-f]{32}"),
    ("AAAAAAAAAAAA", r"A{20,22}[0-9A-Za-z%]{40,140}"),
    ("EAA", r"EAA(?:CEdEose0cBA|[0-9A-Za-z]{6})[0-9A-Za-z]{40,300}"),
    ("IG", r"IGQV[0-9A-Za-z_-]{60,300}"),
    ("live_", r"live_[0-9]{6,12}_[0-9A-Za-z]{28,34}"),
    ("oauth:", r"(?<=oauth:)[0-9a-z]{30}"),
    ("sl.", rf"sl\.{_U}{{100,160}}"),
    ("cosmo_", r"cosmo_[0-9a-f]{32}"),
    # Watching, maps, others
    ("NR", r"NR(?:AK|II|IQ|RA|AA|BR|JS)-[0-9A-Za-z_-]{19,50}|[0-9a-f]{36,40}NRAL"),
    ("ph", rf"ph[acrsx]_{_U}{{40,60}}"),
    ("ak_live_", rf"ak_(?:live|test)_{_W}{{24,60}}"),
    ("slk_", rf"slk_{_H}{{64}}"),
    ("tkn.v1_", r"tkn\.v1_[0-9A-Za-z+/=]{60,120}"),
    ("KEY", rf"KEY{_W}{{20,40}}[_-]{_U}{{15,60}}"),
    ("shippo_", rf"shippo_(?:live|test)_{_H}{{40}}"),
    ("-c-", rf"(?:pub|sub|sec)-c-{_UUID}"),
    ("hooks.zapier.com", r"https://hooks\.zapier\.com/hooks/catch/[0-9A-Za-z/]{8,60}"),
    ("LS0tLS1CRUdJTi", r"LS0tLS1CRUdJTi[0-9A-Za-z+/\r\n]{20,8000}={0,2}"),
    ("sntr", r"sntr[yu]s?_[0-9A-Za-z+/=_-]{40,250}"),
    ("k.eyJ", r"[st]k\.eyJ[0-9A-Za-z_-]{20,200}\.[0-9A-Za-z_-]{18,30}"),
    ("apify_api_", rf"apify_api_{_W}{{30,40}}"),
    ("launchdarkly", rf"(?:api|sdk|mob)-{_UUID}"),
    ("VF.", rf"VF\.(?:DM|WS)\.{_H}{{20,28}}\.{_W}{{14,20}}"),
    ("00D", r"00D[0-9A-Za-z]{9,15}![0-9A-Za-z._]{60,140}"),
    ("AGE-SECRET-KEY-1", r"AGE-SECRET-KEY-1[0-9A-Z]{50,70}"),
    ("sk_", rf"sk_{_W}{{40,60}}"),
    ("sbp_", rf"sbp_(?:oauth_)?{_W}{{40}}"),
    ("sb_secret_", rf"sb_secret_{_U}{{20,50}}"),
    ("NVG8", rf"NVG8{_W}{{60}}"),
    ("ops_eyJ", r"ops_eyJ[0-9A-Za-z_=-]{100,2000}"),
    ("prv", r"[xyztu]prv[1-9A-HJ-NP-Za-km-z]{100,115}"),
    ("A3-", r"A3-[0-9A-Z]{6}-(?:[0-9A-Z]{11}|[0-9A-Z]{6}-[0-9A-Z]{5})-[0-9A-Z]{5}-[0-9A-Z]{5}-[0-9A-Z]{5}"),
)  # fmt: skip


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """Most texts hold no mark at all, so most patterns are never compiled."""
    return re.compile(rf"(?<![0-9A-Za-z])(?:{pattern})(?![0-9A-Za-z])")


# An access key's identifier is mostly followed by the secret itself, which has no mark.
_PAIRED: Final = frozenset({"A", "LTAI", "AKID"})
_COMPANION: Final = re.compile(r"(?<![0-9A-Za-z/+=_-])[0-9A-Za-z/+]{30,40}(?![0-9A-Za-z/+=_-])")
_JWT: Final = re.compile(r"(?<![0-9A-Za-z])ey[JI][0-9A-Za-z_-]{8,}\.[0-9A-Za-z_-]{8,}(?:\.[0-9A-Za-z_-]*){0,3}")
_KINDS: Final = dict.fromkeys(
    ("ya29.", "1//0", "EAA", "IG", "sl.", "live_", "oauth:", "access_token$"), EntityType.TOKEN
) | dict.fromkeys(("prv", "AGE-SECRET-KEY-1", "LS0tLS1CRUdJTi"), EntityType.PRIVATE_KEY)
_HASHES: Final = re.compile(
    r"(?<![0-9A-Za-z$])(?:\$(?:1|5|6|y|2[abxy]|apr1|argon2(?:id|i|d))\$[0-9A-Za-z./$=,+-]{20,200}|\$krb5[a-z]{2,8}\$[^\s\"']{20,2000})"
)


def find_provider_keys(reading: Reading) -> Iterator[Finding]:
    """Keys of the common providers, JSON web tokens, hashed passwords."""
    text = reading.text
    for mark, pattern in _KEYS:
        if mark in text:
            kind = _KINDS.get(mark, EntityType.API_KEY)
            for found in _compiled(pattern).finditer(text):
                if _is_key(found[0]):
                    yield Finding(found.start(), found.end(), kind, CHECKED, "provider-key")
                    if mark in _PAIRED:
                        yield from _companion(text, found.end())
    if "eyJ" in text or "eyI" in text:
        for found in _JWT.finditer(text):
            end = found.end() - (len(found[0]) - len(found[0].rstrip(".")))
            yield Finding(found.start(), end, EntityType.TOKEN, CHECKED, "jwt")
    if "$" in text:
        for found in _HASHES.finditer(text):
            yield Finding(found.start(), found.end(), EntityType.PASSWORD, CHECKED, "password-hash")


def _companion(text: str, start: int) -> Iterator[Finding]:
    for found in _COMPANION.finditer(text, start, start + 160):
        if secrecy.entropy(found[0]) >= 4 and not found[0].islower() and any(c.isdigit() for c in found[0]):
            yield Finding(found.start(), found.end(), EntityType.API_KEY, FORMED, "provider-key-pair")
            return


def _is_key(value: str) -> bool:
    """Refuse `sk-------`, `xxxxxxxx` and prose that happens to begin like a key."""
    body = value[4:]
    if len(set(body.lower()) - set("x*_-.0")) < 3 or "xxxxxx" in body.lower() or not any(c.isalpha() for c in body):
        return False
    return any(c.isdigit() for c in body) or sum(c.isupper() for c in body) >= 3

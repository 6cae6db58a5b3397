"""Forms of Chinese clauses that tell something worth remembering (pure data); what fact_forms_en says holds here."""

import re
from typing import Final

from keepmum_edge.memory.fact_form import FactForm

RELATIONS_ZH: Final = (
    "妈妈|母亲|妈|爸爸|父亲|爸|爸妈|父母|哥哥|弟弟|姐姐|妹妹|哥|弟|姐|妹|老公|丈夫|先生|老婆|妻子|太太|爱人|男朋友|女朋友|男友|女友|对象"
    "|儿子|女儿|孩子|宝宝|爷爷|奶奶|外公|外婆|姥姥|姥爷|叔叔|阿姨|舅舅|姑姑|表哥|表弟|表姐|表妹|堂哥|堂弟|堂姐|堂妹|岳父|岳母|公公|婆婆"
    "|朋友|闺蜜|同学|同事|老板|领导|上司|室友|邻居|老师|导师|房东|前任"
)
_PL3: Final = "<(?:FINANCE|HEALTH|BIOMETRIC|RELIGION|ETHNICITY|ORIENTATION|POLITICS|LEGAL_RECORD|MINOR|DETAIL)_\\d+>"
_NOW: Final = "(?:现在|目前|已经|刚刚?|最近|一直|也|还|都)*"


def _form(name: str, pattern: str, importance: int, **more: object) -> FactForm:
    return FactForm(name=name, pattern=re.compile(pattern), importance=importance, **more)  # type: ignore[arg-type]


FORMS_ZH: Final[tuple[FactForm, ...]] = (
    _form("name", r"^(?:我叫|我的?名字[是叫]|(?:请)?叫我|我姓)\S", 90, topic="name", exclusive=True),
    _form("instruction", r"^(?:请)?(?:以后|今后|从现在开始|从现在起|从今以后|永远|始终|每次|一直)(?:都|请|要|用)?\S{2,}|^(?:请)?(?:不要|别)(?:再)?(?:用|使用)(?:表情|英文|中文|敬语|术语)|^回答(?:要|请|尽量)\S", 80),
    _form("home", rf"^(?:我家在|我{_NOW}(?:住|搬|定居|生活)(?:在|到|去|于)?)\S", 80, topic="home", exclusive=True),
    _form("origin", r"^(?:我是\S{1,8}人$|我来自|我老家|我的老家|我出生[于在]|我在\S{1,10}长大)", 70, topic="origin", exclusive=True),
    _form("age", r"^我今?年?\d{1,3}岁了?$", 60, topic="age", exclusive=True),
    _form("birthday", r"^我(?:的)?生日", 80, topic="birthday", exclusive=True),
    _form("work", rf"^我{_NOW}(?:在\S{{1,30}}(?:工作|上班|任职|实习|读书|上学|念书|读研|读博|教书)|从事|就职|任职|退休|创业|自由职业)", 75, topic="work"),
    _form("possession", r"^我最(?:喜欢|爱)的(?P<topic>\S{1,8}?)(?:是|叫)", 60, topic="favourite {topic}", exclusive=True),
    _form("preference", r"^我(?:真的|非常|特别|最|很|比较|超|更|还是|也|都|一直|不太|不怎么|从小就)*(?:喜欢|爱吃|爱喝|爱看|爱听|爱玩|热爱|偏爱|偏好|讨厌|不喜欢|不爱|不吃|不喝|不用|受不了|习惯|倾向|宁愿|崇拜|迷恋|怕|害怕)\S", 60),
    _form("preference", r"^我(?:是|算是)?(?:素食者|左撇子|夜猫子|色盲|\S{1,6}粉丝|\S{1,8}爱好者|\S{1,6}控$)|^我对\S{1,12}(?:感兴趣|没兴趣|过敏|着迷)", 65),
    _form("possession", r"^我(?:家)?(?:的)?(?P<topic>(?!问题|意思|理解|观点|想法|错|代码|需求)\S{1,8}?)(?:名字)?叫(?!我|做)\S", 65, topic="name of {topic}", exclusive=True),
    _form("possession", r"^我的(?P<topic>(?!问题|意思|理解|观点|想法|错|代码|需求|天)\S{1,10}?)(?:是|在|为)\S", 55, topic="{topic}", exclusive=True),
    _form("occupation", r"^我(?:是|做|当)(?:一?[名个位])?(?!说|想|不是|谁|什么|为了|在|要|来|用|个问题)\S{0,8}?(?:师|员|生|家|者|医|工|长|手|人员|经理|老板|顾问|律师|教授|博士|总监|主管|程序猿|会计|护士|司机|翻译|编辑|记者|演员|作家|农民|军人|警察)(?!$^)", 75, topic="occupation"),
    _form("possession", r"^我(?:家)?(?:有|养了?|买了|领养了)(?:一|两|二|三|四|五|几|\d+)?(?:个|只|条|辆|套|台|部|把|张|位|家|本|间|猫|狗)(?!问题|疑问|想法|请求|建议|bug|需求)\S", 55),
    _form("ability", r"^我(?:会|不会|能|可以)(?:说|讲|弹|开|写|游|做|拉|画|用|编)\S", 55),
    _form("plan", r"^(?:我们?|咱们?)(?:已经|刚|最近)?(?:打算|计划|准备|决定|即将|马上要|将要?|要去|要参加|会去|约了|预约了|报名了|订了|定了)\S", 55, plan=True),
    _form("plan", r"^我?(?:们)?(?:明天|后天|今天|今晚|明晚|下周|这周|本周|下个?月|下个?星期|周[一二三四五六日天]|星期[一二三四五六日天]|\d{4}年?)\S{0,12}?(?:要|会|去|有|飞|见|开会|考试|面试|出差|旅行|搬家|参加|结婚)", 55, plan=True, dated=True),
    _form("state", rf"^我{_NOW}(?:有|患有?|得了|是|信|在吃|吃|欠了?|确诊|被|怀孕|失业|月薪|每月|支持|加入)\S*?(?:{_PL3}|糖尿病|抑郁|焦虑症|怀孕|失业|裁|病|症|佛|教徒|同性恋|党员|过敏|残疾|欠|债)", 65),
    _form("state", rf"^我{_NOW}(?:投票?给|投了|支持\S*党|加入了?\S*(?:党|工会|教会))", 60),
    _form("goal", r"^我(?:很|一直|特别)?(?:想要?|希望|梦想)(?!知道|问|看看|了解|请|找|查|让你|用|写|做一个|把|实现|生成|翻译)\S{2,}", 45),
    _form("event", r"^我们?(?:已经|刚刚?|最近|上周|上个?月|去年|昨天|前天|终于)*(?:搬到|搬家|买了|换了|毕业|结婚|订婚|入职|升职|辞职|退休|去了|去过|参加了|通过了|考上|开始|完成|学会|加入|认识|报了|生了|领养)\S*", 40, past=True),
    _form("habit", rf"^我{_NOW}(?:每天|每周|每晚|每年|每个月|经常|通常|平时|一般|总是|从来不?|从不|有时|偶尔|早上|晚上|周末)\S{{2,}}", 50, topic="habit"),
    _form("habit", rf"^我{_NOW}(?:喝|吃|用|学|教|练|弹|跑|开|玩|看|读|骑|养|戴|穿|收集|写)(?!了|的是|一下|完|过)\S", 50, topic="habit"),
)  # fmt: skip

NEGATION_ZH: Final = re.compile(
    r"不再|(?:已经)?不\S{0,8}了$|(?:已经)?没\S{0,6}了$|戒了|戒掉|停了|放弃了|不干了|以前|曾经|改成|换成|而不是"
)
CHANGE_ZH: Final = re.compile(r"现在|如今|改|换成|换了|目前|从现在")
REMEMBER_ZH: Final = re.compile(
    r"^(?:请|麻烦|帮我|你要?|你?帮忙|对了)*(?:记住|记得|记一下|记下来?|别忘了|不要忘记?|牢记|备注一下?|存一下|保存一下)(?:一下|这个|这一点|哦|啊|吧)*[：:，, ]*(?P<what>.*)$",
    re.DOTALL,
)
VETO_ZH: Final = re.compile(
    r"(?:不要|别|不用|请勿|无需)(?:再)?(?:记住|记录|保存|存储|记下|记)(?!错)|(?:忘掉|忘记|忘了)(?:这|刚才|我说)"
)
QUESTION_ZH: Final = re.compile(
    r"[?？]\s*$|(?:吗|呢|么)[。！]?$|^(?:什么|怎么|怎样|为什么|为何|谁|哪|几|多少|是不是|能不能|可不可以|可以|能|请问|有没有|如何|会不会)"
)

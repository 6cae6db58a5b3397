"""Forms of English clauses that tell something worth remembering (pure data).

The first form that fits decides. `topic` names what can be true in one way only at a time: a new fact of the same
subject and topic closes the old one at once, if `exclusive`, or else if the clause says that things have changed.
"""

import re
from typing import Final

from keepmum_edge.memory.fact_form import FactForm

RELATIONS: Final = (
    "brother|sister|sibling|mother|mom|mum|mama|father|dad|papa|parents?|wife|husband|spouse|partner|girlfriend|boyfriend"
    "|fianc[eé]e?|son|daughter|child|children|kids?|baby|aunt|uncle|cousin|nephew|niece|grandmother|grandma|granny"
    "|grandfather|grandpa|mother-in-law|father-in-law|brother-in-law|sister-in-law|friend|best friend|boss|manager"
    "|colleague|coworker|co-worker|neighbou?r|roommate|flatmate|housemate|teacher|professor|student|landlord|ex"
)
_ADVERB: Final = r"(?:(?:now|currently|also|still|just|really|absolutely|actually|do|always|usually|often|mostly) )*"
_PL3: Final = "<(?:FINANCE|HEALTH|BIOMETRIC|RELIGION|ETHNICITY|ORIENTATION|POLITICS|LEGAL_RECORD|MINOR|DETAIL)_\\d+>"
_HABIT: Final = (
    "drink|eat|use|play|read|write|speak|drive|own|wear|take|watch|learn|study|teach|collect|practi[cs]e|run|swim|cycle"
    "|bike|commute|cook|bake|volunteer|subscribe|listen|code|program|sing|paint|garden|travel|train|shop|sleep|wake|get up"
    "|follow|support|prefer|avoid|keep|pay|spend|work out|go"
)


def _form(name: str, pattern: str, importance: int, **more: object) -> FactForm:
    return FactForm(name=name, pattern=re.compile(pattern, re.IGNORECASE), importance=importance, **more)  # type: ignore[arg-type]


FORMS_EN: Final[tuple[FactForm, ...]] = (
    _form("name", r"^(?:my (?:full |first |last |nick)?name(?: is|'s)|(?:please )?call me|i(?:'m| am) called)\s+\S", 90, topic="name", exclusive=True),
    _form("instruction", r"^(?:(?:please )?(?:always|never)\s+\w+|from now on\b|in future\b|in the future\b|going forward\b|(?:please )?keep (?:your )?(?:answers?|replies|responses|explanations)\b|(?:please )?(?:answer|reply|respond|write|talk|speak)(?: to me)? (?:always )?in \w+ from now on)", 80),
    _form("home", rf"^i(?:'m| am|'ve| have)?(?: just| recently)? {_ADVERB}(?:live|living|reside|based|located|moved|relocated)\b(?: here)? (?:in|at|to|near|on|with)\b", 80, topic="home", exclusive=True),
    _form("origin", r"^i(?:'m| am| come| was born)(?: originally)? (?:from|in)\s+\S|^i grew up in\b", 70, topic="origin", exclusive=True),
    _form("work", rf"^i(?:'m| am)? {_ADVERB}(?:work|working|employed|study|studying|teach|teaching|retired|self-employed|freelanc\w+|interning|a student)\b", 75, topic="work", exclusive=False),
    _form("age", r"^i(?:'m| am) \d{1,3}(?: years old)?$", 60, topic="age", exclusive=True),
    _form("birthday", r"^my (?:birthday|date of birth|anniversary) (?:is|'s)\b|^i was born on\b", 80, topic="birthday", exclusive=True),
    _form("preference", rf"^i {_ADVERB}(?:like|love|enjoy|prefer|hate|dislike|loathe|adore|can't stand|cannot stand|can't bear|don't like|do not like|don't eat|do not eat|don't drink|do not drink|don't use|do not use|avoid|am into|favou?r|would rather|don't enjoy)\b(?! to (?:know|see|ask|hear|get|have|thank)\b)(?! (?:it|that|this|your|you|the idea)\b)", 60),
    _form("preference", r"^i(?:'d| would) rather\b|^i(?:'m| am) (?:a (?:big |huge )?fan of|into|fond of|keen on|allergic|vegetarian|vegan|left-handed|right-handed|colou?r-?blind|lactose|an early bird|a night owl|a morning person)\b", 65),
    _form("possession", r"^my (?:fav(?:ou?)rite )(?P<topic>[\w' -]{2,40}?) (?:is|are|was|were)\b", 60, topic="favourite {topic}", exclusive=True),
    _form("possession", r"^my (?P<topic>(?!question|problem|issue|point|guess|idea|goal here|code|error|understanding|opinion|apolog|bad|turn|last message|first question|next question|mistake|prompt)[\w'<>-]+(?: [\w'<>-]+){0,3}?)(?:'s name)? (?:is|'s|are) (?:called|named)\b", 65, topic="name of {topic}", exclusive=True),
    _form("possession", r"^my (?P<topic>(?!question|problem|issue|point|guess|idea|code|error|understanding|opinion|apolog|bad|turn|last message|first question|next question|mistake|prompt)[\w'<>-]+(?: [\w'<>-]+){0,3}?) (?:is|are)\b", 55, topic="{topic}", exclusive=True),
    _form("possession", r"^my (?!question|problem|issue|code|error)[\w'<>-]+(?: [\w'<>-]+){0,3}? (?:lives?|works?|has|have|likes?|loves?|hates?|plays?|speaks?|studies|starts?|turns|was born|moved|needs|owns?|drives?|wants|prefers?)\b", 50),
    _form("occupation", r"^i(?:'m| am|'ve been| have been) (?:a|an|the)\s+(?!bit\b|little\b|lot\b|few\b|fool\b|mess\b|while\b|one\b)(?:[\w-]+ ){0,5}?[\w-]*(?:er|or|ist|ian|ant|ent|man|woman|chef|nurse|student|parent|mother|father|vet|pilot|architect|designer|manager|clerk|cook|analyst|scientist|coach|officer|attorney|chemist|mechanic|plumber|electrician|accountant|freelancer|lead|intern|owner|judge|twin|only child|widower?)\b", 75, topic="occupation", exclusive=False),
    _form("ability", r"^i (?:can|can't|cannot|don't|do not) (?:speak|play|drive|cook|swim|read|program|code|write in|ride|sail|ski)\b", 55),
    _form("plan", r"^i(?:'m| am) (?:going|planning|travel\w+|flying|moving|getting married|starting|visiting|meeting|seeing|taking|leaving|driving|having|running|training|saving|applying|attending|graduating|turning)\b", 55, plan=True),
    _form("plan", r"^i (?:have|'ve got|have got) (?:a |an |my |the )?(?:[\w-]+ ){0,3}?(?:appointment|meeting|flight|exam|interview|deadline|wedding|trip|concert|dinner|call|presentation|conference|vacation|holiday|reservation|date|class|lesson|test|race|marathon)\b", 55, plan=True),
    _form("plan", r"^(?:i|we)(?: will|'ll| plan to| intend to| hope to| aim to| am going to|'m going to)\b(?! (?:try|see|let|ask|check|send|be back|do that|take a look|give))", 50, plan=True, dated=True),
    _form("plan", r"^we(?:'re| are) (?:going|planning|travel\w+|flying|moving|getting married|visiting|meeting|expecting|having|leaving|driving|renovating|hosting)\b", 55, plan=True),
    _form("plan", r"^(?:my )?(?:dentist|doctor|exam|interview|flight|meeting|appointment|deadline|wedding|concert|dinner|lunch|gym|class|training|party|birthday party|school|haircut|delivery)\b[^?]{0,40}?\b(?:on|at|is|tomorrow|next|this|in)\b", 50, plan=True, dated=True),
    _form("possession", r"^i(?:'ve got| have got| have| own| keep| adopted| just got| got| bought)(?: just)? (?:(?:a|an|two|three|four|five|\d+|some|many|lots of)\b(?! (?:question|problem|doubt|feeling|request|idea|issue|favou?r|look|chat|quick|bit|lot|few minutes|minute|second|error|bug|headache)))[\w ,'<>-]+", 55),
    _form("goal", r"^i(?:'d like| would like|'m trying| am trying| want| hope| need| have decided| decided) to (?!know|ask|see|understand|find|get|check|make sure|do|say|thank|tell|hear|create|write|fix|use|add|build|be able|print|return|compute|convert|summari|translate|remove|delete|change|install|run)\w+", 45),
    _form("event", r"^(?:i|we) (?:just |recently |finally |already )?(?:moved|bought|adopted|graduated|married|got married|started|quit|resigned|retired|got (?:a new|promoted|engaged|a job)|was promoted|went to|visited|travel\w+ to|flew to|finished|completed|passed|won|sold|signed up|joined|enrolled|founded|published|was born|broke|ran|climbed|met)\b", 40, past=True),
    _form("habit", rf"^i (?:(?:always|usually|often|never|normally|mostly|typically|sometimes|regularly|rarely|now|currently|still|only|mainly|also) )*(?:{_HABIT})\b(?! (?:it|that|this|the following)\b)", 50, topic="habit"),
    _form("habit", r"^(?:every|each) (?:day|morning|evening|night|week|weekend|month|monday|tuesday|wednesday|thursday|friday|saturday|sunday)\b.*\bi\b", 50),
    _form("state", rf"^i(?:'m| am|'ve| have| was| got| had| owe| take| suffer| lost| earn| make| believe| practi[cs]e| follow| vote| belong| live with)\b[^?]*(?:{_PL3}|\b(?:diagnosed|pregnant|diabet\w*|laid off|my job|in debt|sober|disabled|deaf|blind|gay|lesbian|bisexual|trans|muslim|christian|catholic|jewish|hindu|buddhist|atheist|asthma\w*|depress\w*|anxiety|adhd|allerg\w*|celiac|coeliac|intolerant)\b)", 65),
    _form("state", r"^i(?:'m| am| have| was)?(?: always| usually| a member of)? (?:vote|voted|campaign|campaigned|a member of|in a union)\b", 60),
    _form("state", rf"^my (?:[\w-]+ ){{1,4}}(?:is|are|was)\b.*{_PL3}", 60),
    _form("instruction", r"^(?:please )?(?:use|avoid|don't use|do not use|no) (?:metric|imperial|celsius|fahrenheit|emojis?|bullet points|markdown|british|american|formal|informal|jargon|exclamation)\b", 70),
    _form("timezone", r"^my (?:time ?zone|working hours|office hours|budget|locale|keyboard|laptop|phone|editor|stack)\b", 60),
)  # fmt: skip
"""In order of precedence. Importance is 0..100."""

NEGATION_EN: Final = re.compile(
    r"\b(?:no longer|not [^.]*?\b(?:any ?more|anymore)|(?:don't|do not|doesn't|does not|isn't|is not|am not|'m not|aren't) "
    r"[^.]*?\b(?:any ?more|anymore)|stopped|quit|gave up|given up|have stopped|used to|instead of|switched from"
    r"|never again)\b",
    re.IGNORECASE,
)
CHANGE_EN: Final = re.compile(
    r"\b(?:now|nowadays|these days|instead|from now on|switched to|changed to|since|currently)\b", re.IGNORECASE
)
REMEMBER_EN: Final = re.compile(
    r"^(?:(?:please|can you|could you|would you|pls|and|also|ok|okay|hey),?\s+)*"
    r"(?:(?:remember|don't forget|do not forget|keep in mind|bear in mind|memori[sz]e)"
    r"(?:\s+(?:for me|for (?:the )?(?:next time|later|future)|this|it|that))*"
    r"|(?:note|take note|make a note|save|store|add|for future reference)"
    r"(?:\s+(?:this|it|down|for later|(?:in|to) (?:your )?memory))*(?:\s+(?:that|of this)|(?=\s*[:,;-]|[.!]?$)))"
    r"\s*[:,;.!-]?\s*(?P<what>.*)$",
    re.IGNORECASE | re.DOTALL,
)
VETO_EN: Final = re.compile(
    r"\b(?:don't|do not|never|please don't|no need to) (?:remember|save|store|memori[sz]e|keep|record|note) (?:this|that|it|any|what|the|my|anything)\b"
    r"|\boff the record\b|\bforget (?:that|this|it|what)\b",
    re.IGNORECASE,
)
QUESTION_EN: Final = re.compile(
    r"[?？]\s*$|^(?:what|who|whom|whose|where|when|why|which|how|can|could|would|should|will|is|are|am|do|does|did|has|have you"
    r"|had|may|might|any|isn't|aren't|don't you|wouldn't)\b(?! i mean)",
    re.IGNORECASE,
)

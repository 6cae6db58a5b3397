"""Illnesses, medicines and laboratory values by name: compact lists, lower case, of what harms when it is known."""

import re
from typing import Final

_CONDITIONS: Final = (
    "type [12] diabetes|diabetes|prediabetes|epilepsy|asthma|bipolar disorder|bipolar"
    "|schizophrenia|depression|anxiety disorder|anxiety|adhd"
    "|autism|ptsd|ocd|anorexia|bulimia|hiv|hepatitis [abc]|hepatitis|tuberculosis"
    "|cancer|breast cancer|lung cancer|prostate cancer"
    "|colon cancer|leukemia|leukaemia|lymphoma|melanoma|tumou?r|multiple sclerosis"
    "|parkinson['’]?s(?: disease)?|alzheimer['’]?s(?: disease)?"
    "|dementia|stroke|heart attack|heart failure|hypertension|high blood pressure|atrial "
    "fibrillation|crohn['’]?s(?: disease)?|celiac disease"
    "|coeliac disease|ulcerative colitis|ibs|lupus|psoriasis|eczema|rheumatoid arthritis"
    "|arthritis|osteoporosis|fibromyalgia|endometriosis"
    "|pcos|infertility|miscarriage|chlamydia|gonorrhea|gonorrhoea|syphilis|herpes"
    "|hypothyroidism|hyperthyroidism|hashimoto['’]?s|migraines?"
    "|insomnia|sleep apnea|sleep apnoea|anemia|anaemia|sickle cell|kidney disease|kidney "
    "stones|cirrhosis|copd|pneumonia|sarcoidosis"
    "|glaucoma|gout|anaphylaxis|peanut allergy|alcoholism|borderline personality disorder"
    "|panic attacks|pregnant|pregnancy|hiv[- ]positive|panic disorder|postpartum depression"
)
_MEDICINES: Final = (
    "metformin|insulin|ozempic|wegovy|semaglutide|lithium|prozac|zoloft|lexapro|xanax"
    "|valium|adderall|ritalin|concerta|lamotrigine|keppra"
    "|levetiracetam|valproate|quetiapine|olanzapine|risperidone|aripiprazole|bupropion"
    "|wellbutrin|venlafaxine|trazodone|gabapentin|pregabalin"
    "|warfarin|apixaban|eliquis|xarelto|levothyroxine|synthroid|prednisone|methotrexate"
    "|humira|truvada|biktarvy|methadone|suboxone"
    "|oxycodone|tramadol|morphine|tamoxifen|letrozole|clomid|viagra|cialis|finasteride"
    "|accutane|isotretinoin|warfarin|albuterol|lipitor"
    "|[a-z]{2,12}(?:pril|sartan|statin|oxetine|traline|olol|azepam|azolam|gliptin"
    "|gliflozin|cillin|mycin|prazole|vudine|tegravir|triptan)"
)
_VALUES: Final = (
    "hba1c|a1c|ldl|cholesterol|blood pressure|blood sugar|fasting glucose|psa|tsh"
    "|creatinine|egfr|cd4|viral load|hemoglobin|haemoglobin|ferritin"
)
_ORDERED: Final = "|".join(sorted(f"{_CONDITIONS}|{_VALUES}".split("|"), key=len, reverse=True))
ENGLISH_TERM: Final = re.compile(rf"(?<![a-z0-9-])(?:{_ORDERED}|{_MEDICINES})(?![a-z0-9-]| order)")
"""One term, on the reading in lower case."""

_CHINESE: Final = (
    "[12一二]型糖尿病|糖尿病|高血压|低血压|乙肝|丙肝|甲肝|肝炎|肝硬化|艾滋病|艾滋|HIV|梅毒"
    "|淋病|尖锐湿疣|肺结核|结核病|癫痫|哮喘|抑郁症|抑郁|焦虑症|躁郁症"
    "|双相情感障碍|双相|精神分裂症?|强迫症|自闭症|多动症|失眠症|帕金森|阿尔茨海默|老年痴呆"
    "|脑梗|脑出血|中风|心梗|冠心病|心脏病|心律不齐|房颤|肺癌|乳腺癌|胃癌|肝癌"
    "|肠癌|甲状腺癌|宫颈癌|前列腺癌|白血病|淋巴瘤|癌症|肿瘤|甲亢|甲减|甲状腺结节|红斑狼疮"
    "|类风湿|痛风|肾结石|肾衰竭|肾炎|尿毒症|多囊卵巢|不孕症?|流产|贫血|胃溃疡"
    "|银屑病|白癜风|骨质疏松|偏头痛|厌食症|恩替卡韦|替诺福韦|二甲双胍|胰岛素|司美格鲁肽"
    "|氨氯地平|阿托伐他汀|瑞舒伐他汀|华法林|舍曲林|氟西汀|帕罗西汀|艾司西酞普兰|碳酸锂"
    "|丙戊酸钠|喹硫平|奥氮平|阿普唑仑|劳拉西泮|左甲状腺素|优甲乐|甲氨蝶呤|他莫昔芬"
    "|奥司他韦|糖化血红蛋白|怀孕|HIV阳性|青霉素过敏"
)
CHINESE_TERMS: Final = re.compile(_CHINESE.lower())
"""One term, on the reading in lower case."""


def is_term(word: str) -> bool:
    """Whether an English word may be (the last word of) a term; cheap, asked of each word before anything else."""
    return word in _WORDS or word.endswith(_SUFFIXES)


_SUFFIXES: Final = tuple(_MEDICINES.rpartition("(?:")[2].rstrip(")").split("|"))
_WORDS: Final = frozenset(
    re.findall("[a-z][a-z0-9]+", re.sub(r"\[.*?\]\??|\?", "", f"{_CONDITIONS}|{_VALUES}|{_MEDICINES}"))
) | {
    "tumor",
    "migraine",
}  # pieces of optional forms do no harm here: the pattern decides

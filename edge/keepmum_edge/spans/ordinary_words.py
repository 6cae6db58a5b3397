"""Everyday words that are also names: in lower case, in capitals or at the start of a sentence they are words.

"Will Rose" does not make every "will" a person. The list holds common words that somebody is called; a name that is
not on it ("tanaka", "sigrid") is taken for the person however it is written.
"""

from typing import Final

from keepmum_edge.spans.patterns.name_forms import NO_NAME

_WORDS: Final = frozenset(
    """
    able abbey ace admiral alley amber amber angel apple arch archer arrow art ash ask aspen autumn away back
    badge bag bailey baker ball banks bar barber bark barn baron bass bat bay beach bean bear beard beck bee beech
    bell bench berry best beverly bill bird bishop bit black blaze bliss bloom blossom blue blunt bolt bond bone
    book booth boss bow bowl bowman box boy brace branch brand brandy brave bread breeze brick bride bridge bright
    brook brown buck bud bull bunny burns bush butcher butler buy byte cage call can candy cane cannon canon cap
    captain card carol carpenter carter case cash castle cat chance chandler chang chapel chapman charity chase
    cherry chip choice christian church city clay clear clerk cliff clove clover coal coast cock cole collar colt
    comfort cook cool cooper coral corn cotton count court cove cow cox craft crane cream creed crew crisp cross
    crow crown crystal cup curry daisy dale dan dash dawn day deal dean dear deck deer delay dell den dew diamond
    dick dish dollar dolphin don dove draft drake draw dream drew drive drum duck duke dusty dwell dyer eagle earl
    early east eden elder elm ember end english eve even ever fable fair faith falcon fall fan fancy farmer fast
    father fern field finch fine fire fisher fitch flag fleet fletcher flint flood flora florence flower fly foot
    ford forest fort forth fortune foster fountain fox frank free freedom french friday frost fuller gable gale
    game garden garland garlic garner gates gay gem general gene gentle georgia german gift gill ginger give glad
    glass glen glory glover gold golden good goodman grace grain grand grant grave gray great green grey grove
    guard guess guest gun guy hall hand happy harbor hardy harmony harper hart haven hawk hay hazel head heart
    heath heather heaven henna herb hermit high hill hind hogg holiday holly home honey honor hood hook hope horn
    hunt hunter hurt ice indigo iris iron island ivory ivy jack jade jasmine jasper jay jean jerk jet jewel jewels
    jolly jones journey joy judge jules june junior justice just keen key kind king kit kitty knight lace lacy
    lake lamb lance land lane lark lass laurel lavender law lea leaf lee legend lemon less liberty light lily lime
    lion little live lock london long lot lotus love lovely low loyal luck lucky lung lyric mace mad magnolia maid
    major male mall man manor maple march marble marina mark marks marsh marshall mary mason master mat may mead
    meadow medal melody mercy merit merry mike mild mile miller mint misty monday money monk moon moor morning
    moss mother mountain mouse myrtle needle new nice nick nickel night noble noon north novel oak oat ocean olive
    only opal orange orchid owl oxford pace page paint palm panda pansy paper paradise paris park parker parson
    parsons patience patrol patty paul peace peach peak pear pearl penny pepper perch perry petal peter petty
    phoenix pickle pike pine piper pitch place plum poe point pole pollen pond pool poor pope poppy porter post
    potter powder power power presley press price pride priest prince princess prior prose prosper proud prudence
    quail queen quick quill quinn rain rainbow ranger rank raven ray reason red reed reef regal rene reverend rex
    rice rich ridge ring ripple rise river rivers rob robin rock rocky rod rode roman root rope rosa rose rosemary
    rough round row rowan royal ruby rude rush russet rusty sable sad saddle saffron sage sailor saint salmon salt
    sand sandy savage savanna saw sawyer scarlet scout sea seal season see senior sergeant serene shade shall
    sharp shaw shell shepherd sheriff shine ship shore short silver simple singer sister skinner sky slate sleep
    small smart smith snow snyder sole son song sons sophia south spark sparrow spear speed spring sprout star
    start state steel steep steward stewart still stock stone storm story stout straw street strong style sugar
    sue summer sun sunday sunny sunshine swallow swan sweet swift sword tab tall tanner taylor teal temple tender
    terra thorn thunder tide tiger till timber time today todd tom topaz torch tower town trace tracy travel
    treasure tree trinity trip trout troy true truly trust tucker tulip turner twin union unity urban usual vale
    valentine valley van velvet venture vernon victor victory view vine viola violet virgin virtue vogue wade
    wagner walker wall walls wan ward warden ware warm warner warren wash water waters wave way weaver web webb
    well wells west wheat wheeler while white wide wild wilder will willow win wind winds wine winner winter wise
    wish wit wolf wonder wong wood woods word worth wren wright wyatt yale yard year yes you young youth zion zone
    amigo angela carmen cruz dolores flores gracia guerra leon luna mar mercedes paz pilar reina reyes rosario
    santos sierra sol vida bach berg blum braun engel feld fuchs gross hahn hammer kaiser klein koch korn krause
    kurz lang link meister neumann richter roth sauer schmidt schwarz sommer stark stein stern vogel vogt wolff
    zimmer ban bang bin bing chan chin chang chong dang ding dong fang fan gang gong hang hong hung jing kang king
    kong lang ling long mang ming pang peng ping rang sang sheng song sung tang tong wan wang wing yang ying yong
    zeng abuse anger apply april august bless brother busy camp care cheat claim clean close code come copy cost
    cover cream date dial doctor door down draw drop easy email enter extra face fact feel file find first five
    four full girl gone grow half hard hate hear help here hold host hour idea jump keep kick kill kiss know lady
    last late lead left lend life like line list load look lose made make many meet mind mine miss move must name
    near neck need news next note okay once open over pack paid pain pair part pass past path pick plan play plus
    poem pull push race rate read real rest ride road role room rule safe said sale same save seat seem sell send
    sent shop show shut sick side sign sing site size skin slow soft sold some soon sort spot stay stop such sure
    take talk task team tell term test text than that them then they thin this thus tone took tour turn type unit
    upon used user very vote wait walk want week went were what when whom wife work zero
    """.split()  # noqa: SIM905
)


def is_ordinary(word: str) -> bool:
    """Whether a word, in lower case, is one of everyday language, so that writing it alone names nobody."""
    return word in _WORDS or word in NO_NAME

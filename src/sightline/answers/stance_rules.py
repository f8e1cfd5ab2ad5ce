"""The phrases that decide a stance, language by language. Pure data.

Text is compared folded: lower case, without diacritics (so й is и, ü is u). In the patterns N is a brand's name, L a
list of names, F a few words that may stand between. A rule is tried only where one of its keys occurs in the sentence.
"""

import re
import unicodedata
from typing import Literal, NamedTuple

NAME = "\ue000"
_AND = r"(?:and|or|nor|und|oder|et|ou|ed|en|of|och|eller|oraz|lub|и|или|та|або|ve|veya|ya da|و|أو|ו|και|va|hoac|和|与|與|及|或|や|と|および|및|또는|และ|หรือ)"
_LIST = (
    # "X and Y", "X or Y": joined by a word
    # (one letter is "and" or "or" in some languages and an article in others: no comma before it then)
    rf"N(?:'s?)?(?:\s*,?\s*{_AND}\s+N|\s+[aeioy]\s+N)*"
    # "X, Y or Z" only where the list is over after it: in "Unlike X, Y and Z offer …" the comma ends the comparison
    rf"(?:(?:\s*[,、،]\s*N)+(?:\s*,?\s*{_AND}\s+N)?(?=\s*(?:$|[,.;:!?)。])))?"
)
_ITSELF = rf"\"?N(?:\s*,?\s*{_AND}\s+N)*\"?(?!\s?'s?\s+\w| (?:reviews?|pricing|prices?))"
_FILLER = (
    r"(?:(?:the|a|an|using|buying|choosing|going|with|relying|on|sticking|paying|for|something|tools?|apps?|brands?|"
    r"services?|companies|products|platforms|providers|options|like|such|as|most|other|many|older|classic|popular|"
    r"well-known|traditional|big|anything|from|by|of|at|both|either|zu|der|die|das|den|dem|von|mit|bei|le|la|les|un|une|"
    r"el|los|las|il|lo|i|gli|o|os|as|de|het|een|av|na|z|от|с|bir)\s+){0,5}"
)
_WORDS = r"(?:[^\s,.;:!?()N]+\s+){0,5}?"


class Rule(NamedTuple):
    """A neutral rule is praise in the form of a denial, or a phrase that merely looks like another stance."""

    stance: Literal["neutral", "contrast", "discouraged", "unknown"]
    keys: tuple[str, ...]
    pattern: re.Pattern[str]
    needs: tuple[str, ...] = ()
    """Where a key is part of many words of other languages: whatever the pattern finds holds one of these as well, once
    white space is a single blank. Without it "an" and "od" had two slow patterns tried on every second sentence."""


def _rule(
    stance: Literal["neutral", "contrast", "discouraged", "unknown"], keys: str, pattern: str, needs: str = ""
) -> Rule:
    written = (
        pattern.replace("K", _ITSELF).replace("L", _LIST).replace("F", _FILLER).replace("W", _WORDS).replace("N", NAME)
    )
    # Thai and others are written in composed and decomposed form; answers are searched in the latter.
    written, keys = unicodedata.normalize("NFKC", written), unicodedata.normalize("NFKC", keys)
    needed = tuple(needs.split("|")) if needs else ()
    return Rule(stance, tuple(key.strip() for key in keys.split("|")), re.compile(written), needed)


_NOT = r"(?:not|never|cannot|hardly|\w+n't|no longer)"

RULES: tuple[Rule, ...] = (
    # What looks like a refusal and is praise
    _rule(
        "neutral",
        "go wrong|falsch machen|se tromper",
        r"(?:can't|cannot|can not|won't|couldn't|hard to|never|hardly|difficult to)\s+(?:\w+\s+){0,3}go wrong\s+(?:\w+"
        r"\s+){0,3}L",
    ),
    _rule(
        "neutral",
        "not only|not just|nicht nur|non seulement|no solo|nao so|non solo",
        r"(?:not only|not just|nicht nur|non seulement|no solo|nao so|non solo)\s+F?L",
    ),
    _rule(
        "neutral",
        "better|beat|finer|superior",
        r"(?:there(?:'s| is| are|'re)|i know of|you(?:'ll| will)? (?:won't )?find|have|has|with|know) (?:\w+"
        r"\s+){0,2}?(?:no|nothing|few|hardly any|not a|any)\s+(?:\w+\s+){0,2}?(?:better|finer|superior)\s+(?:\w+"
        r"\s+){0,4}?than\s+F?L",
    ),
    _rule(
        "neutral",
        "nothing|no one|nobody|none|few|hard to|tough to",
        r"(?:nothing|no one|nobody|none|few|hard to|tough to|difficult to)\s+(?:\w+\s+){0,4}?(?:beats?|better than|tops?"
        r"|rivals?|match(?:es)?|surpass(?:es)?|compares? (?:with|to)|comes? close to|outperforms?|does it better than)"
        r"\s+F?L",
    ),
    _rule(
        "neutral",
        "enough|highly",
        r"(?:can't|cannot|couldn't) recommend\s+F?L\s+(?:\w+\s+){0,2}(?:enough|highly)",
    ),
    _rule(
        "neutral",
        "hesitate",
        r"(?:wouldn't|don't|not|never|won't|without)\s+(?:\w+\s+)?hesitat\w+\s+(?:to\s+)?(?:\w+\s+){0,3}L",
    ),
    _rule(
        "neutral",
        "avoid|skip|steer",
        r"(?:don't|not|never|no need to|no reason to|needn't|shouldn't)\s+(?:\w+\s+){0,2}(?:avoid|skip|steer clear of"
        r"|stay away from)\s+F?L",
    ),
    _rule(
        "neutral",
        "other than",
        r"other than\s+F?L",
    ),
    _rule(
        "neutral",
        "more than just|more than simply",
        r"more than (?:just|simply)\s+F?L",
    ),
    _rule(
        "neutral",
        "mejor|meilleur|besser|migliore|melhor|equivoc|lepsz|лучше",
        r"(?:no hay|no existe|non c'e|non esiste|nao ha|nao existe|il n'y a|il n'existe|es gibt|nie ma|нет)\s+(?:(?:nada"
        r"|pas|rien|kaum|nichts|keine?n?|etwas|de|d'|un|una|um|uma|nic|ничего)\s+){0,3}(?:\w+\s+){0,2}?(?:mejor(?:es)?"
        r"|meilleure?s?|mieux|bessere?[snr]?|miglior[ei]?|meglio|melhor(?:es)?|lepsz\w+|лучше)\s+(?:\w+\s+){0,3}?(?:que"
        r"|qu'|als|di|do que|od|niz)?\s*WL",
    ),
    _rule(
        "neutral",
        "equivoc|tromp|falsch|sbagli|erra",
        r"(?:no te equivocas|no se equivoca|tampoco te equivocas|on ne se trompe pas|vous ne vous tromperez pas"
        r"|nichts falsch machen|nichts falsch|non si sbaglia|nao tem como errar|nao da para errar)\s+(?:con|avec|mit"
        r"|com)?\s*WL"
        r"|mit\s+L\s+(?:\w+\s+){0,4}nichts falsch",
    ),
    # Not known
    _rule(
        "unknown",
        "familiar|information|anything|know|aware|bekannt|informat|conozco|connais|известно|знаю|了解|信息|情報|알지|정보|"
        "bilgi|معلومات|inform|conheco|conosco",
        r"N\"?(?:\s*,)?\s+(?:which |that |a name |is |it's )?(?:\w+\s+){0,2}?(?:i'm not familiar with"
        r"|i am not familiar with|i'm unfamiliar with|i don't know(?= *[.,;]|$)|i have no (?:\w+\s+)?information"
        r"|i don't have (?:any )?(?:\w+\s+)?(?:information|data|details)|i couldn't find (?:any (?:\w+\s+)?(?:information"
        r"|details)|anything)|i could not find (?:any (?:\w+\s+)?(?:information|details)|anything)|i'm not aware of"
        r"|not (?:a |one )?\w* ?i(?:'m| am)? (?:familiar with|know|recognise|recognize))"
        r"|N\"?\s*,?\s+(?:liegen|habe ich|sind|kann ich|weiss ich|finde ich)\s+(?:\w+\s+){0,3}?(?:keine|nichts|kaum)"
        r"|N\"?\s*,?\s+(?:\w+\s+){0,2}?(?:nao (?:encontrei|tenho|ha|disponho)|no (?:he encontrado|encontre|tengo|dispongo"
        r"|hay|conozco)|non (?:ho|conosco|dispongo|ho trovato)|je n'ai (?:pas|aucune|trouve aucune)|je ne (?:dispose"
        r"|connais|trouve)|aucune)\s+(?:\w+\s+){0,4}?(?:inform\w+|nada|rien|niente|datos|dados|$|[.,])"
        r"|N\"?\s*,?\s+(?:мне|у меня)\s+(?:\w+\s+){0,2}?(?:ничего не известно|нет|не известно|неизвестн\w+|не знаком\w*)"
        r"|N\"?\s*[,,]?\s*(?:我|目前|暂时|暫時)?(?:没有|沒有|未|无法|無法|找不到|并不|不)(?:找到|查到|任何|相关|相關|了解|熟悉|关于|的|足够|掌握|获得|到|\s){0,6}(?:信息"
        r"|资料|資料|資訊|资讯|$)"
        r"|N\S{0,3}\s?(?:의 경우|은|는)?\s?(?:\S+\s){0,2}?(?:알지 못|잘 모르|모르는|정보가 없)"
        r"|N(?:'\w+)?\s+(?:hakkinda|ile ilgili|ise)\s+(?:\w+\s+){0,3}?(?:bilgim|bilgi)\s*(?:yok|bulamadim|bulunmuyor"
        r"|mevcut degil)",
    ),
    _rule(
        "unknown",
        "information|info|details|anything|data|knowledge|record",
        r"(?:no|any|\bnot? \w+|n't \w+|enough|limited|zero|lack|without|little)\s+(?:\w+\s+){0,4}?(?:information|info"
        r"|details|data|knowledge|record|records|anything)\s+(?:available |whatsoever |yet |at all )?(?:about|on|regarding|for|of|called|named"
        r"|concerning)\s+(?:(?:the|a|an|any)\s+)?(?:(?:\w+\s+)?(?:brand|company|product|tool|service|app|hotel|shop|store"
        r"|restaurant|business|provider|startup|platform|software|bank|clinic|insurer|maker|vendor|firm)\s+)?(?:(?:called"
        r"|named|by the name of)\s+)?K",
    ),
    _rule(
        "unknown",
        "familiar|aware|heard|acquainted|know",
        r"(?:not|n't|un|never|not really|not currently)\s*(?:\w+\s+){0,3}?(?:familiar|aware|heard|acquainted"
        r"|know)\s*(?:with|of|about)?\s+(?:(?:the|a|an|any|anything)\s+)?(?:(?:about|called|named)\s+)?(?:(?:\w+"
        r"\s+)?(?:brand|company|product|tool|service|app|hotel|shop|store|restaurant|business|provider|startup|platform"
        r"|software|bank|clinic|insurer|maker|vendor|firm)\s+)?(?:(?:called|named|by the name of)\s+)?K",
    ),
    _rule(
        "unknown",
        "find|locate|identify",
        r"(?:could not|couldn't|cannot|can't|unable to|wasn't able to|was not able to|didn't|did not|failed to"
        r"|not able to)\s+(?:\w+\s+){0,1}?(?:find|locate|identify)\s+(?:(?:a|an|any|the|anything|anyone|something|much"
        r"|a real|an existing|a verified)\s+)?(?:(?:\w+\s+)?(?:information|info|details|evidence|trace|mention|brand"
        r"|company|product|tool|service|app|provider|business|shop|hotel|startup|platform)\s+)?(?:(?:about|on|of|called"
        r"|named|regarding|for|by the name of|that)\s+)?K",
    ),
    _rule(
        "unknown",
        "keine|nicht|unbekannt",
        r"(?:keine|kaum|nicht genugend)\s+(?:\w+\s+){0,3}?(?:informationen|infos|angaben|daten|kenntnisse?)\s+(?:uber|zu"
        r"|zur|zum|von)\s+F?\"?L\"?"
        r"|(?:ist|sind)\s+mir\s+(?:leider\s+)?(?:nicht\s+bekannt|unbekannt)"
        r"|L\s+(?:kenne ich|ist mir|sagt mir)\s+(?:leider\s+)?(?:nicht|nichts|unbekannt|kein)"
        r"|kenne\s+(?:\w+\s+)?L\s+(?:leider\s+)?nicht",
    ),
    _rule(
        "unknown",
        "unbekannt|nicht bekannt",
        r"L\s+(?:\w+\s+){0,2}(?:ist|sind)?\s*(?:mir\s+)?(?:leider\s+)?(?:unbekannt|nicht bekannt)",
    ),
    _rule(
        "unknown",
        "aucune|pas d|connais|informations",
        r"(?:aucune|pas d'?|pas de|pas trouve d'?)\s*(?:\w+\s+){0,2}?(?:information|informations|donnees?|renseignements?"
        r"|info|infos)\s+(?:\w+\s+){0,2}?(?:sur|concernant|a propos de)\s+F?L"
        r"|ne (?:connais|connait) pas\s+F?L"
        r"|(?:n'ai pas|n'ai rien) trouve (?:\w+\s+){0,2}?(?:sur )?F?L",
    ),
    _rule(
        "unknown",
        "informacion|conozco|encontr|datos",
        r"(?:no (?:tengo|dispongo de|hay|encontre|he encontrado|cuento con)|sin)\s+(?:\w+\s+){0,2}?(?:informacion"
        r"|datos)\s+(?:\w+\s+){0,2}?(?:sobre|de|acerca de)\s+F?L"
        r"|no conozco\s+F?L"
        r"|no (?:he encontrado|encontre|pude encontrar)\s+F?L",
    ),
    _rule(
        "unknown",
        "informazioni|conosco|informacoes|conheco",
        r"(?:non ho|nessuna|non ho trovato)\s+(?:\w+\s+){0,2}?informazioni\s+(?:\w+\s+){0,1}?(?:su|sulla|sul|di)\s+F?L"
        r"|non conosco\s+F?L"
        r"|(?:nao tenho|nao encontrei|nao ha|sem)\s+(?:\w+\s+){0,2}?informac\w+\s+(?:sobre|da|do|de)\s+F?L"
        r"|nao conheco\s+F?L",
    ),
    _rule(
        "unknown",
        "informatie|ken",
        r"geen\s+(?:\w+\s+){0,2}?informatie\s+(?:\w+\s+){0,2}?(?:over|van)\s+F?L"
        r"|ken\s+L\s+niet",
    ),
    _rule(
        "unknown",
        "информации|знаю|знаком|данных",
        r"(?:нет|не нашел|не нашла|не имею|не располагаю|не удалось наити)\s+(?:\w+\s+){0,2}?(?:информации|данных"
        r"|сведении|информацию)\s+(?:о|об|про|по)\s+(?:\w+\s+){0,2}?L"
        r"|не (?:знаю|знаком с|слышал о)\s+(?:\w+\s+){0,2}?L",
    ),
    _rule(
        "unknown",
        "informacji|znam|bilgi|معلومات|מידע",
        r"(?:nie mam|brak|nie posiadam|nie znalazlem)\s+(?:\w+\s+){0,2}?informacji\s+(?:\w+\s+){0,1}?(?:o|na temat)"
        r"\s+(?:\w+\s+){0,2}?L"
        r"|nie znam\s+(?:\w+\s+)?L"
        r"|L(?:'\w+)?\s+(?:hakkinda|ile ilgili)\s+(?:\w+\s+){0,3}?bilg\w+\s+(?:\w+\s+){0,2}?(?:yok|bulamadim|bulunmuyor"
        r"|sahip degilim)"
        r"|(?:لا|ليس|لم)\s+(?:\w+\s+){0,3}?معلومات\s+(?:\w+\s+){0,2}?(?:عن|حول)\s+(?:\w+\s+){0,2}?L"
        r"|אין\s+(?:\w+\s+){0,2}?מידע\s+(?:\w+\s+){0,2}?(?:על|אודות)\s+(?:\w+\s+){0,2}?L",
    ),
    _rule(
        "unknown",
        "情報|存じ|知り|了解|信息|资料|資訊|정보|알지",
        r"L\s?(?:に関する|についての|の)?(?:\w{0,8})?情報(?:は|が|を)?(?:\w{0,6})?(?:ありません|見つかりません|持って|持ち合わせ|ございません|見当たり)"
        r"|L\s?(?:については|は|を|について)(?:\w{0,6})(?:存じ|知りません|情報がありません|情報を持)"
        r"|(?:没有|沒有|找不到|缺乏|未找到|查不到|不了解|无法找到)(?:\w{0,8}?)(?:关于|關於|有关|有關)?\s?L\s?(?:的|相关)?(?:\w{0,4})?(?:信息|资料|資訊|资讯|情報)"
        r"|(?:不了解|不熟悉|没听说过|沒聽過)\s?L"
        r"|L\S{0,3}\s?(?:에 대한|에 관한|에 대해)?\s?(?:\S+\s?){0,2}정보(?:가|를|는)?\s?(?:없|찾을 수|가지고 있지)"
        r"|L\S{0,3}\s?(?:에 대해|을|를)?\s?(?:\S+\s?){0,1}(?:알지 못|모릅)",
    ),
    # Advised against
    _rule(
        "discouraged",
        "avoid|steer clear|stay away|stay clear|shy away|beware|keep away|watch out",
        r"(?<!to )\b(?:avoid|avoiding|steer clear of|steering clear of|stay away from|stay clear of|shy away from"
        r"|beware of|keep away from|watch out for)\s*:?\s+F?L(?!'s (?:\w+ )?(?:fee|trap|pitfall|mistake))",
    ),
    _rule(
        "discouraged",
        "avoid|steer clear|stay away",
        r"(?:to avoid|(?:want|like|suggest|advise|best|better|try|need|ought|recommend\w*|going) to (?:avoid"
        r"|steer clear of|stay away from))\s*:?\s+F?L",
    ),
    _rule(
        "discouraged",
        "avoid|steer clear|stay away|skip",
        r"L(?:\s*\([^)]{0,40}\))?\s*(?:[:–—-]"
        r"|,)?\s*(?:(?:is|are|was|should|must|would|can|could|to)\s+)?(?:\w+\s+){0,3}?(?:be\s+)?(?:best\s+"
        r"|better\s+"
        r"|to be\s+)?avoided\b|L\s*[:–—-]\s*(?:best to "
        r"|better to "
        r"|please "
        r"|i'd "
        r"|i would )?(?:avoid"
        r"|skip"
        r"|steer clear"
        r"|stay away)\b|L\s+(?:is"
        r"|are)\s+(?:\w+\s+){0,3}(?:one"
        r"|brand"
        r"|tool"
        r"|service"
        r"|option"
        r"|something"
        r"|product"
        r"|name)s?\s+(?:\w+\s+){0,2}to (?:avoid"
        r"|skip"
        r"|steer clear)",
    ),
    _rule(
        "discouraged",
        "recommend|suggest|advise|endorse|vouch",
        rf"{_NOT}\s+(?:\w+\s+){{0,5}}?(?:recommend(?:ing)?|suggest(?:ing)?|advise|endorse|vouch for)\s+(?:\w+ing\s+)?F?L"
        rf"|(?:advise|recommend|caution|advised|warn|cautioned|warned|warns)\s+(?:\w+\s+){{0,2}}?against\s+(?:\w+ing"
        rf"\s+)?F?L",
    ),
    _rule(
        "discouraged",
        "recommend|suggest|advise",
        rf"L[^,;.!?]{{0,40}}?\b(?:{_NOT}\s+(?:\w+\s+){{0,3}}?(?:recommend|suggest)(?:ed|able)?\b|(?:i|we)(?:'d| would| do"
        rf"|'ll)?\s*{_NOT}\s+(?:\w+\s+){{0,2}}?recommend)",
    ),
    _rule(
        "discouraged",
        "worth|bother|hesitant|think twice|skip|stay off|pass on",
        rf"L[^,;.!?]{{0,30}}?\b(?:{_NOT})\s+(?:\w+\s+){{0,2}}?worth\s+(?:it|the|your|paying|buying|considering|bothering"
        rf"|recommending)"
        rf"|{_NOT}\s+(?:\w+\s+){{0,2}}?bother\s+with\s+F?L"
        rf"|think twice (?:\w+\s+){{0,2}}(?:about|choosing|buying|using|picking|with|on)\s+F?L"
        rf"|\b(?:i'd|i would|you can|just|should|better to|best to|would)\s+(?:\w+\s+)?(?:skip|pass on)\s+F?L"
        rf"|^\s*skip\s+F?L"
        rf"|{_NOT} worth\s+(?:\w+\s+){{0,3}}L",
    ),
    _rule(
        "discouraged",
        "abraten|abzuraten|abraten|rate|rat|meiden|vermeiden|empfehl|empfohlen|finger weg|hande weg",
        r"von\s+F?L\s+(?:\w+\s+){0,5}?(?:abzuraten|abraten|rate|raten|rat)\b"
        r"|(?:rate|raten|rat|abraten)\s+(?:\w+\s+){0,4}?von\s+F?L"
        r"|L\s+(?:\w+\s+){0,4}?(?:(?:ver)?meiden|gemieden|zu meiden)\b"
        r"|(?:ver)?meiden sie\s+F?L"
        r"|(?:kann|konnen|wurde|wurden|mochte)\s+(?:\w+\s+){0,2}?L\s+(?:\w+\s+){0,4}?nicht\s+(?:\w+\s+)?empfehlen"
        r"|L\s+(?:\w+\s+){0,4}?nicht\s+(?:\w+\s+){0,2}?(?:empfehlen|empfohlen|zu empfehlen|empfehlenswert|ratsam)"
        r"|L\s+(?:\w+\s+){0,3}?nicht\s+empfehlenswert"
        r"|(?:finger|hande) weg von\s+F?L"
        r"|nicht\s+(?:\w+\s+){0,2}?empfehle?n?\s+(?:\w+\s+){0,2}?L",
    ),
    _rule(
        "discouraged",
        "evite|eviter|deconseill|evitez|recommand|fuir|fuyez|mefiez",
        r"\b(?:evitez|eviter|evite|a eviter\s*:|fuyez|deconseille(?:r|ons)?|mefiez-vous de)\s+(?:\w+\s+){0,2}?F?L"
        r"|L\s+(?:\w+\s+){0,3}?(?:est|sont|reste)?\s*(?:\w+\s+){0,2}?(?:a eviter|deconseillee?s?|a fuir)"
        r"|ne\s+(?:\w+\s+){0,2}?(?:recommande|conseille)\w*\s+(?:pas|plus|guere)\s+F?L",
    ),
    _rule(
        "discouraged",
        "evite|evitar|eviten|recomiend|recomend|aconsej|desaconsej|huya|alejes",
        r"\b(?:evit(?:e|a|ar|en|aria|emos)|desaconsej\w+|alejes? de|alejarse de|huya de|aconselho evitar)\s+(?:a\s+)?F?L"
        r"|\b(?:no|nao)\s+(?:\w+\s+){0,2}?(?:recomiend\w+|recomend\w+|aconsej\w+|aconselh\w+)\s+(?:a\s+|o\s+)?F?L"
        r"|L\s+(?:\w+\s+){0,3}?(?:no|nao)\s+(?:\w+\s+){0,2}?(?:recomiend|recomend|aconsej|aconselh)\w*"
        r"|(?:no|nao)\s+(?:se lo |la |lo |o )?(?:recomiendo|recomendaria|recomendo)\s+L"
        r"|L\s+(?:\w+\s+){0,2}?(?:es|esta|e)?\s*(?:mejor|melhor)\s+evitar",
    ),
    _rule(
        "discouraged",
        "evitare|evita|eviterei|sconsigli|consigli",
        r"\b(?:evit(?:a|ate|are|erei|i)|sconsigli\w*|da evitare\s*:)\s+(?:di\s+\w+\s+)?F?L"
        r"|non\s+(?:\w+\s+){0,2}?(?:consigli|raccomand)\w*\s+F?L"
        r"|L\s+(?:\w+\s+){0,3}?(?:da evitare|sconsigliat\w+|non\s+(?:\w+\s+){0,2}?consigliat\w+|non (?:la|lo) consigli\w+)",
    ),
    _rule(
        "discouraged",
        "vermijd|afraden|afgeraden|aanraden|raad|undvik|avrad|rekommend",
        r"\b(?:vermijd|mijd|undvik|undvika)\s+F?L"
        r"|L\s+(?:\w+\s+){0,4}?(?:af te raden|afgeraden|vermijden|niet aan te raden|undvikas|avradas|avrader)"
        r"|raad\s+(?:\w+\s+)?L\s+(?:\w+\s+){0,2}?(?:af|niet aan)"
        r"|(?:rekommenderar|rekommendera)\s+inte\s+F?L"
        r"|avrader\s+(?:\w+\s+)?fran\s+F?L",
    ),
    _rule(
        "discouraged",
        "unika|odradz|polec|omija|nedoporuc|vyhn",
        r"\b(?:unikaj\w*|unikac|omijaj\w*|omijac|odradzam\w*|vyhnete se|vyhnout se)\s+(?:\w+\s+){0,2}?L"
        r"|nie\s+(?:\w+\s+){0,2}?polec\w+\s+(?:\w+\s+){0,2}?L"
        r"|L\s+(?:\w+\s+){0,3}?(?:nie\s+(?:\w+\s+)?polec\w+|nalezy unikac|lepiej unikac|odradz\w+)"
        r"|nedoporuc\w+\s+F?L",
    ),
    _rule(
        "discouraged",
        "избега|рекоменд|совету|сторон|не стоит|уникаи|раджу",
        r"(?:избега\w+|держитесь подальше от|обходите|уника\w+)\s+(?:\w+\s+){0,2}?L"
        r"|не\s+(?:\w+\s+){0,2}?(?:рекоменд\w+|совету\w+|стоит|раджу|раджу)\s+(?:\w+\s+){0,3}?L"
        r"|L\S{0,4}\s+(?:\w+\s+){0,4}?(?:лучше\s+(?:\w+\s+)?избега\w+|не\s+(?:\w+\s+){0,1}?(?:рекоменд\w+|совету\w+)"
        r"|стоит избегать|лучше обоити|краще уникати|не раджу|не рекоменд\w+)",
    ),
    _rule(
        "discouraged",
        "kacin|onermi|onermem|tavsiye et|uzak dur",
        r"L(?:'?\w{0,5})?\s+(?:\w+\s+){0,4}?(?:kacin\w*|uzak dur\w*|onermi\w+|onermem|onerilmez|onerilmiyor"
        r"|tavsiye et(?:mi|me)\w*|tavsiye edilmez)",
    ),
    _rule(
        "discouraged",
        "أوصي|نوصي|נמנע|תתרחק|הימנע|התרחק|تجنب|انصح|أنصح|ينصح|ابتعد|להימנע|להתרחק|ממליצ|מומלצ",
        r"(?:تجنب|تجنبوا|تجنبي|ابتعد عن|ابتعدوا عن)\s+(?:\w+\s+){0,3}?L"
        r"|لا\s+(?:أنصح|انصح|ننصح|ينصح|نوصي|أوصي|يوصى)\s+(?:\w+\s+){0,3}?ب?\s*L"
        r"|L\s+(?:\w+\s+){0,3}?لا\s+(?:أنصح|ننصح|ينصح)"
        r"|(?:להימנע מ|הימנעו מ|להתרחק מ|התרחקו מ|נמנע מ|נמנעת מ|נמנעים מ)-?\s?(?:\w+\s+){0,2}?L"
        r"|לא\s+(?:\w+\s+){0,2}?(?:ממליצ\w*|ממליץ|מומלצ\w*|מומלץ)\s+(?:\w+\s+){0,3}?L"
        r"|(?:את\s+)?L\s+(?:\w+\s+){0,3}?לא\s+(?:\w+\s+){0,1}?(?:ממליץ|מומלץ|מומלצת)",
    ),
    _rule(
        "discouraged",
        "避け|おすすめ|お勧め|推奨|オススメ|薦め",
        r"L\S{0,12}?(?:は|を|の\w{0,8}?は)\S{0,24}?(?:避け|おすすめしま(?:せん|せ)|おすすめできま|おすすめしない|おすすめでき(?:ない|ません)|お勧めしま(?:せん|せ)"
        r"|お勧めでき(?:ない|ません)|推奨しま(?:せん|せ)|推奨でき|オススメでき|薦めでき)",
    ),
    _rule(
        "discouraged",
        "避免|避开|避開|不推荐|不推薦|不建议|不建議|远离|遠離|慎选|別買|别买|慎入|不值得|避雷",
        r"(?:避免|避开|避開|不推荐|不推薦|不建议|不建議|远离|遠離|别买|別買|不要买|不要買|不要选|慎选|慎選)\s?(?:\w{0,8}?)L"
        r"|L[^,。,;]{0,12}?(?:不推荐|不推薦|不建议|不建議|不值得|最好避免|應避免|应避免|避雷|慎入)",
    ),
    _rule(
        "discouraged",
        "피하|추천하지|권하지|비추",
        r"L\S{0,4}\s?(?:\S+\s?){0,3}?(?:피하|추천하지|추천드리지|권하지|권장하지|비추)",
    ),
    _rule(
        "discouraged",
        "หลีกเลี่ยง|ไม่แนะนำ|tranh|khong khuyen|khong nen|बचें|सलाह नहीं|अनुशंसा नहीं|αποφυγ|αποφευγ|συνιστ",
        r"(?:หลีกเลี่ยง|ไม่แนะนำ)\s?(?:\S{0,16})?L"
        r"|L\s?\S{0,20}?(?:ไม่แนะนำ|ควรหลีกเลี่ยง)"
        r"|(?:\btranh|nen tranh|khong khuyen (?:dung|nghi|chon)?|khong nen (?:chon|dung|mua))\s+(?:\w+\s+){0,2}?L"
        r"|L\s+(?:\S+\s+){0,3}?(?:बचें|सलाह नहीं|सिफारिश नहीं|अनुशंसा नहीं)"
        r"|(?:αποφυγετε|αποφευγετε|να αποφυγετε|δεν συνιστω|δεν συνισταται)\s+(?:\w+\s+){0,2}?L",
    ),
    # The other side of a comparison
    _rule(
        "contrast",
        "unlike|instead of|rather than|as opposed to|in contrast|by contrast",
        r"\b(?:unlike|instead of|rather than|as opposed to|in contrast (?:to|with)|contrary to|in place of|in lieu of)"
        r"\s+WL",
    ),
    _rule(
        "contrast",
        "compared|comparison|relative to|next to|versus",
        r"\b(?:compared|in comparison|by comparison|comparing it|when compared|relative)\s+(?:to|with)\s+F?L",
    ),
    _rule(
        "contrast",
        "alternative|replacement|substitute|competitor",
        r"\b(?:alternatives?|replacements?|substitutes?)\s+(?:to|for)\s+F?L"
        r"|L\s+alternatives?\b",
    ),
    _rule(
        "contrast",
        "from|leav|away|replac|ditch",
        r"\b(?:switch(?:ed|es|ing)?|migrat(?:e|ed|es|ing|ion)|mov(?:e|ed|es|ing)|chang(?:e|ed|ing)|transition(?:ed|ing)?"
        r"|com(?:e|ing)|upgrad(?:e|ed|ing)|convert(?:ed|ing)?|import(?:ed|ing)?|defect(?:ed|ing)?)\s+(?:\w+"
        r"\s+){0,3}?(?:from|off)\s+F?L"
        r"|\b(?:leav(?:e|ing)|left|ditch(?:ed|ing)?|abandon(?:ed|ing)?|replac(?:e|es|ed|ing))\s+F?L\s+(?:with|for|behind"
        r"|to)\b"
        r"|\breplac(?:e|es|ed|ing)\s+F?L(?=\s*(?:$|[.,;]))",
    ),
    _rule(
        "contrast",
        "than",
        r"(?<!other )(?<!more )(?<!less )\bthan\s+(?:\w+\s+(?:of\s+)?){0,3}?L"
        r"|\b(?:more|less|fewer)\s+(?:\w+\s+){1,4}?than\s+F?L"
        r"|\b(?:more|less)\s+than\s+F?L(?=\s+(?:does|do|did|charges|offers|costs|is)\b|\s*(?:$|[.,;!?]))",
    ),
    _rule(
        "contrast",
        "statt|gegensatz|anders als|vergleich|verglichen|alternative|wechsel|gegenuber|ersatz",
        r"\b(?:statt|anstatt|anstelle von|im gegensatz zu[rm]?|anders als|verglichen mit|im vergleich (?:zu|mit|zur|zum)"
        r"|gegenuber|im unterschied zu[rm]?)\s+WL"
        r"|\b(?:alternativen?|ersatz|umstieg|wechsel\w*|umstei\w+)\s+(?:\w+\s+){0,2}?(?:zu|zur|zum|fur|von)\s+F?L"
        r"|von\s+F?L\s+(?:\w+\s+){0,3}?(?:wechsel\w+|umsteig\w+|umziehen)",
    ),
    _rule(
        "contrast",
        "als",
        r"\b(?:\w+er|mehr|weniger|besser|anders|hoher|lieber|ofter)\s+als\s+(?:\w+\s+){0,3}?L",
    ),
    _rule(
        "contrast",
        "plutot|au lieu|contrairement|compar|rapport|alternative|difference|que",
        r"\b(?:plutot que|plutot qu'|au lieu d[eu']|contrairement a|a la difference d[eu']|par rapport a|compar\w+ a"
        r"|en comparaison (?:avec|de)|a la place de|face a)\s*WL"
        r"|\balternatives?\s+a\s+F?L"
        r"|\b(?:plus|moins|mieux|meilleure?s?|pires?|davantage|aussi)\s+(?:\w+\s+){0,4}?(?:que|qu')\s*F?L"
        r"|(?:passer|passe|migrer|quitter)\s+(?:de\s+)?F?L\s+(?:a|pour|vers)\b",
    ),
    _rule(
        "contrast",
        "lugar|vez d|diferencia|frente|compar|alternativa|que|contrario|diferente|ao inves",
        r"\b(?:en lugar de|en vez de|a diferencia de|frente a|en comparacion con|comparad\w+ con|al contrario que"
        r"|em vez d[aeo]|em lugar d[aeo]|no lugar d[aeo]|ao inves d[aeo]|ao contrario d[aeo]|diferente(?:mente)? d[aeo]"
        r"|em comparacao (?:com|a|ao)|comparad\w+ (?:com|a|ao)|em relacao (?:a|ao))\s+WL"
        r"|\balternativas?\s+(?:a|al|ao)\s+F?L"
        r"|\b(?:mas|mais|menos|mejor|mejores|melhor|melhores|peor|pior|mayor|menor|maior)\s+(?:\w+\s+){0,4}?(?:que"
        r"|do que)\s+F?L"
        r"|(?:cambiar|migrar|pasar|pasarse|mudar|trocar)\s+(?:\w+\s+)?(?:de|desde|da|do)\s+F?L",
    ),
    _rule(
        "contrast",
        "piu|meno|meglio|peggio|miglior|invece|piuttosto|differenza|rispetto|confronto|paragon|alternativ|posto",
        r"\b(?:invece (?:di|che)|piuttosto che|a differenza di|rispetto ad?|in confronto ad?|a confronto con|paragonat\w+ ad?"
        r"|al posto di|al contrario di)\s+WL"
        r"|\balternativ[ae]\s+ad?\s+F?L"
        r"|\b(?:piu|meno|meglio|peggio|miglior\w*)\s+(?:\w+\s+){0,4}?(?:di|che)\s+F?L",
    ),
    _rule(
        "contrast",
        "plaats|tegenstelling|vergelijking|vergeleken|alternatie|dan|stallet|skillnad|jamfor|an",
        r"\b(?:in plaats van|in tegenstelling tot|anders dan|vergeleken met|in vergelijking met|i stallet for"
        r"|istallet for|till skillnad fran|jamfort med)\s+WL"
        r"|\balternatie(?:f|ven)\s+voor\s+F?L"
        r"|\balternativ\s+till\s+F?L"
        r"|\b(?:\w+er|meer|minder|beter)\s+dan\s+F?L"
        r"|\b(?:\w+re|mer|mindre|battre)\s+an\s+F?L",
        needs="plaats van|tegenstelling tot|anders dan|vergeleken met|vergelijking met|stallet for|skillnad fran"
        "|jamfort med|alternatie|alternativ till|er dan |re an |mer an ",
    ),
    _rule(
        "contrast",
        "zamiast|przeciwienstwie|porownaniu|niz|alternatyw|roznieniu|odroznieniu|misto|rozdil|nez|od",
        r"\b(?:zamiast|w przeciwienstwie do|w odroznieniu od|w porownaniu (?:z|ze|do)|na rozdil od|misto|ve srovnani s"
        r"|oproti)\s+WL"
        r"|\balternatyw\w+\s+dla\s+F?L"
        r"|\b(?:niz|nez)\s+(?:\w+\s+){0,2}?L"
        r"|\b(?:\w+sz[yae]|\w+iej|lepsz\w+|tans\w+|drozs\w+)\s+od\s+F?L",
        needs="zamiast|przeciwienstwie do|odroznieniu od|porownaniu z|porownaniu do|na rozdil od|misto|ve srovnani s"
        "|oproti|alternatyw|niz |nez | od ",
    ),
    _rule(
        "contrast",
        "вместо|отличие|чем|сравнен|альтернатив|замість|відміну|ніж|порівнян",
        r"(?:вместо|в отличие от|по сравнению с|замість|на відміну від|порівняно з|на відміну|у порівнянні з)\s+WL"
        r"|альтернатив\w+\s+(?:для\s+)?(?:\w+\s+)?L"
        r"|(?:чем|ніж)\s+(?:(?:у|в|на|с|из)\s+)?(?:\w+\s+)?L"
        r"|(?:переи?ти|переход\w*|уити|мигрировать)\s+с\s+L",
    ),
    _rule(
        "contrast",
        "yerine|kiyasla|gore|aksine|farkli|daha",
        r"L(?:'?\w{0,5})?\s+(?:\w+\s+)?(?:yerine|kiyasla|aksine|farkli olarak|gore daha|nazaran)"
        r"|L'?(?:den|dan|ten|tan)\s+(?:\w+\s+)?daha\b",
    ),
    _rule(
        "contrast",
        "بدلا|عكس|مقارنة|خلاف|بدل|من|במקום|בניגוד|לעומת|מאשר|בהשוואה",
        r"(?:بدلا من|بدلا عن|على عكس|بعكس|مقارنة ب|مقارنة مع|بالمقارنة مع|بالمقارنة ب|على خلاف|بخلاف|بديل ل"
        r"|بدل)\s*(?:\w+\s+){0,2}?L"
        r"|(?:أفضل|أرخص|أسرع|أقل|أكثر|أسهل|أعلى)\s+(?:\w+\s+){0,2}?من\s+L"
        r"|(?:במקום|בניגוד ל|לעומת|מאשר|בהשוואה ל|להבדיל מ)-?\s?(?:\w+\s+)?L"
        r"|(?:חלופ\w+|אלטרנטיב\w+)\s+ל-?L",
    ),
    _rule(
        "contrast",
        "ではなく|じゃなく|より|違い|違って|異なり|比べ|代わり|代替|乗り換え",
        r"L\s?(?:という\w{1,4})?(?:ではなく|じゃなくて?|よりも?(?!い)|と違って|と違い|とは違い|とは違って|とは異なり|と異なり|に比べ|と比べ|と比較し|の代わり|の代替|から(?:の)?乗り換え)",
    ),
    _rule(
        "contrast",
        "而不是|而非|不像|不同|相比|比|其|替代|代替|取代|反觀|相较|相較|有别",
        r"(?:而不是|而非|不像|不同于|不同於|有别于|相比于|相比|相较于|相較於|比起|代替|取代|替代|与其|與其)[^,、。N]{0,14}?L"
        r"|(?:与|和|跟|與|同)\s?L\s?(?:\w{0,4}?)(?:不同|相比|相较|相較|不一样|不一樣)"
        r"|(?<![对對价價性无無])比\s?L"
        r"|L\s?的(?:替代|平替|替代品|替代方案)",
    ),
    _rule(
        "contrast",
        "대신|보다|달리|비해|대안|대체",
        r"L\S{0,2}\s?(?:대신|보다|(?:와|과)(?:는|은)?\s?달리|에\s?비해|의\s?대안|를\s?대체|을\s?대체)"
        r"|L\s?(?:와|과)는?\s?달리",
    ),
    _rule(
        "contrast",
        "แทน|ต่างจาก|กว่า|thay vi|khac voi|so voi|hon|बजाय|तुलना|विपरीत|अलग|αντι|αντιθεση|συγκριση|σχεση",
        r"(?:แทนที่จะ\S{0,8}|แทน|ต่างจาก|ไม่เหมือน|มากกว่า|กว่า|เทียบกับ)\s?L"
        r"|(?:thay vi|thay cho|khac voi|so voi|\bhon)\s+(?:\w+\s+){0,2}?L"
        r"|L\s+(?:\S+\s+)?(?:के बजाय|की तुलना में|के विपरीत|से अलग|की जगह|के मुकाबले)"
        r"|(?:αντι για|αντι|σε αντιθεση με|σε συγκριση με|σε σχεση με)\s+WL",
    ),
)  # fmt: skip
# The first keys of the neutral rules that praise; the others ("not only", "other than") say nothing.
PRAISING = frozenset({"go wrong", "better", "nothing", "enough", "hesitate", "mejor", "equivoc"})
DISCOURAGING_HEAD = re.compile(
    r"\b(?:avoid|steer clear|stay away|not recommended|not worth|to skip|vermeiden|meiden|nicht empfehlenswert|a eviter|"
    r"evitar|da evitare|te vermijden|unikac|кого избегать|избегать|避ける|避免|不推荐|피해야)"
)

"""Metrics 2.3 in other languages: the same phrases as a native speaker would write them."""

# ruff: noqa: RUF001 (characters that look alike are what is tested)

import pytest

from tests.answers.builders import ACME, XYLIA, analyze_text

CONTRAST = {
    "de": [
        "Im Gegensatz zu Acme ist Xylia kostenlos.",
        "Nehmen Sie Xylia statt Acme.",
        "Anders als Acme ist Xylia kostenlos.",
        "Xylia ist günstiger als Acme.",
        "Im Vergleich zu Acme ist Xylia günstig.",
        "Xylia ist eine Alternative zu Acme.",
        "Viele wechseln von Acme zu Xylia.",
    ],
    "fr": [
        "Contrairement à Acme, Xylia est gratuit.",
        "Prenez Xylia au lieu de Acme.",
        "Xylia est moins cher que Acme.",
        "Xylia est une alternative à Acme.",
        "Choisissez Xylia plutôt que Acme.",
        "Par rapport à Acme, Xylia est simple.",
    ],
    "es": [
        "A diferencia de Acme, Xylia es gratis.",
        "Use Xylia en lugar de Acme.",
        "Xylia es más barato que Acme.",
        "Xylia es una alternativa a Acme.",
        "En comparación con Acme, Xylia es sencillo.",
        "Use Xylia en vez de Acme.",
    ],
    "pt": [
        "Ao contrário da Acme, a Xylia é gratuita.",
        "Use a Xylia em vez da Acme.",
        "A Xylia é mais barata que a Acme.",
        "A Xylia é uma alternativa à Acme.",
        "Em comparação com a Acme, a Xylia é simples.",
    ],
    "it": [
        "A differenza di Acme, Xylia è gratuito.",
        "Usate Xylia invece di Acme.",
        "Xylia è più economico di Acme.",
        "Xylia è un'alternativa ad Acme.",
        "Rispetto ad Acme, Xylia è semplice.",
    ],
    "nl": [
        "In tegenstelling tot Acme is Xylia gratis.",
        "Gebruik Xylia in plaats van Acme.",
        "Xylia is goedkoper dan Acme.",
        "Xylia is een alternatief voor Acme.",
        "Vergeleken met Acme is Xylia eenvoudig.",
    ],
    "pl": [
        "W przeciwieństwie do Acme, Xylia jest darmowa.",
        "Wybierz Xylia zamiast Acme.",
        "Xylia jest tańsza niż Acme.",
        "W porównaniu z Acme, Xylia jest prosta.",
        "Xylia to alternatywa dla Acme.",
    ],
    "ru": [
        "В отличие от Acme, Xylia бесплатна.",
        "Выберите Xylia вместо Acme.",
        "Xylia дешевле, чем Acme.",
        "По сравнению с Acme, Xylia проще.",
        "Xylia — альтернатива Acme.",
    ],
    "tr": ["Acme yerine Xylia kullanın.", "Acme'nin aksine Xylia ücretsizdir.", "Acme'ye kıyasla Xylia ucuzdur."],
    "ar": ["على عكس Acme، فإن Xylia مجاني.", "استخدم Xylia بدلا من Acme.", "Xylia أرخص من Acme."],
    "ja": [
        "Acmeと違って、Xyliaは無料です。",
        "Acmeの代わりにXyliaを使う。",
        "XyliaはAcmeより安いです。",
        "Acmeに比べてXyliaは簡単です。",
    ],
    "zh": ["与Acme不同，Xylia是免费的。", "选择Xylia而不是Acme。", "Xylia比Acme便宜。", "与Acme相比，Xylia更简单。"],
    "ko": [
        "Acme와 달리 Xylia는 무료입니다.",
        "Acme 대신 Xylia를 쓰세요.",
        "Xylia는 Acme보다 저렴합니다.",
        "Acme에 비해 Xylia는 간단합니다.",
    ],
}
DISCOURAGED = {
    "de": [
        "Von Acme rate ich ab.",
        "Ich würde Acme nicht empfehlen.",
        "Acme ist nicht zu empfehlen.",
        "Meiden Sie Acme.",
        "Ich kann Acme nicht empfehlen.",
        "Finger weg von Acme.",
    ],
    "fr": ["Évitez Acme.", "Je ne recommande pas Acme.", "Je déconseille Acme.", "Acme est à éviter."],
    "es": ["Evite Acme.", "No recomiendo Acme.", "No recomendaría Acme.", "Es mejor evitar Acme."],
    "pt": ["Evite a Acme.", "Não recomendo a Acme.", "Eu não recomendaria a Acme."],
    "it": ["Evitate Acme.", "Non consiglio Acme.", "Sconsiglio Acme.", "Acme è da evitare."],
    "nl": ["Vermijd Acme.", "Ik raad Acme af.", "Ik raad Acme niet aan."],
    "pl": ["Unikaj Acme.", "Nie polecam Acme.", "Odradzam Acme."],
    "ru": ["Избегайте Acme.", "Я не рекомендую Acme.", "Не советую Acme."],
    "tr": ["Acme'yi önermiyorum.", "Acme'den kaçının.", "Acme'yi tavsiye etmiyorum."],
    "ar": ["تجنب Acme.", "لا أنصح باستخدام Acme.", "لا أوصي بـ Acme."],
    "ja": ["Acmeは避けてください。", "Acmeはおすすめしません。", "Acmeはお勧めできません。"],
    "zh": ["不推荐Acme。", "避免使用Acme。", "我不建议选择Acme。"],
    "ko": ["Acme는 피하세요.", "Acme는 추천하지 않습니다.", "Acme를 권하지 않습니다."],
}
UNKNOWN = {
    "de": ["Ich habe keine Informationen über Acme.", "Acme ist mir nicht bekannt.", "Ich kenne Acme nicht."],
    "fr": [
        "Je n'ai pas d'informations sur Acme.",
        "Je ne connais pas Acme.",
        "Je n'ai trouvé aucune information sur Acme.",
    ],
    "es": ["No tengo información sobre Acme.", "No conozco Acme.", "No encontré información sobre Acme."],
    "pt": ["Não tenho informações sobre a Acme.", "Não conheço a Acme.", "Não encontrei informações sobre a Acme."],
    "it": ["Non ho informazioni su Acme.", "Non conosco Acme."],
    "nl": ["Ik heb geen informatie over Acme.", "Ik ken Acme niet."],
    "pl": ["Nie mam informacji o Acme.", "Nie znam Acme."],
    "ru": ["У меня нет информации об Acme.", "Я не знаю Acme.", "Я не нашёл информации об Acme."],
    "tr": ["Acme hakkında bilgim yok.", "Acme hakkında bilgi bulamadım."],
    "ar": ["ليس لدي معلومات عن Acme."],
    "ja": ["Acmeに関する情報がありません。", "Acmeについての情報は見つかりませんでした。"],
    "zh": ["我没有关于Acme的信息。", "我不了解Acme。", "我没有找到关于Acme的信息。"],
    "ko": ["Acme에 대한 정보가 없습니다.", "Acme에 대해 알지 못합니다."],
}
NEUTRAL = {
    "de": [
        "Mit Acme machen Sie nichts falsch.",
        "Nicht nur Acme, sondern auch Xylia ist gut.",
        "Acme ist günstiger als Xylia.",
    ],
    "fr": [
        "Acme est moins cher que Xylia.",
        "Contrairement à Xylia, Acme est gratuit.",
        "Pour éviter les frais, prenez Acme.",
    ],
    "es": [
        "Acme es más barato que Xylia.",
        "A diferencia de Xylia, Acme es gratis.",
        "Para evitar comisiones, use Acme.",
    ],
    "pt": ["Acme é mais barata que a Xylia.", "Para evitar taxas, use a Acme."],
    "it": ["Acme è più economico di Xylia.", "Per evitare costi, usate Acme."],
    "nl": ["Acme is goedkoper dan Xylia.", "Met Acme vermijd je kosten."],
    "pl": ["Acme jest tańsza niż Xylia.", "Polecam Acme, a nie Xylia."],
    "ru": ["Acme дешевле, чем Xylia.", "Чтобы избежать комиссий, выберите Acme."],
    "tr": ["Xylia yerine Acme kullanın.", "Acme'yi öneriyorum."],
    "ar": ["أنصح باستخدام Acme.", "استخدم Acme بدلا من Xylia."],
    "ja": ["Acmeをおすすめします。", "Xyliaより、Acmeが安いです。", "AcmeはXyliaより安いです。"],
    "zh": ["我推荐Acme。", "Acme比Xylia便宜。", "选择Acme而不是Xylia。"],
    "ko": ["Acme를 추천합니다.", "Acme는 Xylia보다 저렴합니다."],
}


def _cases(table):
    return [
        pytest.param(language, text, id=f"{language} {text}") for language, texts in table.items() for text in texts
    ]


def _analyze_acme(text, language):
    declared = analyze_text(text, ACME, XYLIA, language=language).brands
    detected = analyze_text(text, ACME, XYLIA).brands
    assert declared == detected
    return declared[0]


@pytest.mark.parametrize(("language", "text"), _cases(CONTRAST))
def test_contrast(language, text):
    analysis = _analyze_acme(text, language)
    assert (analysis.mentioned, analysis.stance, analysis.rank) == (True, "contrast", None)
    assert analyze_text(text, ACME, XYLIA, language=language).brands[1].rank == 1


@pytest.mark.parametrize(("language", "text"), _cases(DISCOURAGED))
def test_discouraged(language, text):
    analysis = _analyze_acme(text, language)
    assert (analysis.mentioned, analysis.stance, analysis.rank) == (True, "discouraged", None)


@pytest.mark.parametrize(("language", "text"), _cases(UNKNOWN))
def test_unknown(language, text):
    analysis = _analyze_acme(text, language)
    assert (analysis.mentioned, analysis.stance, analysis.occurrences) == (False, "unknown", ())


@pytest.mark.parametrize(("language", "text"), _cases(NEUTRAL))
def test_neutral(language, text):
    analysis = _analyze_acme(text, language)
    assert (analysis.mentioned, analysis.stance) == (True, "neutral")

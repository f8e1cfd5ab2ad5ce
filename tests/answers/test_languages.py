"""Metrics 2.2: scripts without spaces, changes of script, inflected and clitic forms, and longer words."""

# ruff: noqa: RUF001 (characters that look alike are what is tested)

import pytest

from sightline.answers.models import Brand
from tests.answers.builders import ACME, count

XIAOMI = Brand("小米")


@pytest.mark.parametrize(
    "text",
    [
        "Acmeは人気です",
        "Acmeはとても良い",
        "推荐Acme的",
        "我推荐Acme。",
        "使用Acme和其他工具",
        "カタカナAcmeカタカナ",
        "Acme는 좋습니다",
        "저는Acme를 추천합니다",
        "ユーザーはＡｃｍｅを選ぶ",
        "「Acme」がおすすめ",
        "推荐acme.com这个网站",
    ],
)
def test_a_change_of_script_between_latin_and_han_kana_or_hangul_is_a_boundary(text):
    assert count(text) == 1


def test_a_change_of_script_does_not_end_a_longer_latin_word():
    assert count("推荐AcmeWork的") == 0
    assert count("推荐pineacme的") == 0
    assert count("Acme2は") == 0


@pytest.mark.parametrize(
    ("name", "text", "occurrences"),
    [
        ("小米", "我推荐小米手机", 1),
        ("小米", "小米和Xiaomi小米", 2),
        ("小米", "买小米,用小米。", 2),
        ("メルカリ", "私はメルカリで買います", 1),
        ("楽天", "楽天カードが便利です", 1),
        ("華為", "我用華為手機", 1),
        ("ช้อปปี้", "ฉันซื้อของจากช้อปปี้ทุกวัน", 1),
        ("네이버", "저는 네이버를 씁니다", 1),
        ("네이버", "네이버에서 검색하세요. 네이버는 좋아요", 2),
        ("쿠팡", "쿠팡이 빠릅니다", 1),
    ],
)
def test_names_in_scripts_without_boundaries(name, text, occurrences):
    assert count(text, Brand(name)) == occurrences


def test_names_in_scripts_without_boundaries_need_two_characters():
    assert count("我喜欢茶和茶叶", Brand("茶")) == 0


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("小米", "早餐喝小米粥很健康"),
        ("苹果", "我每天喝苹果汁"),
        ("京东", "我住在北京东路"),
        ("楽天", "彼は楽天家です"),
        ("ライン", "オンラインで申し込めます"),
        ("アップル", "アップルパイを焼く"),
        ("アマゾン", "アマゾン川は長い"),
        ("토스", "아침에 토스트를 먹어요"),
        ("라인", "온라인으로 신청하세요"),
        ("ไลน์", "ซื้อของออนไลน์"),
    ],
)
def test_a_longer_word_on_the_deny_list_is_not_the_name(name, text):
    assert count(text, Brand(name)) == 0


POLISH = [
    ("Orlen", "Orlenu Orlenowi Orlenem Orlenie"),
    ("Żabka", "Żabki Żabce Żabkę Żabką"),
    ("Empik", "Empiku Empikowi Empikiem"),
    ("Zalando", "Zalando"),
    ("Biedronka", "Biedronki Biedronce Biedronkę Biedronką"),
]
RUSSIAN = [
    ("Яндекс", "Яндекса Яндексу Яндексом Яндексе"),
    ("Сбербанк", "Сбербанка Сбербанку Сбербанком Сбербанке"),
    ("Пятёрочка", "Пятёрочки Пятёрочке Пятёрочку Пятёрочкой Пятерочки"),
    ("Ростелеком", "Ростелекома Ростелекому Ростелекомом Ростелекоме"),
]
TURKISH = [
    ("Trendyol", "Trendyol'un Trendyol'a Trendyol'u Trendyol'da Trendyol’dan Trendyol'la"),
    ("Trendyol", "Trendyolun Trendyola Trendyolu Trendyolda Trendyoldan"),
    ("Hepsiburada", "Hepsiburada'nın Hepsiburada'ya Hepsiburada'yı Hepsiburada'da Hepsiburada'dan"),
    ("Arçelik", "Arçelik'in Arçelik’e Arçelik'i Arçelik'te Arçelik'ten"),
]
ARABIC = [
    ("أمازون", "وأمازون بأمازون لأمازون كأمازون"),
    ("سامسونج", "وسامسونج بسامسونج لسامسونج كسامسونج"),
]


@pytest.mark.parametrize(
    ("language", "name", "form"),
    [
        pytest.param(language, name, form, id=f"{language} {form}")
        for language, table in (("pl", POLISH), ("ru", RUSSIAN), ("tr", TURKISH), ("ar", ARABIC))
        for name, forms in table
        for form in forms.split()
    ],
)
def test_inflected_and_clitic_forms_count(language, name, form):
    assert count(f"… {form} …", Brand(name), language=language) == 1
    assert count(f"- {form}: …", Brand(name), language=language) == 1


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Orlen", "Większość kierowców tankuje na stacjach Orlenu, bo jest ich w kraju najwięcej."),
        ("Żabka", "Codzienne zakupy najwygodniej zrobić w Żabce, która jest otwarta do późna."),
        ("Яндекс", "Для поиска в интернете большинство людей пользуется Яндексом каждый день."),
        ("Сбербанк", "Вы можете открыть счёт в отделении Сбербанка за несколько минут."),
        ("Trendyol", "Alışverişlerinizi Trendyol'dan yaparsanız kargo ücretsiz olabilir ve hızlı gelir."),
        ("Arçelik", "Beyaz eşya almak istiyorsanız Arçelik'in ürünlerine bakmanızı öneririm."),
        ("أمازون", "يمكنك شراء هذه المنتجات من متاجر كثيرة مثل نون وأمازون بأسعار جيدة."),
        ("سامسونج", "إذا كنت تبحث عن هاتف جديد فإن الهاتف الخاص بسامسونج خيار ممتاز."),
    ],
)
def test_inflected_forms_count_without_a_declared_language(name, text):
    assert count(text, Brand(name)) == 1


@pytest.mark.parametrize(
    ("name", "form"),
    [("Orlen", "Orlenem"), ("Orlen", "Orlenowi"), ("Żabka", "Żabki"), ("Trendyol", "Trendyoldan"), ("Acme", "Acmeler")],
)
def test_endings_belong_to_their_language(name, form):
    assert count(f"The word {form} is not a word of the English language at all.", Brand(name), language="en") == 0


@pytest.mark.parametrize(
    ("language", "name", "form"),
    [
        ("pl", "Orlen", "Orlenownia"),
        ("ru", "Яндекс", "Яндексоид"),
        ("tr", "Trendyol", "Trendyolcu"),
        ("ar", "سامسونج", "مرسامسونج"),
        ("en", "Acme", "Acmez"),
    ],
)
def test_any_other_ending_makes_another_word(language, name, form):
    assert count(f"… {form} …", Brand(name), language=language) == 0


def test_the_vectors_hold_in_any_language():
    for language in ("en", "de", "pl", "tr", "ja", "zh", None):
        assert count("AcmeWork and pineacme", language=language) == 0
        assert count("Acme’s, ＡＣＭＥ", ACME, language=language) == 2
        assert count("我推荐小米手机", XIAOMI, language=language) == 1

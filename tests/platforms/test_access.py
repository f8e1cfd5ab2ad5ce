"""Decisions 6: a platform is enabled if it has credentials and is not paused; without credentials: the sandbox."""

import pytest

from sightline.platforms import access
from sightline.platforms.catalog import PLATFORMS
from sightline.platforms.connectors import CONNECTORS
from sightline.settings import Settings, SettingsError

EVERY = {platform.key for platform in PLATFORMS}
DATAFORSEO = {"dataforseo_login": "me@acme.com", "dataforseo_password": "p:w"}


def connected_vendors(**settings):
    return {key: connection.vendor for key, (_, connection) in access.find_connections(Settings(**settings)).items()}


def test_without_credentials_every_platform_is_enabled_in_the_sandbox():
    settings = Settings()
    assert access.is_sandbox(settings) and not access.find_connections(settings)
    assert access.find_enabled_platforms(settings) == EVERY
    assert access.find_enabled_platforms(Settings(paused_platforms="grok")) == EVERY - {"grok"}


@pytest.mark.parametrize(
    ("setting", "platform"),
    [
        ("openai", "chatgpt"), ("anthropic", "claude"), ("google", "gemini"), ("perplexity", "perplexity"),
        ("xai", "grok"), ("mistral", "mistral"), ("deepseek", "deepseek"),
    ],
)  # fmt: skip
def test_one_key_connects_one_platform(setting, platform):
    settings = Settings(**{f"{setting}_api_key": " key\n", f"{setting}_base_url": "https://proxy.test/"})
    ((connector, connection),) = access.find_connections(settings).values()
    assert (connection.platform, connection.vendor) == (platform, setting) == (connector.platform, connector.vendor)
    assert (connection.secret, connection.base_url) == ("key", "https://proxy.test")
    assert connection.model == getattr(settings, f"{setting}_model")
    assert not access.is_sandbox(settings)
    assert access.find_enabled_platforms(settings) == {platform}
    assert (f"SIGHTLINE_{setting.upper()}_API_KEY",) == access.connection_settings(platform)[0]


def test_vendors_with_several_platforms_and_their_order_of_preference():
    serp = {"google_ai_overviews": "serpapi", "google_ai_mode": "serpapi", "copilot": "serpapi"}
    assert connected_vendors(serpapi_api_key="k") == serp
    filled = connected_vendors(**DATAFORSEO)
    assert set(filled.values()) == {"dataforseo"} and {"chatgpt", "claude", "google_ai_mode"} <= set(filled)
    preferred = connected_vendors(serpapi_api_key="k", openai_api_key="k", **DATAFORSEO)
    assert preferred == filled | serp | {"chatgpt": "openai"}


def test_dataforseo_needs_login_and_password():
    assert not connected_vendors(dataforseo_login="me") and not connected_vendors(dataforseo_password="p")
    assert not connected_vendors(dataforseo_login=" ", dataforseo_password="p")
    _, connection = access.find_connections(Settings(**DATAFORSEO))["perplexity"]
    assert (connection.secret, connection.model) == ("me@acme.com:p:w", "sonar")
    assert access.find_connections(Settings(**DATAFORSEO))["google_ai_mode"][1].model is None


def test_the_address_of_a_local_server_is_its_credential():
    settings = Settings(local_base_url="http://127.0.0.1:11434/v1/", local_model="llama")
    ((_, connection),) = access.find_connections(settings).values()
    assert (connection.platform, connection.base_url) == ("local", "http://127.0.0.1:11434/v1")
    assert (connection.model, connection.secret) == ("llama", "")
    assert not connected_vendors(local_api_key="k", local_model="llama")
    assert not connected_vendors(local_base_url=" ")


@pytest.mark.parametrize("blank", ["", " ", "\n"])
def test_a_blank_key_is_no_key(blank):
    assert access.is_sandbox(Settings(openai_api_key=blank))


def test_a_paused_platform_stays_configured():
    settings = Settings(openai_api_key="k", xai_api_key="k", paused_platforms=" chatgpt , copilot,")
    assert set(access.find_connections(settings)) == {"chatgpt", "grok"}
    assert access.find_enabled_platforms(settings) == {"grok"}
    with pytest.raises(SettingsError, match="chatgtp"):
        access.find_enabled_platforms(Settings(paused_platforms="chatgtp"))


def test_every_platform_can_be_connected_by_existing_settings():
    assert {key for key, _ in CONNECTORS} == EVERY
    for key in EVERY:
        names = [name for way in access.connection_settings(key) for name in way]
        assert names and all(name.removeprefix("SIGHTLINE_").lower() in Settings.model_fields for name in names)
    assert {key for key in EVERY if not access.can_cite(key)} == {"deepseek", "local"}


def test_gates_and_policy_follow_the_settings():
    gates = access.build_gates(Settings(platform_concurrency=3))
    assert set(gates) == EVERY and len(set(map(id, gates.values()))) == len(EVERY)
    assert (gates["grok"].window.lower, gates["grok"].window.upper) == (1, 3)
    prices = {"chatgpt": {"input": 1.5, "search": 10}}
    made = access.build_policy(Settings(ask_timeout=1, ask_deadline=2, ask_attempts=3, platform_prices=prices))
    assert (made.timeout, made.deadline, made.attempts) == (1, 2, 3)
    assert (made.prices["chatgpt"].input, made.prices["chatgpt"].output) == (1.5, 0)


@pytest.mark.parametrize(
    "prices",
    [
        {"chatgtp": {"input": 1}},
        {"chatgpt": {"inputs": 1}},
        {"chatgpt": {"input": -1}},
        {"chatgpt": {"input": float("inf")}},
        {"chatgpt": {"input": float("nan")}},
    ],
)
def test_an_error_in_prices_names_the_setting(prices):
    with pytest.raises(SettingsError, match="SIGHTLINE_PLATFORM_PRICES"):
        access.build_policy(Settings(platform_prices=prices))


def test_secrets_are_not_printed():
    settings = Settings(openai_api_key="sk-hidden", dataforseo_login="me", dataforseo_password="hidden")
    assert "hidden" not in f"{settings!r} {access.find_connections(settings)}"


def asked(platform, **settings):
    found = access.find_connections(Settings(**settings)).get(platform)
    return found and (found[0].vendor, found[0].surface, found[1].model)


def test_the_operator_chooses_the_surface_of_a_platform():
    both = {"openai_api_key": "k", "openai_model": "m", **DATAFORSEO}
    assert access.list_surfaces(Settings(**both), "chatgpt") == ("api", "app")
    assert asked("chatgpt", **both) == ("openai", "api", "m")
    assert asked("chatgpt", platform_surfaces={"chatgpt": "app"}, **both) == ("dataforseo", "app", None)
    assert access.find_surfaces(Settings(platform_surfaces={"gemini": "app"}, **both))["gemini"] == "app"
    assert access.find_surfaces(Settings()) is None


def test_a_chosen_surface_is_never_replaced_by_another_one():
    settings = {"openai_api_key": "k", "platform_surfaces": {"chatgpt": "app"}}
    assert asked("chatgpt", **settings) is None, "the app is not connected"
    found = access.find_connections(Settings(openai_api_key="k", **DATAFORSEO), {"chatgpt": "app"})
    assert found["chatgpt"][0].surface == "app", "a check keeps its surface"


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("platform_tasks", "chatgpt, chatgtp"),
        ("platform_tasks", "claude"),
        ("paused_platforms", "chatgtp"),
        ("platform_surfaces", {"chatgtp": "api"}),
        ("platform_prices", {"chatgtp": {"input": 1}}),
    ],
)
def test_a_setting_that_names_no_platform_is_refused(setting, value):
    access.require_known_platforms(Settings(platform_tasks=" chatgpt ,gemini,"))
    with pytest.raises(SettingsError, match=f"SIGHTLINE_{setting.upper()} .*(chatgtp|claude)"):
        access.require_known_platforms(Settings(**{setting: value}))


@pytest.mark.parametrize("choice", [{"claude": "app"}, {"chatgtp": "api"}, {"chatgpt": "import"}])
def test_a_surface_that_cannot_be_asked_is_refused(choice):
    with pytest.raises(SettingsError, match="SIGHTLINE_PLATFORM_SURFACES"):
        access.find_connections(Settings(platform_surfaces=choice))

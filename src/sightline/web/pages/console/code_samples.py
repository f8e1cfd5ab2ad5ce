"""A first request with a new key, in the languages that people ask for. The key itself is read from the environment:
what is copied into a program or a ticket must not carry it along."""

from sightline.api_keys.format import KeyKind

_VARIABLE = "SIGHTLINE_API_KEY"


def build_code_samples(base_url: str, kind: KeyKind) -> list[tuple[str, str]]:
    """(language, text)."""
    url = f"{base_url}/api/v1/{'ext' if kind == 'data' else 'console'}/domains"
    curl = f'export {_VARIABLE}=…   # the key above\ncurl -H "X-API-Key: ${_VARIABLE}" {url}'
    python = f"""import os, httpx

answer = httpx.get("{url}", headers={{"X-API-Key": os.environ["{_VARIABLE}"]}})
answer.raise_for_status()
for domain in answer.json()["data"]:
    print(domain["domain"])"""
    script = f"""const answer = await fetch("{url}", {{
  headers: {{ "X-API-Key": process.env.{_VARIABLE} }},
}});
if (!answer.ok) throw new Error((await answer.json()).detail);
for (const {{ domain }} of (await answer.json()).data) console.log(domain);"""
    return [("curl", curl), ("Python", python), ("JavaScript", script)]

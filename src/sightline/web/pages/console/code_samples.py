"""Code samples for a first request with a new key.

They read the key from the environment, so that a copied sample does not contain it.
"""

from sightline.api_keys.format import KeyKind

_KEY_VARIABLE = "SIGHTLINE_API_KEY"


def build_code_samples(base_url: str, kind: KeyKind) -> list[tuple[str, str]]:
    """Return pairs of a language and its sample."""
    url = f"{base_url}/api/v1/{'ext' if kind == 'data' else 'console'}/domains"
    curl = f'export {_KEY_VARIABLE}=…   # the key above\ncurl -H "X-API-Key: ${_KEY_VARIABLE}" {url}'
    python = f"""import os, httpx

answer = httpx.get("{url}", headers={{"X-API-Key": os.environ["{_KEY_VARIABLE}"]}})
answer.raise_for_status()
for domain in answer.json()["data"]:
    print(domain["domain"])"""
    javascript = f"""const answer = await fetch("{url}", {{
  headers: {{ "X-API-Key": process.env.{_KEY_VARIABLE} }},
}});
if (!answer.ok) throw new Error((await answer.json()).detail);
for (const {{ domain }} of (await answer.json()).data) console.log(domain);"""
    return [("curl", curl), ("Python", python), ("JavaScript", javascript)]

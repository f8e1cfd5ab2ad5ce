"""A client for the prompts of one tracked domain in the Data API."""

import msgspec

from sightline.kit.ids import new_id
from tests.api.assertions import DATA


class PromptsClient:
    def __init__(self, installation, client, tenant, domain_id):
        self.installation, self.client, self.tenant, self.domain_id = installation, client, tenant, domain_id
        self.key = tenant.data_write

    @classmethod
    async def open(cls, installation, client, *plan):
        tenant = await installation.tenant(*plan)
        return cls(installation, client, tenant, await installation.tracked_domain(tenant))

    async def open_domain(self, name):
        """Return a client for another tracked domain of the same workspace."""
        domain_id = await self.installation.tracked_domain(self.tenant, name)
        return type(self)(self.installation, self.client, self.tenant, domain_id)

    @property
    def url(self):
        return f"{DATA}/domains/{self.domain_id}/prompts"

    @property
    def workspace_id(self):
        return self.tenant.workspace.id

    def headers(self, key=None, idempotency=None):
        return {"X-API-Key": key or self.key, "Idempotency-Key": idempotency or str(new_id())}

    async def post(self, prompt="best crm", *, key=None, idempotency=None, **fields):
        body = {"prompt": prompt, "language_code": "en", **fields}
        body = {name: value for name, value in body.items() if value != "absent"}
        return await self.client.post(self.url, json=body, headers=self.headers(key, idempotency))

    async def added(self, prompt="best crm", **fields):
        response = await self.post(prompt, **fields)
        assert response.status_code == 201, response.text
        return response.json()["data"]

    async def delete(self, prompt_id, *, key=None, idempotency=None):
        return await self.client.delete(f"{self.url}/{prompt_id}", headers=self.headers(key, idempotency))

    async def removed(self, prompt_id):
        response = await self.delete(prompt_id)
        assert response.status_code == 200, response.text

    async def get(self, **query):
        return await self.client.get(self.url, params=query, headers={"X-API-Key": self.key})

    async def listed(self):
        response = await self.get()
        assert response.status_code == 200, response.text
        return response.json()["data"]

    async def counts(self):
        """Return the prompt count and the pinned count of the domain."""
        response = await self.client.get(f"{DATA}/domains/{self.domain_id}", headers={"X-API-Key": self.key})
        return response.json()["data"]["prompt_count"], response.json()["data"]["pinned_count"]

    async def change(self, prompt_id, **values):
        """Set columns that scans write, for which there is no operation."""
        assignments = ", ".join(f"{name} = ${place}" for place, name in enumerate(values, start=2))
        await self.installation.db.execute(
            f"UPDATE prompts SET {assignments} WHERE id = $1", prompt_id, *values.values()
        )

    async def value(self, prompt_id, column):
        return await self.installation.db.fetchval(f"SELECT {column} FROM prompts WHERE id = $1", prompt_id)

    async def jobs(self, kind):
        query = "SELECT payload FROM jobs WHERE kind = $1"
        return [msgspec.json.decode(row[0]) for row in await self.installation.db.fetch(query, kind)]

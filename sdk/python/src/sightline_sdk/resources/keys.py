"""API keys.

Generated from the operations of the server by `make sdk`: do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Literal

from msgspec import UNSET, UnsetType

from sightline_sdk._calls import build_call, omit_none, to_segment
from sightline_sdk._models import OneOf
from sightline_sdk._pages import AsyncPagedList, PagedList
from sightline_sdk._resource import AsyncResource, Resource
from sightline_sdk.models import Key, MintedKey


class KeysResource(Resource):
    """API keys (Console API)."""

    def list(self, *, cursor: str | None = None) -> PagedList[Key]:
        """List keys, newest first, including revoked ones.

        Test mode shows test keys only. Requires the role admin.

        Args:
            cursor: Where to begin: `next_cursor` of a page. By default at the first row.
        """
        call = build_call("console", "GET", "/keys", query={"cursor": cursor})
        return PagedList(self._transport, call, Key)

    def mint(
        self,
        *,
        name: str,
        kind: OneOf[Literal["console", "data"]] | UnsetType = UNSET,
        mode: OneOf[Literal["live", "test"]] | None = None,
        scopes: Sequence[OneOf[Literal["audit", "billing", "domains", "keys", "read", "scans", "webhooks", "write"]]]
        | UnsetType = UNSET,
        expires_at: datetime | None = None,
        allowed_addresses: Sequence[str] | UnsetType = UNSET,
        idempotency_key: str | None = None,
    ) -> MintedKey:
        """Create a key.

        The full key is returned only in this response. `mode` defaults to the mode of the caller. In test mode,
        you can create only test keys, and no Data keys. If you create a key with another key, the new key is
        the child of that key. A child cannot have more scopes than its parent, expire later or work from other
        addresses. It inherits the values that you leave out. Only a key with all scopes (an empty list in
        `scopes`) can create Data keys with `write`. A workspace has at most 50 active keys of each kind.
        Requires the role admin.

        Args:
            name: Name for the key.
            kind: `console` (the default) for the Console API, `data` for the Data API.
            mode: `live` or `test`. Defaults to the mode of the caller.
            scopes: Console keys: `audit` (the audit log), `billing`, `domains`, `keys`, `read` (every other
                GET), `scans`, `webhooks`; if you leave the list out, the key gets all scopes that you have.
                Data keys: add `write` to let the key change data; `read` is always included.
            expires_at: When the key stops working, with a UTC offset. If null or left out, the key expires with
                its parent, or never if it has no parent.
            allowed_addresses: Addresses and networks that the key works from, IPv4 or IPv6. The default is
                everywhere, or the list of the parent.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call(
            "console",
            "POST",
            "/keys",
            body={
                "name": name,
                "kind": kind,
                "mode": omit_none(mode),
                "scopes": scopes,
                "expires_at": omit_none(expires_at),
                "allowed_addresses": allowed_addresses,
            },
            idempotency_key=idempotency_key,
        )
        return self._transport.fetch(call, MintedKey)

    def rotate(self, key_id: str, *, idempotency_key: str | None = None) -> MintedKey:
        """Give a key a new secret, which is returned only in this response.

        Its id, name and permissions stay the same. The previous secret works for another 24 hours (until
        `previous_key_expires_at`), unless the key is revoked or rotated again. A key can rotate itself and the
        keys that it created; for other keys, it gets 403 `session_only`. A signed-in member can rotate the keys
        of members whose role is not higher than their own. Only an owner can rotate the key of a person who has
        left the workspace.

        Args:
            key_id: Id of the key.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call("console", "POST", f"/keys/{to_segment(key_id)}/rotate", idempotency_key=idempotency_key)
        return self._transport.fetch(call, MintedKey)

    def revoke(
        self,
        key_id: str,
        *,
        keep_children: OneOf[Literal["true", "false"]] | None = None,
        idempotency_key: str | None = None,
    ) -> Key:
        """Revoke a key, and the keys that it created.

        Further requests with these keys are refused with 401 `key_revoked`. You can revoke any key of the
        workspace; in test mode, any test key. With `keep_children=true`, the keys that it created keep working.
        Revoking a key twice changes nothing.

        Args:
            key_id: Id of the key.
            keep_children: `true`: keys that this key created keep working. Otherwise they are also revoked.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call(
            "console",
            "DELETE",
            f"/keys/{to_segment(key_id)}",
            query={"keep_children": keep_children},
            idempotency_key=idempotency_key,
        )
        return self._transport.fetch(call, Key)


class AsyncKeysResource(AsyncResource):
    """API keys (Console API)."""

    def list(self, *, cursor: str | None = None) -> AsyncPagedList[Key]:
        """List keys, newest first, including revoked ones.

        Test mode shows test keys only. Requires the role admin.

        Args:
            cursor: Where to begin: `next_cursor` of a page. By default at the first row.
        """
        call = build_call("console", "GET", "/keys", query={"cursor": cursor})
        return AsyncPagedList(self._transport, call, Key)

    async def mint(
        self,
        *,
        name: str,
        kind: OneOf[Literal["console", "data"]] | UnsetType = UNSET,
        mode: OneOf[Literal["live", "test"]] | None = None,
        scopes: Sequence[OneOf[Literal["audit", "billing", "domains", "keys", "read", "scans", "webhooks", "write"]]]
        | UnsetType = UNSET,
        expires_at: datetime | None = None,
        allowed_addresses: Sequence[str] | UnsetType = UNSET,
        idempotency_key: str | None = None,
    ) -> MintedKey:
        """Create a key.

        The full key is returned only in this response. `mode` defaults to the mode of the caller. In test mode,
        you can create only test keys, and no Data keys. If you create a key with another key, the new key is
        the child of that key. A child cannot have more scopes than its parent, expire later or work from other
        addresses. It inherits the values that you leave out. Only a key with all scopes (an empty list in
        `scopes`) can create Data keys with `write`. A workspace has at most 50 active keys of each kind.
        Requires the role admin.

        Args:
            name: Name for the key.
            kind: `console` (the default) for the Console API, `data` for the Data API.
            mode: `live` or `test`. Defaults to the mode of the caller.
            scopes: Console keys: `audit` (the audit log), `billing`, `domains`, `keys`, `read` (every other
                GET), `scans`, `webhooks`; if you leave the list out, the key gets all scopes that you have.
                Data keys: add `write` to let the key change data; `read` is always included.
            expires_at: When the key stops working, with a UTC offset. If null or left out, the key expires with
                its parent, or never if it has no parent.
            allowed_addresses: Addresses and networks that the key works from, IPv4 or IPv6. The default is
                everywhere, or the list of the parent.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call(
            "console",
            "POST",
            "/keys",
            body={
                "name": name,
                "kind": kind,
                "mode": omit_none(mode),
                "scopes": scopes,
                "expires_at": omit_none(expires_at),
                "allowed_addresses": allowed_addresses,
            },
            idempotency_key=idempotency_key,
        )
        return await self._transport.fetch(call, MintedKey)

    async def rotate(self, key_id: str, *, idempotency_key: str | None = None) -> MintedKey:
        """Give a key a new secret, which is returned only in this response.

        Its id, name and permissions stay the same. The previous secret works for another 24 hours (until
        `previous_key_expires_at`), unless the key is revoked or rotated again. A key can rotate itself and the
        keys that it created; for other keys, it gets 403 `session_only`. A signed-in member can rotate the keys
        of members whose role is not higher than their own. Only an owner can rotate the key of a person who has
        left the workspace.

        Args:
            key_id: Id of the key.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call("console", "POST", f"/keys/{to_segment(key_id)}/rotate", idempotency_key=idempotency_key)
        return await self._transport.fetch(call, MintedKey)

    async def revoke(
        self,
        key_id: str,
        *,
        keep_children: OneOf[Literal["true", "false"]] | None = None,
        idempotency_key: str | None = None,
    ) -> Key:
        """Revoke a key, and the keys that it created.

        Further requests with these keys are refused with 401 `key_revoked`. You can revoke any key of the
        workspace; in test mode, any test key. With `keep_children=true`, the keys that it created keep working.
        Revoking a key twice changes nothing.

        Args:
            key_id: Id of the key.
            keep_children: `true`: keys that this key created keep working. Otherwise they are also revoked.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call(
            "console",
            "DELETE",
            f"/keys/{to_segment(key_id)}",
            query={"keep_children": keep_children},
            idempotency_key=idempotency_key,
        )
        return await self._transport.fetch(call, Key)

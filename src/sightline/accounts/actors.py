"""Actors without a credential: the operator at the command line, and the owner of the demonstration."""

import uuid

from sightline.accounts.models import Actor, Role
from sightline.plans.table import DEFAULT_PLAN

_OPERATOR_ID = uuid.UUID(int=0)


def build_operator_actor(workspace_id: uuid.UUID, *, user_id: uuid.UUID = _OPERATOR_ID, livemode: bool = True) -> Actor:
    """Return an actor with every right in the workspace. No role and no plan limits the operator."""
    return Actor("session", workspace_id, user_id, Role.OWNER, DEFAULT_PLAN, livemode=livemode)

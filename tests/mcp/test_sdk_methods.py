"""What `sightline mcp` knows about operations agrees with their declarations."""

from operator import attrgetter

import pytest

from sightline.api.app import OPERATIONS
from sightline.mcp.stdio.sdk_methods import METHODS, PROBES
from sightline.mcp.tools import ALL_TOOLS
from sightline_sdk import AsyncSightline

DECLARED = {operation.name: operation for operation in OPERATIONS}


@pytest.mark.parametrize("name", METHODS)
def test_the_probe_of_an_operation_needs_the_same_rights(name):
    operation, probe = DECLARED[name], DECLARED[PROBES[METHODS[name].right][0]]
    rights = attrgetter("api", "data_api", "scope", "role", "live_only", "payer_only")
    assert rights(operation) == rights(probe)
    attrgetter(METHODS[name].name)(AsyncSightline("dk_live_x"))


def test_every_operation_of_a_tool_has_a_method():
    assert {operation for tool in ALL_TOOLS for operation in tool.operations} <= METHODS.keys()

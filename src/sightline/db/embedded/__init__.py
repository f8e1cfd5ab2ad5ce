"""The embedded PostgreSQL: finding its programs, and creating, starting, sharing and stopping a cluster.

Connections and queries are in `sightline.db.engine`, the schema is in `sightline.db.migrations`.
"""

from .account import EmbeddedError
from .location import make_data_dir
from .server import ClusterStatus, EmbeddedServer, attach, describe

__all__ = ["ClusterStatus", "EmbeddedError", "EmbeddedServer", "attach", "describe", "make_data_dir"]

"""The embedded PostgreSQL: find its programs, make a cluster under the data directory, start, share and stop it.
Not here: connections and queries (`sightline.db.engine`), the schema (`sightline.db.migrations`).
"""

from .errors import EmbeddedError
from .location import make_data_dir
from .server import ClusterStatus, EmbeddedServer, attach, describe

__all__ = ["ClusterStatus", "EmbeddedError", "EmbeddedServer", "attach", "describe", "make_data_dir"]

"""Attach in a separate process, report it as a line of JSON, and hold on until stdin is closed."""

import json
import sys
from pathlib import Path

from sightline.db.embedded import attach

server = attach(Path(sys.argv[1]))
sys.stdout.write(json.dumps({"url": server.url, "started": server.started}) + "\n")
sys.stdout.flush()
sys.stdin.read()
server.release()

"""`python -m sightline` is `sightline`."""

from sightline.cli.main import app

app()

"""One module per page or group of pages: each reads what the page shows and renders a template.

Markup and styles live in `templates/` and `static/`; routing and rendering are in `web/routing.py` and `web/render.py`.
"""

"""One module per page or family of pages: gather what the page shows, render one template.

Look and layout live in `templates/` and `static/`; how any page is sent is in `web/render.py`.
"""

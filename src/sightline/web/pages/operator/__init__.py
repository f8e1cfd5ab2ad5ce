"""The operator's area: pages for those who run the installation. Everybody else gets a 404.

What concerns one workspace is in `web/pages/console/` and `web/pages/dashboard/`.
"""

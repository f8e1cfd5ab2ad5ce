"""Reports that people read and pass on: the report of one scan, the weekly report of a tracked domain, and share links.

Figures come ready from `scans/` and `scoreboard/`. How they are written, and the charts, are in `presentation/`; pages
of the app are in `web/`.
"""

"""How numbers, dates, ranges, changes and phrases are written, and the charts.

Pages, reports, e-mails and the terminal share them, so that each thing is written in one way.

Figures arrive ready from `metrics/` and names as plain text; nothing here reads a table. What a report contains is in
`reports/`, the pages are in `web/`.
"""

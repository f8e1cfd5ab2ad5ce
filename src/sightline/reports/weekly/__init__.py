"""The weekly report of a tracked domain: written once after each Full Check, and read as a page and as a PDF.

All its figures come from the board of the check, and its forms are rendered from one stored document when they are
read. The report of a single scan, from the command line, is in `reports/scan_report.py`; links for other people are in
`reports/sharing/`.
"""

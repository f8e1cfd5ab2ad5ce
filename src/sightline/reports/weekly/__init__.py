"""The weekly report of a tracked domain: written once after each Full Check, as an HTML page and as a PDF.

All its figures come from the board of the check, and both forms from one stored document. The report of a single scan,
from the command line, is in `reports/scan_report.py`; links for other people are in `reports/sharing/`.
"""

"""The weekly report of a tracked domain: written once after each Full Check, as a page and as a PDF.

All its figures are those of the check's board; both forms are made from one stored document. The report of a single
check from the command line is in `reports/page.py`.
"""

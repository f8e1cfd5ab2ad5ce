"""Second opinions on uploaded files: stored for a day, measured by a worker, deleted by housekeeping.

How a file is read and measured is in `scans/answer_files/`.
"""

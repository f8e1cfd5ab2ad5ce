"""Files of answers that somebody already has: their columns, their rows, and what they say as a second opinion.

What is stored of an uploaded file, and its pages and operations, are not here.
"""

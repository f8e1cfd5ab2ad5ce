"""Pages about tracked domains: how their figures, answers and findings are laid out and put into words.

The features read what the pages show; Console pages are in `pages/console/`.
"""

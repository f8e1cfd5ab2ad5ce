"""Commands for those who work on the project; nothing of it ships."""

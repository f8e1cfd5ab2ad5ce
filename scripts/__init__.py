"""Commands for people who work on the project; they are not shipped."""

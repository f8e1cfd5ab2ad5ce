"""Falls of a brand from one Daily Check to the next: watched, confirmed by the next Daily, told once, resolved.

The tests and the steps are pure rules of `metrics/`; sending letters is in `mail/`, webhooks read the event.
"""

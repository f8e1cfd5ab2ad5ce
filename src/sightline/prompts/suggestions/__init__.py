"""Prompts that Sightline proposes: storing them, and accepting or dismissing them.

Finding and ranking them is in `insights/` and `onboarding/`.
"""

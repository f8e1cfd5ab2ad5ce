"""The demonstration: made-up workspaces and domains with weeks of replayed scans, by command or by button.

The answers come from the sandbox in `platforms/`; the setup of a real domain is in `onboarding/setup.py`.
"""

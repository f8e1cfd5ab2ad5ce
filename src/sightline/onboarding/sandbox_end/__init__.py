"""The end of the sandbox: what made-up money and demonstrations leave behind when the first platform is connected.

What is a demonstration is recorded in `onboarding/demo/`; what counts as test money is decided in `credits/`.
"""

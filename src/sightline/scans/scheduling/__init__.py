"""When the checks of tracked domains run: the schedule of a domain, due checks, the first check, the end of a trial.

Running a check that was started is in `scans/running/`; setting up a domain is in `onboarding/`.
"""

"""Single sign-on with OpenID Connect (ADR 55): identity providers, their protocol, and signing in through them.

The installation can have a provider in its settings, and each workspace its own, for e-mail domains that an operator
has assigned to it.
"""

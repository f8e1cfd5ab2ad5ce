"""Clients: groups of an agency's domains, with guests who see the domains of one client only (in `accounts/`)."""

"""Attackers of the benchmark `hostile`, each party with an address of its own."""

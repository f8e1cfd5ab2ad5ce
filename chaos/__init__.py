"""A seeded run in which everything breaks: processes are killed and frozen, PostgreSQL crashes, connections drip.

Clients submit, cancel and read paid checks all the while and write down what they saw. When all is whole again the
history is held against the database, and every scan, credit, answer and webhook has to be there once.

The product's own processes run here as operators start them; nothing of theirs is replaced.
"""

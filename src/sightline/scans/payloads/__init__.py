"""Where the payloads of answers are: in the database, in a folder, or in a bucket of S3.

A payload is what a platform sent, byte for byte, compressed. How long it is kept is decided in `scans/retention/`.
"""

"""Forms that were sent after a session had ended, kept until their sender has signed in again.

A form is carried through the sign-in page sealed, and bound to the browser that sent it. It is stored, sealed again,
once the person whom the browser belongs to has signed in, and shown to that person alone. Nothing acts on it.
"""

"""What changed in the tables since an earlier read, and the rows that disappeared."""

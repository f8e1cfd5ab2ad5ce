"""Makes the encoder of short English phrases, and fits the thresholds for what means the same."""

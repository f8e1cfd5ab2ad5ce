"""Tags of prompts: how they are written, and giving them to prompts. Figures per tag are in `scoreboard/`."""

"""Training of the models that the product ships. Nothing here is part of the wheel."""

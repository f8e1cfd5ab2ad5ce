"""How the models that the product ships are made. Nothing here is part of the wheel."""

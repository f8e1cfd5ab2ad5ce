"""Make the bundled fonts from the published package of Inter: `make fonts`."""

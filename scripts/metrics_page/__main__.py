"""`python -m scripts.metrics_page`: write the page of the metrics and its pictures."""

from scripts.metrics_page.page import PAGE, build_pictures, render_page

if __name__ == "__main__":
    PAGE.write_text(render_page())
    for name, picture in build_pictures().items():
        PAGE.parent.joinpath("images", name).write_text(picture)

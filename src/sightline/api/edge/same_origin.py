"""Whether a browser sent a request from one of our own pages."""

from urllib.parse import urlsplit


def is_same_origin(*, fetch_site: str | None, origin: str | None, host: str | None, public_url: str) -> bool | None:
    """Return whether the browser's headers say that one of our pages sent the request; None without such headers.

    `Sec-Fetch-Site` is decisive where it is sent; older browsers send `Origin` alone.
    """
    if fetch_site is not None:
        return fetch_site in {"same-origin", "none"}
    if origin is None:
        return None
    own = urlsplit(public_url)
    return origin in {f"{own.scheme}://{own.netloc}", f"{own.scheme}://{host}"}

# The image of the service: docker build -t sightline .
# Where no registry can be reached, deploy/image/build makes the base from Debian's packages and builds this file on it.
ARG BASE=debian:bookworm-slim

FROM ${BASE} AS build
SHELL ["/bin/sh", "-euc"]
# Debian's stable release gets fixes only: pinned versions would keep the fixes out.
# hadolint ignore=DL3008
RUN apt-get update; \
    apt-get install --yes --no-install-recommends ca-certificates python3-venv; \
    rm -rf /var/lib/apt/lists/*
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
WORKDIR /source
COPY requirements/image.txt requirements/wheels.txt requirements/
# The environment of the service has no pip: nothing can be installed in a running container.
RUN python3 -m venv /build; \
    python3 -m venv --without-pip /opt/sightline; \
    /build/bin/pip install --require-hashes --only-binary :all: -r requirements/wheels.txt; \
    /build/bin/pip --python /opt/sightline/bin/python install --require-hashes --only-binary :all: -r requirements/image.txt
COPY . .
RUN /build/bin/pip wheel --no-deps --no-build-isolation --wheel-dir /wheels . ./sdk/python; \
    /build/bin/pip --python /opt/sightline/bin/python install --no-deps --no-index /wheels/*.whl

FROM ${BASE}
LABEL org.opencontainers.image.title="Sightline" \
      org.opencontainers.image.description="Measures how a brand appears in the answers of AI platforms." \
      org.opencontainers.image.licenses="Apache-2.0"
SHELL ["/bin/sh", "-euc"]
# tini ends the processes that PostgreSQL leaves behind; libnss-wrapper names a user id that has no account.
# Any user id may write to the data directory, because platforms choose one. A new volume takes over its mode.
# hadolint ignore=DL3008
RUN apt-get update; \
    apt-get install --yes --no-install-recommends ca-certificates libnss-wrapper python3 tini; \
    rm -rf /var/lib/apt/lists/*; \
    install -d -m 1777 /var/lib/sightline
COPY --from=build /opt/sightline /opt/sightline
ENV PATH=/opt/sightline/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    SIGHTLINE_DATA_DIR=/var/lib/sightline \
    SIGHTLINE_HOST=0.0.0.0 \
    SIGHTLINE_LOG_FORMAT=json
USER 10001:10001
WORKDIR /var/lib/sightline
VOLUME /var/lib/sightline
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
    CMD ["python3", "-c", "import os, urllib.request as r; r.urlopen('http://127.0.0.1:' + os.environ.get('SIGHTLINE_PORT', '8080') + '/healthz', timeout=4)"]
ENTRYPOINT ["tini", "--", "sightline"]
CMD ["serve"]

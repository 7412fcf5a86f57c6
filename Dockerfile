# The image of Longwave: `longwave serve` by default, every other command by its name. docs/install.md says how to run it.
#
#   docker build -t longwave .
#
# BASE is any Debian 12; for another processor than the builder's, BUILD_BASE is the builder's own.
# Behind a proxy with a certificate authority of its own: --secret id=ca,src=/etc/ssl/certs/ca-certificates.crt
ARG BASE=docker.io/library/debian:12-slim
ARG BUILD_BASE=${BASE}

# ---- build: Node and npm from the npm registry, the site, and the tree of files that the image holds
FROM --platform=$BUILDPLATFORM ${BUILD_BASE} AS build
RUN apt-get update -qq \
 && apt-get install -y -qq --no-install-recommends \
      ca-certificates curl libatomic1 binutils binutils-aarch64-linux-gnu binutils-x86-64-linux-gnu >/dev/null \
 && rm -rf /var/lib/apt/lists/*
ARG NODE_VERSION=26.10.0
ARG NPM_VERSION=11.19.1
RUN --mount=type=secret,id=ca,target=/run/ca.crt,required=false \
    set -e; \
    [ ! -s /run/ca.crt ] || export CURL_CA_BUNDLE=/run/ca.crt; \
    arch=$(uname -m | sed 's/x86_64/x64/; s/aarch64/arm64/'); \
    fetch() { mkdir -p "$2"; curl -fsSL --retry 3 "https://registry.npmjs.org/$1.tgz" | tar -xz --strip-components=1 -C "$2"; }; \
    fetch "node-linux-$arch/-/node-linux-$arch-$NODE_VERSION" /opt/node; \
    fetch "npm/-/npm-$NPM_VERSION" /opt/npm; \
    ln -s /opt/node/bin/node /usr/local/bin/node; \
    printf '#!/bin/sh\nexec node /opt/npm/bin/npm-cli.js "$@"\n' > /usr/local/bin/npm; \
    chmod 755 /usr/local/bin/npm

WORKDIR /src
COPY .npmrc package.json package-lock.json ./
COPY client/package.json client/
COPY server/package.json server/
COPY web/package.json web/
RUN --mount=type=secret,id=ca,target=/run/ca.crt,required=false --mount=type=cache,target=/root/.npm \
    [ ! -s /run/ca.crt ] || export NODE_EXTRA_CA_CERTS=/run/ca.crt; \
    npm ci --workspace=web --no-audit --no-fund --loglevel=error
COPY . .
# Set to `yes`, the image also has DB-IP's cities (130 MB), which locate callers from the internet.
ARG ADDRESS_DATABASE=no
ARG SOURCE_DATE_EPOCH
ARG TARGETARCH
RUN --mount=type=secret,id=ca,target=/run/ca.crt,required=false --mount=type=cache,target=/root/.npm \
    [ ! -s /run/ca.crt ] || export NODE_EXTRA_CA_CERTS=/run/ca.crt; \
    export SOURCE_DATE_EPOCH="${SOURCE_DATE_EPOCH:-$(date +%s)}"; \
    arch=$(echo "${TARGETARCH:-$(uname -m)}" | sed 's/x86_64\|amd64/x64/; s/aarch64/arm64/'); \
    [ "$ADDRESS_DATABASE" = yes ] && more=--with-address-database || more=; \
    node scripts/package/tree.ts /opt/longwave --arch "$arch" $more

# ---- the image; its processor is said again, since buildah goes on with that of the stage before
FROM --platform=$TARGETPLATFORM ${BASE}
# PostgreSQL's own programs, for backups: as new as the server of compose.yaml. Their package brings Perl, so three files of it
# are unpacked, beside the libraries they need, with their licence.
ARG POSTGRES_VERSION=15
RUN set -e; \
    client=postgresql-client-$POSTGRES_VERSION; bin=/usr/lib/postgresql/$POSTGRES_VERSION/bin; \
    apt-get update -qq; \
    apt-get install -y -qq --no-install-recommends libatomic1 libpq5 libreadline8 >/dev/null; \
    cd /tmp; \
    apt-get download -qq -o APT::Sandbox::User=root "$client"; \
    dpkg-deb --fsys-tarfile "$client"_*.deb \
      | tar -x -C / ".$bin/pg_dump" ".$bin/pg_restore" ".$bin/psql" "./usr/share/doc/$client/copyright"; \
    for program in pg_dump pg_restore psql; do "$bin/$program" --version >/dev/null; done; \
    rm -rf /tmp/*.deb /var/lib/apt/lists/* /var/cache/apt/* /var/log/*
RUN groupadd --system --gid 10001 longwave \
 && useradd --system --uid 10001 --gid 10001 --no-create-home --home-dir /nonexistent longwave \
 && install -d -o longwave -g longwave /var/cache/longwave \
 && install -d -o longwave -g longwave -m 700 /var/lib/longwave/secrets /var/lib/longwave/secrets/database /var/lib/longwave/backups \
 && ln -s /opt/longwave/bin/longwave /usr/local/bin/longwave
# What changes rarely comes first, so that an update fetches little.
COPY --from=build /opt/longwave/node /opt/longwave/node
COPY --from=build /opt/longwave/node_modules /opt/longwave/node_modules
COPY --from=build /opt/longwave/LICENSE /opt/longwave/NOTICES /opt/longwave/package.json /opt/longwave/
COPY --from=build /opt/longwave/bin /opt/longwave/bin
COPY --from=build /opt/longwave/web /opt/longwave/web
COPY --from=build /opt/longwave/server /opt/longwave/server
# By number, so that an orchestrator sees that it is not root.
USER 10001:10001
# Every command, compiled: a command then starts in half the time, also on a read-only file system.
ENV NODE_COMPILE_CACHE=/var/cache/longwave
RUN /opt/longwave/node/bin/node -e "import('/opt/longwave/server/src/cli/run-command.ts').then((all) => all.writeUsage())" \
 && longwave config key >/dev/null
EXPOSE 8700
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=10s --start-period=2m --retries=3 CMD ["longwave", "healthcheck"]
ENTRYPOINT ["longwave"]
CMD ["serve"]
ARG VERSION=0.0.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Longwave" \
      org.opencontainers.image.description="An open radio directory for the internet radios people already own" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"

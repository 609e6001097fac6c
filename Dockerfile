# The service, run by Node directly from its sources: there is nothing to build, only dependencies to install.
# The line of Node is that of the package `node` in package-lock.json; a test compares the two.
ARG NODE_IMAGE=node:24-trixie-slim

FROM ${NODE_IMAGE} AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# No package that runs needs an install script.
RUN npm ci --omit=dev --ignore-scripts

FROM ${NODE_IMAGE} AS service
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=3000
WORKDIR /app
# SQLite files, with names of their own for the demo campus and any other, are in ./data.
# Owned by root and not writable for the user below; the volume is the only place that is.
COPY --from=dependencies /app/node_modules ./node_modules
COPY package.json LICENSE ./
COPY src ./src
# `campus` is the command of operators: docker compose exec gateway campus doctor
RUN install -d -m 0700 -o 1000 -g 1000 /app/data && ln -s /app/src/cli/campus.ts /usr/local/bin/campus
# The commit, and its time as RFC 3339: `git log -1 --format=%cI`. The log, the metrics and `campus doctor` say both.
ARG REVISION=unknown
ARG DATE=unknown
ENV BUILD_REVISION=${REVISION} \
    BUILD_DATE=${DATE}
LABEL org.opencontainers.image.title="Campus Gateway" \
      org.opencontainers.image.description="One API for students over the systems of a campus" \
      org.opencontainers.image.version="1.2.0-dev" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.created="${DATE}" \
      org.opencontainers.image.licenses="MIT"
# By number, so that an orchestrator can see that it is not root.
USER 1000:1000
VOLUME ["/app/data"]
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s --retries=3 CMD ["node", "src/cli/health.ts"]
CMD ["node", "--disable-sigusr1", "src/main.ts"]

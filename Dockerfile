# The version of package.json's optional dependencies; docs/operations.md says where its digest comes from.
ARG NODE_IMAGE=node:24.21.0-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY .npmrc package.json package-lock.json ./
RUN --mount=type=cache,target=/root/.npm npm ci
COPY build.ts tsconfig.json ./
COPY patches patches
COPY src src
COPY migrations migrations
COPY views views
# The image has only the parts that are chosen here (docs/operations.md).
ARG PARTS=all
RUN node build.ts --compile

# Everything but PGlite and the font is in the bundle, so that no other package comes into the image.
FROM ${NODE_IMAGE}
ARG VERSION=0.2.0
LABEL org.opencontainers.image.title="Latchkey" \
      org.opencontainers.image.description="An OAuth 2.0 server and scheduling API" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="${VERSION}"
WORKDIR /app
RUN mkdir -m 700 /data && chown 1000:1000 /data && \
    printf '#!/bin/sh\nexec node /app/dist/server.js "$@"\n' >/usr/local/bin/latchkey-server && chmod 755 /usr/local/bin/latchkey-server
COPY package.json LICENSE ./
COPY migrations migrations
COPY views views
COPY --from=build /app/node_modules/@electric-sql/pglite node_modules/@electric-sql/pglite
COPY --from=build /app/node_modules/@fontsource-variable/geist node_modules/@fontsource-variable/geist
COPY --from=build /app/dist dist
# What is alive is about 20 MB, and what a request leaves behind is dead at once. Without limits of its own Node lets the process grow to more
# than 200 MB before it looks, and each of its threads keeps memory of its own (bench/README.md).
ENV NODE_ENV=production \
    NODE_OPTIONS="--max-old-space-size=512 --max-semi-space-size=16 --disable-sigusr1" \
    MALLOC_ARENA_MAX=2 \
    HOST=0.0.0.0 \
    DATA_DIR=/data
USER 1000:1000
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/server.js"]

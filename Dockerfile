# Cuebird with the Node that it pins. The data directory is /var/lib/cuebird.
FROM node:20-bookworm-slim AS build
WORKDIR /cuebird
COPY package.json package-lock.json .npmrc ./
COPY scripts/link-node.js scripts/
RUN npm ci
COPY . .
# Without what only tests need. npm takes the link to the pinned Node away with it.
RUN npm run build && npm prune --omit=dev && node scripts/link-node.js

FROM debian:bookworm-slim
RUN useradd --system --uid 10001 --home-dir /var/lib/cuebird --create-home cuebird
WORKDIR /cuebird
COPY --from=build /cuebird /cuebird
ENV PATH=/cuebird/node_modules/.bin:$PATH NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/var/lib/cuebird
USER cuebird
VOLUME /var/lib/cuebird
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s CMD ["node", "deploy/healthcheck.js"]
ENTRYPOINT ["node", "--import", "./scripts/node-version.js", "src/main.ts"]

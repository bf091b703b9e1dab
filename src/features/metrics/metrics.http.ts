import type { metricsRoutes } from '#contract/metrics.ts';
import type { HandlersOf } from '#platform/handler.ts';
import { InvalidToken, NotFound } from '#platform/errors.ts';
import { isSameSecret } from '#platform/same-secret.ts';

export type MetricsPorts = {
  /** The configured token; undefined where the route is off. */
  token: string | undefined;
  /** The figures of all processes in Prometheus' text format. */
  expose: () => Promise<string>;
};

/** The text format's media type, version 0.0.4 (Prometheus, exposition formats). */
const mediaType = 'text/plain; version=0.0.4; charset=utf-8';

export const metricsHandlers = ({ token, expose }: MetricsPorts): HandlersOf<typeof metricsRoutes> => ({
  async getMetrics({ request }) {
    if (token === undefined) throw new NotFound('route in this API');
    if (!isSameSecret(bearerOf(request) ?? '', token)) throw new InvalidToken('The token is not valid');
    return new Response(await expose(), { headers: { 'content-type': mediaType, 'cache-control': 'no-store' } });
  },
});

const bearerOf = (request: Request): string | null =>
  /^bearer +(\S+) *$/i.exec(request.headers.get('authorization') ?? '')?.[1] ?? null;

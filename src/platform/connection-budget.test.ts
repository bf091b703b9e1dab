import { describe, expect, it } from 'vitest';
import { connectionBounds, poolSizesOf } from '#platform/connection-budget.ts';

describe('the connections of a process', () => {
  it('are divided between its pools, and never exceeded, whatever is set', () => {
    for (let connections: number = connectionBounds.least; connections <= connectionBounds.most; connections += 1) {
      const { app, engine, auth } = poolSizesOf(connections);
      expect(2 * (app + engine + auth) + 4).toBeLessThanOrEqual(connections);
      expect(Math.min(app - 2, engine - 6, auth - 2)).toBeGreaterThanOrEqual(0);
    }
  });

  it('are ten for requests, six for the engine and four for sign-in in each thread, if nothing is set', () => {
    expect(poolSizesOf(connectionBounds.default)).toEqual({ app: 10, engine: 6, auth: 4 });
  });
});

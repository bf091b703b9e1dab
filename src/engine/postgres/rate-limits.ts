import type { Pool } from 'pg';
import type { EngineStore } from '#engine/store.ts';
import * as sql from './rate-limits.sql.ts';

/** The rate slots of rate-limited channels. */
export const rateLimitOperations = (pool: Pool): Pick<EngineStore, 'takeTimes' | 'backOffChannel'> => ({
  async takeTimes({ id, workspaceId, ratePerSecond }, { count, now }) {
    const take = async () =>
      (
        await pool.query<{ first: string; count: number; next: string }>({
          ...sql.takeTimes,
          values: [id, count, ratePerSecond, now.toString()],
        })
      ).rows[0];
    const begin = () => pool.query({ ...sql.beginRateLimit, values: [id, workspaceId, now.toString()] });
    const taken = (await take()) ?? (await begin().then(take));
    // A deleted channel sends nothing more. Its deliveries choose another route as they begin.
    if (taken === undefined) return { first: now, count, next: now };
    return { first: Temporal.Instant.from(taken.first), count: taken.count, next: Temporal.Instant.from(taken.next) };
  },

  async backOffChannel({ id }, until) {
    await pool.query({ ...sql.backOffChannel, values: [id, until.toString()] });
  },
});

import type { Pool } from 'pg';
import type { EngineStore } from '#engine/store.ts';
import * as sql from './paces.sql.ts';

/** The sending times of limited channels. */
export const openPaces = (pool: Pool): Pick<EngineStore, 'takeTimes' | 'holdChannel'> => ({
  async takeTimes({ id, workspaceId, ratePerSecond }, { count, now }) {
    const take = async () =>
      (
        await pool.query<{ first: string; count: number; next: string }>({
          ...sql.takeTimes,
          values: [id, count, ratePerSecond, now.toString()],
        })
      ).rows[0];
    const begin = () => pool.query({ ...sql.beginPace, values: [id, workspaceId, now.toString()] });
    const taken = (await take()) ?? (await begin().then(take));
    // A channel that has been deleted sends nothing more: what was to go over it finds its way anew as it begins.
    if (taken === undefined) return { first: now, count, next: now };
    return { first: Temporal.Instant.from(taken.first), count: taken.count, next: Temporal.Instant.from(taken.next) };
  },

  async holdChannel({ id }, until) {
    await pool.query({ ...sql.holdChannel, values: [id, until.toString()] });
  },
});

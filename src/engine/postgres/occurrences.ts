import type { Pool } from 'pg';
import type { Successor } from '#engine/claimed.ts';
import type { BareReminder, EngineStore } from '#engine/store.ts';
import { plainColumn } from './columns.ts';
import * as sql from './occurrences.sql.ts';
import { tellScreens } from './tell-screens.ts';
import { inOneTransaction } from './transaction.ts';

/** Occurrences to come. */
export const openOccurrences = (pool: Pool): Pick<EngineStore, 'withoutNext' | 'plan'> => ({
  async withoutNext({ after, now, only }) {
    const statement = only === 'paused' ? sql.pausedWithoutNext : sql.everyWithoutNext;
    const { rows } = await pool.query<BareReminder>({ ...statement, values: [now.toString(), after] });
    return rows;
  },

  async plan(successors) {
    if (successors.length === 0) return;
    await inOneTransaction(pool, async (client) => {
      const [, { rowCount }] = await Promise.all([client.query('begin'), client.query(successorStatement(successors))]);
      if (rowCount !== 0) await client.query(tellScreens(successors.map(({ workspaceId }) => workspaceId)));
      await client.query('commit');
    });
  },
});

export const successorStatement = (successors: readonly Successor[]) => ({
  ...sql.insertSuccessors,
  values: [
    plainColumn(successors, (one) => one.workspaceId),
    plainColumn(successors, (one) => one.reminderId),
    successors.map((one) => one.name),
    plainColumn(successors, (one) => one.at),
    plainColumn(successors, (one) => one.maxAttempts),
    plainColumn(successors, (one) => one.revision),
  ],
});

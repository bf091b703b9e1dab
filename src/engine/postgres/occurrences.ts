import type { Pool } from 'pg';
import type { NextOccurrence } from '#engine/claiming/claim-decision.ts';
import type { BareReminder, EngineStore } from '#engine/store.ts';
import { plainColumn, textColumn, uuidColumn } from './columns.ts';
import * as sql from './occurrences.sql.ts';
import { notifyClients } from './notify-clients.ts';
import { onConnection } from '#platform/transaction.ts';

/** Planned occurrences. */
export const occurrenceOperations = (pool: Pool): Pick<EngineStore, 'withoutNext' | 'plan'> => ({
  async withoutNext({ after, now, only }) {
    const statement = only === 'paused' ? sql.pausedWithoutNext : sql.everyWithoutNext;
    const { rows } = await pool.query<BareReminder>({ ...statement, values: [now.toString(), after] });
    return rows;
  },

  async plan(nextOccurrences) {
    if (nextOccurrences.length === 0) return;
    await onConnection(pool, async (client) => {
      const [, { rowCount }] = await Promise.all([
        client.query('begin'),
        client.query(missingOccurrencesStatement(nextOccurrences)),
      ]);
      if (rowCount !== 0) await client.query(notifyClients(nextOccurrences.map(({ workspaceId }) => workspaceId)));
      await client.query('commit');
    });
  },
});

export const nextOccurrencesStatement = (nextOccurrences: readonly NextOccurrence[]) => ({
  ...sql.insertNextOccurrences,
  values: columnsOf(nextOccurrences),
});

export const missingOccurrencesStatement = (nextOccurrences: readonly NextOccurrence[]) => ({
  ...sql.insertMissingOccurrences,
  values: columnsOf(nextOccurrences),
});

const columnsOf = (nextOccurrences: readonly NextOccurrence[]) => [
  uuidColumn(nextOccurrences, (one) => one.workspaceId),
  uuidColumn(nextOccurrences, (one) => one.reminderId),
  textColumn(nextOccurrences, (one) => one.name),
  plainColumn(nextOccurrences, (one) => one.at),
  plainColumn(nextOccurrences, (one) => one.maxAttempts),
  plainColumn(nextOccurrences, (one) => one.revision),
];

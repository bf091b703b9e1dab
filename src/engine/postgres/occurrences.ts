import type { Pool } from 'pg';
import type { NextOccurrence } from '#engine/run/claim-decision.ts';
import type { BareReminder, EngineStore } from '#engine/store.ts';
import { plainColumn, textColumn, uuidColumn } from './columns.ts';
import * as sql from './occurrences.sql.ts';
import { maxUuid } from '#platform/uuid-bounds.ts';
import { notifyClients } from './notify-clients.ts';
import { onConnection } from '#platform/transaction.ts';

/**
 * How many reminders one statement searches, so that its duration does not depend on how many there are. After a pause, the search starts from the
 * paused jobs and returns this many.
 */
const perSlice = 500;

/** Operations on scheduled occurrences. */
export const occurrenceOperations = (pool: Pool): Pick<EngineStore, 'withoutNext' | 'schedule'> => ({
  async withoutNext({ after, now, only }) {
    if (only === 'paused') {
      const values = [now.toString(), after, perSlice];
      const { rows: reminders } = await pool.query<BareReminder>({ ...sql.pausedWithoutNext, values });
      return { reminders, last: reminders.length < perSlice ? null : (reminders.at(-1)?.id ?? null) };
    }
    const { rows: ends } = await pool.query<{ id: string }>({ ...sql.endOfSlice, values: [after, perSlice] });
    const last = ends[0]?.id ?? null;
    const { rows: reminders } = await pool.query<BareReminder>({
      ...sql.everyWithoutNext,
      values: [now.toString(), after, last ?? maxUuid],
    });
    return { reminders, last };
  },

  async schedule(nextOccurrences) {
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

const read: Record<(typeof sql.occurrenceColumns)[number], (all: readonly NextOccurrence[]) => string | Buffer> = {
  workspace_id: (all) => uuidColumn(all, (one) => one.workspaceId),
  reminder_id: (all) => uuidColumn(all, (one) => one.reminderId),
  name: (all) => textColumn(all, (one) => one.name),
  scheduled_for: (all) => plainColumn(all, (one) => one.at),
  max_attempts: (all) => plainColumn(all, (one) => one.maxAttempts),
  revision: (all) => plainColumn(all, (one) => one.revision),
};

const columnsOf = (nextOccurrences: readonly NextOccurrence[]) =>
  sql.occurrenceColumns.map((column) => read[column](nextOccurrences));

import { sql } from 'kysely';
import type { Db } from '#platform/database.ts';

type Of = { workspaceId: string; reminderId: string };

/** A reminder with its hook; without a stored row that is still at its first address and has no secret. */
export const findHook = (db: Db, { workspaceId, reminderId }: Of) =>
  db
    .selectFrom('reminders as r')
    .innerJoin('workspaces as w', 'w.id', 'r.workspace_id')
    .leftJoin('reminder_hooks as h', (join) =>
      join.onRef('h.workspace_id', '=', 'r.workspace_id').onRef('h.reminder_id', '=', 'r.id'),
    )
    .where('r.workspace_id', '=', workspaceId)
    .where('r.id', '=', reminderId)
    .where('r.status', '<>', 'deleted')
    .select([
      'r.id',
      'r.name',
      'r.schedule_config',
      'w.subscription_tier as tier',
      'w.trial_ends_at',
      'w.delete_after',
      'w.suspended_at',
      'w.demo_until',
      'h.sealed_secret',
    ])
    .select(sql<number>`coalesce(h.generation, 0)`.as('generation'))
    .executeTakeFirst();

export type HookRow = Awaited<ReturnType<typeof findHook>> & {};

export const findHooked = (db: Db, { workspaceId, limit }: { workspaceId: string; limit: number }) =>
  db
    .selectFrom('reminders as r')
    .leftJoin('hook_calls as c', (join) =>
      join.onRef('c.workspace_id', '=', 'r.workspace_id').onRef('c.reminder_id', '=', 'r.id'),
    )
    .where('r.workspace_id', '=', workspaceId)
    .where('r.status', '<>', 'deleted')
    .where(sql<boolean>`r.schedule_config ->> 'eventTrigger' = 'custom_webhook'`)
    .groupBy(['r.id', 'r.name'])
    .select(['r.id as reminder_id', 'r.name', ({ fn }) => fn.max('c.received_at').as('last_received_at')])
    .orderBy('last_received_at', (by) => by.desc().nullsLast())
    .orderBy('r.id')
    .limit(limit)
    .execute();

export const raiseGeneration = (db: Db, { workspaceId, reminderId, now }: Of & { now: string }) =>
  db
    .insertInto('reminder_hooks')
    .values({ workspace_id: workspaceId, reminder_id: reminderId, generation: 1, sealed_secret: null, updated_at: now })
    .onConflict((hook) =>
      hook
        .columns(['workspace_id', 'reminder_id'])
        .doUpdateSet({ generation: sql`reminder_hooks.generation + 1`, updated_at: now }),
    )
    .execute();

export const setSecret = (
  db: Db,
  { workspaceId, reminderId, sealedSecret, now }: Of & { sealedSecret: string | null; now: string },
) =>
  db
    .insertInto('reminder_hooks')
    .values({ workspace_id: workspaceId, reminder_id: reminderId, sealed_secret: sealedSecret, updated_at: now })
    .onConflict((hook) =>
      hook.columns(['workspace_id', 'reminder_id']).doUpdateSet({ sealed_secret: sealedSecret, updated_at: now }),
    )
    .execute();

import type { Act, ActorChoice } from '#contract/audit-log.ts';
import { actText } from '#domain/act-text.ts';
import { type ActMatches, findActors, findActs } from '#features/audit-log/audit-log.db.ts';
import { recordAct } from '#platform/audit.ts';
import type { MemberContext } from '#platform/context.ts';
import { type CsvColumns, csvOfPages, csvResponse } from '#platform/csv-stream.ts';
import { decodeCursor } from '#platform/cursor.ts';
import type { Db } from '#platform/database.ts';
import { AfterCommit } from '#platform/handler.ts';
import { pageOf } from '#platform/page.ts';

const rowsAtOnce = 200;
const maxActors = 500;

export type ActsAsked = ActMatches & { limit: number; cursor?: string | undefined };

/** Lists the acts of a workspace, or those that belong to none. */
export async function listActs(
  { db, workspaceId }: { db: Db; workspaceId: string | null },
  { limit, cursor, ...matches }: ActsAsked,
): Promise<{ data: Act[]; next_cursor: string | null }> {
  const found = await findActs(db, { workspaceId, matches, after: decodeCursor(cursor), limit });
  const { data, next_cursor } = pageOf(found, { at: (act) => act.created_at });
  return {
    data: data.map(({ actor_kind: kind, actor_id: id, actor_name: name, actor_email: email, ...act }) => ({
      ...act,
      // An act without an actor but with a client address came from a request, so from somebody who was not signed in.
      actor: { kind: kind === 'system' && act.client_address !== null ? 'stranger' : kind, id, name, email },
      text: actText(act.action, act.details),
    })),
    next_cursor,
  };
}

/** Everybody and every API key in the log, by name. */
export async function listActors({ db, workspaceId }: MemberContext): Promise<ActorChoice[]> {
  const found = await findActors(db, { workspaceId, limit: maxActors });
  return found
    .map(({ id, name, email }) => ({ id, name: name ?? '', email }))
    .toSorted((a, b) => (a.name || a.email || '').localeCompare(b.name || b.email || ''));
}

const columns: CsvColumns<Act> = {
  'At (UTC)': (act) => act.created_at,
  Who: ({ actor }) => actor.name,
  Email: ({ actor }) => actor.email,
  'Kind of actor': ({ actor }) => actor.kind,
  Action: (act) => act.action,
  'In words': (act) => act.text,
  Target: (act) => act.target,
  'From address': (act) => act.client_address,
  Details: (act) => JSON.stringify(act.details),
};

/** The acts that match as CSV, without those after the export began. Each page is read in its own transaction. */
export async function exportActs(ctx: MemberContext, { to, ...matches }: ActMatches): Promise<AfterCommit<Response>> {
  await recordAct(ctx, {
    action: 'export.audit_log',
    target: ctx.workspaceId,
    details: { who: matches.who ?? null, kind: matches.kind ?? null, from: matches.from ?? null, to: to ?? null },
  });
  const end = ctx.now.toString();
  const until = to === undefined || Date.parse(end) < Date.parse(to) ? end : to;
  return new AfterCommit(async (again) =>
    csvResponse({
      name: `audit-log-${end.slice(0, 10)}.csv`,
      ...csvOfPages(columns, (cursor) =>
        again((db) => listActs({ ...ctx, db }, { ...matches, to: until, limit: rowsAtOnce, cursor })),
      ),
    }),
  );
}

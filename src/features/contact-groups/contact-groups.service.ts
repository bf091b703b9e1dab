import { randomUUIDv7 } from 'node:crypto';
import { type ContactGroup, type GroupInput, groupLimits, type GroupRule } from '#contract/contact-groups.ts';
import * as rows from '#features/contact-groups/contact-groups.db.ts';
import { announce } from '#platform/changes.ts';
import { personOf, type TenantContext } from '#platform/context.ts';
import { Conflict, NotFound, refusedAt, Unprocessable } from '#platform/errors.ts';

const shownUses = 50;

export const listGroups = ({ db, workspaceId }: TenantContext): Promise<ContactGroup[]> =>
  rows.findGroups(db, { workspaceId });

/** How many people each group has now, and how many reminders are sent to it. */
export const countGroups = ({ db, workspaceId }: TenantContext) => rows.countOfEach(db, { workspaceId });

export async function createGroup(ctx: TenantContext, written: GroupInput): Promise<ContactGroup> {
  const { db, workspaceId } = ctx;
  const input = trimmed(written);
  await rows.lockGroups(db, ctx);
  if ((await rows.countGroups(db, ctx)) >= groupLimits.perWorkspace)
    throw new Unprocessable(`A workspace has at most ${groupLimits.perWorkspace} groups`);
  await assertFree(ctx, { name: input.name, except: null });
  await assertFewSearches(ctx, { rule: input.rule, except: null });
  const id = randomUUIDv7();
  await rows.insertGroup(db, { workspaceId, id, createdBy: personOf(ctx.actor), now: ctx.now.toString(), input });
  await announce(ctx, ['contact_groups']);
  const created = await rows.findGroup(db, { workspaceId, id });
  if (created === undefined) throw new Error('a group that was just written is not there');
  return created;
}

export async function updateGroup(
  ctx: TenantContext,
  { id, input: written }: { id: string; input: GroupInput },
): Promise<ContactGroup> {
  const { db, workspaceId } = ctx;
  const input = trimmed(written);
  await rows.lockGroups(db, ctx);
  await assertFree(ctx, { name: input.name, except: id });
  await assertFewSearches(ctx, { rule: input.rule, except: id });
  const updated = await rows.replaceGroup(db, { workspaceId, id, now: ctx.now.toString(), input });
  if (updated === undefined) throw new NotFound('group');
  await announce(ctx, ['contact_groups']);
  return updated;
}

/** Deletes a group. Its contacts stay. */
export async function deleteGroup(ctx: TenantContext, id: string): Promise<void> {
  const deleted = await rows.deleteGroup(ctx.db, { workspaceId: ctx.workspaceId, id });
  if (deleted.numDeletedRows === 0n) throw new NotFound('group');
  await announce(ctx, ['contact_groups']);
}

export async function listUses(ctx: TenantContext, id: string) {
  const of = { workspaceId: ctx.workspaceId, id };
  if ((await rows.findGroup(ctx.db, of)) === undefined) throw new NotFound('group');
  return rows.findUses(ctx.db, { ...of, limit: shownUses });
}

const searchesIn = ({ conditions }: GroupRule): number => conditions.filter(({ test }) => test === 'contains').length;

/** Limits the `contains` conditions of all groups of a workspace: each reads every value to its end, which no index makes cheaper. */
async function assertFewSearches(
  ctx: TenantContext,
  { rule, except }: { rule: GroupRule; except: string | null },
): Promise<void> {
  const own = searchesIn(rule);
  if (own === 0) return;
  const others = (await listGroups(ctx)).filter(({ id }) => id !== except);
  const most = groupLimits.containsPerWorkspace;
  if (others.reduce((sum, group) => sum + searchesIn(group.rule), own) <= most) return;
  const message = `The groups of a workspace have at most ${most} conditions with “contains”`;
  const at = rule.conditions.findIndex(({ test }) => test === 'contains');
  throw refusedAt(`rule.conditions.${at}.value`, message);
}

const trimmed = (input: GroupInput): GroupInput => ({ ...input, name: input.name.trim() });

async function assertFree(
  { db, workspaceId }: TenantContext,
  { name, except }: { name: string; except: string | null },
): Promise<void> {
  const holder = await rows.findNamed(db, { workspaceId, name });
  if (holder === undefined || holder.id === except) return;
  const message = `There is a group with the name ${holder.name} already`;
  throw new Conflict(message, [{ path: 'name', message }]);
}

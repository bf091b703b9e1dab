import { randomUUIDv7 } from 'node:crypto';
import {
  onlyOptionalDefault,
  type Topic,
  type TopicChanges,
  type TopicInput,
  type TopicKind,
  topicLimits,
} from '#contract/topics.ts';
import * as rows from '#features/topics/topics.db.ts';
import { recordAct } from '#platform/audit.ts';
import { announce } from '#platform/changes.ts';
import type { TenantContext } from '#platform/context.ts';
import { Invalid, NotFound, refusedAt, Unprocessable } from '#platform/errors.ts';

export const listTopics = (ctx: TenantContext): Promise<Topic[]> => rows.findTopics(ctx.db, ctx);

/** Adds a topic. Throws Unprocessable where the workspace has as many as it can have. */
export async function createTopic(ctx: TenantContext, input: TopicInput): Promise<Topic> {
  const { db, workspaceId } = ctx;
  const name = input.name.trim();
  const { all, unarchived } = await rows.lockTopics(db, { workspaceId });
  if (all >= topicLimits.perWorkspace)
    throw new Unprocessable(
      `A workspace can have ${topicLimits.perWorkspace} topics at most, with the archived ones: restore one of those`,
    );
  assertBelowLimit(unarchived);
  await assertFreeName(ctx, { name });
  const now = ctx.now.toString();
  if (input.is_default) await rows.removeDefault(db, { workspaceId, now });
  const id = randomUUIDv7();
  await rows.insertTopic(db, { workspaceId, id, now, fields: { ...input, name, archived_at: null } });
  await recordAct(ctx, { action: 'topic.created', target: id, details: { name, kind: input.kind } });
  await announce(ctx, ['topics']);
  return mustFind(ctx, id);
}

/** Changes a topic. An optional one never becomes required, and an archived one is not proposed. */
export async function updateTopic(
  ctx: TenantContext,
  { id, changes }: { id: string; changes: TopicChanges },
): Promise<Topic> {
  const { db, workspaceId } = ctx;
  const { unarchived } = await rows.lockTopics(db, { workspaceId });
  const before = await mustFind(ctx, id);
  const { is_archived: isArchived = before.archived_at !== null, ...fields } = changes;
  const kind = fields.kind ?? before.kind;
  const name = fields.name?.trim() ?? before.name;
  const archivedAt = isArchived ? (before.archived_at ?? ctx.now.toString()) : null;
  const why = kind === 'optional' ? null : (fields.why ?? before.why);
  const isDefault = (fields.is_default ?? before.is_default) && !(isArchived && fields.is_default === undefined);
  if (fields.why !== undefined && kind === 'optional') throw refusedAt('why', 'Only a required topic has a reason');
  if (isDefault && kind === 'required') throw refusedAt('is_default', onlyOptionalDefault);
  if (isDefault && isArchived) throw refusedAt('is_default', 'An archived topic cannot be proposed');
  if (!isArchived) {
    if (before.archived_at !== null) assertBelowLimit(unarchived);
    await assertFreeName(ctx, { name, except: id });
  }
  const now = ctx.now.toString();
  if (isDefault && !before.is_default) await rows.removeDefault(db, { workspaceId, now });
  const after = { name, kind, why, is_default: isDefault, archived_at: archivedAt };
  await rows.updateTopic(db, { workspaceId, id, now, fields: after });
  await recordChanges(ctx, { before, after });
  await announce(ctx, ['topics']);
  return mustFind(ctx, id);
}

/** The kind of each topic, by its id. */
export const topicKinds = async ({ db, workspaceId }: TenantContext): Promise<ReadonlyMap<string, TopicKind>> =>
  new Map((await rows.findKinds(db, { workspaceId })).map(({ id, kind }) => [id, kind]));

/** What people get in any case: the topics that they cannot leave, by name, and why. */
export const requiredTopics = ({ db, workspaceId }: Pick<TenantContext, 'db' | 'workspaceId'>) =>
  rows.findRequired(db, { workspaceId });

/** What people can leave: the optional topics, by name, archived ones too. */
export const optionalTopics = ({ db, workspaceId }: Pick<TenantContext, 'db' | 'workspaceId'>) =>
  rows.findOptional(db, { workspaceId });

/** A topic's name, kind and reason; undefined where the workspace has none with this id. */
export const findTopicState = ({ db, workspaceId }: Pick<TenantContext, 'db' | 'workspaceId'>, id: string) =>
  rows.findState(db, { workspaceId, id });

/** Refuses a topic that this workspace does not have, or that was archived unless it was the one before. */
export async function assertTopic(
  { db, workspaceId }: TenantContext,
  {
    topicId,
    before,
    path = 'content.topic_id',
  }: { topicId: string | undefined; before?: string | undefined; path?: string },
): Promise<void> {
  if (topicId === undefined || topicId === before) return;
  const found = await rows.findState(db, { workspaceId, id: topicId });
  if (found === undefined) throw new Invalid([{ path, message: 'There is no such topic in this workspace' }]);
  if (found.archived_at !== null)
    throw new Invalid([{ path, message: `The topic ${found.name} is archived: choose another one` }]);
}

type Fields = Pick<Topic, 'name' | 'kind' | 'why' | 'is_default' | 'archived_at'>;

/** One act for each kind of change: what people cannot leave, and until when they could, is found in the audit log. */
async function recordChanges(ctx: TenantContext, { before, after }: { before: Topic; after: Fields }): Promise<void> {
  const { name } = after;
  const act = { target: before.id, details: { name } } as const;
  const fields = [
    ...(before.name === name ? [] : ['name']),
    ...(before.kind === after.kind && before.why !== after.why ? ['reason'] : []),
    ...(before.is_default === after.is_default ? [] : ['default']),
  ];
  if (before.kind !== after.kind) await recordAct(ctx, { ...act, action: 'topic.made_optional' });
  if (fields.length > 0)
    await recordAct(ctx, { ...act, action: 'topic.changed', details: { name, fields: fields.join(', ') } });
  if ((before.archived_at === null) === (after.archived_at === null)) return;
  await recordAct(ctx, { ...act, action: after.archived_at === null ? 'topic.restored' : 'topic.archived' });
}

function assertBelowLimit(unarchived: number): void {
  if (unarchived >= topicLimits.unarchived)
    throw new Unprocessable(
      `A workspace can have ${topicLimits.unarchived} topics at most that are not archived: archive one first`,
    );
}

async function assertFreeName(
  { db, workspaceId }: TenantContext,
  { name, except }: { name: string; except?: string },
): Promise<void> {
  const taken = await rows.findNamed(db, { workspaceId, name });
  if (taken !== null && taken !== except) throw refusedAt('name', `There is a topic ${name} already`);
}

async function mustFind(ctx: TenantContext, id: string): Promise<Topic> {
  const found = await rows.findTopic(ctx.db, { workspaceId: ctx.workspaceId, id });
  if (found === undefined) throw new NotFound('topic');
  return found;
}

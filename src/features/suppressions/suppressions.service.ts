import type { z } from 'zod';
import type { ChannelType } from '#contract/channel-types.ts';
import {
  type Coverage,
  coverages,
  type Suppression,
  type SuppressionChanges,
  type SuppressionInput,
  type suppressionRoutes,
} from '#contract/suppressions.ts';
import { e164, notANumber } from '#delivery/phone.ts';
import { type About, mayBeSent } from '#domain/may-be-sent.ts';
import type { ListAnswer } from '#domain/reach.ts';
import { parseRecipient, recipientKey } from '#domain/recipients.ts';
import { diallingOf } from '#features/contacts/dialling.service.ts';
import * as rows from '#features/suppressions/suppressions.db.ts';
import { findTopicState } from '#features/topics/topics.service.ts';
import { recordAct } from '#platform/audit.ts';
import { announce } from '#platform/changes.ts';
import { personOf, type TenantContext } from '#platform/context.ts';
import { decodeCursor } from '#platform/cursor.ts';
import { Conflict, Invalid, NotFound, refusedAt, Unprocessable } from '#platform/errors.ts';
import { mapInSlices } from '#platform/in-slices.ts';
import { pageOf } from '#platform/page.ts';

export async function listSuppressions(
  ctx: TenantContext,
  query: z.output<typeof suppressionRoutes.listSuppressions.query>,
) {
  const { workspaceId } = ctx;
  const found = await rows.findSuppressions(ctx.db, { ...query, workspaceId, after: decodeCursor(query.cursor) });
  return pageOf(found, { at: (row) => row.created_at });
}

/** The entries for a person's address and number, newest first. */
export const suppressionsOf = (
  { db, workspaceId }: TenantContext,
  recipients: readonly string[],
): Promise<Suppression[]> => rows.findSuppressionsOf(db, { workspaceId, recipients });

type Addressee = { channel: ChannelType; recipient: string };

/** What the list says of a message to each of these recipients now. */
export async function askList(
  { db, workspaceId }: TenantContext,
  { about, targets }: { about: About; targets: readonly Addressee[] },
): Promise<(target: Addressee) => ListAnswer> {
  if (!(await rows.hasAny(db, { workspaceId }))) return () => nothing;
  const keyed = await mapInSlices(targets, ({ channel, recipient }) => ({ channel, key: recipientKey(recipient) }));
  const found = await rows.findListed(db, {
    workspaceId,
    channels: keyed.map(({ channel }) => channel),
    recipients: keyed.map(({ key }) => key),
  });
  const answers = new Map<string, ListAnswer>();
  for (const [key, entries] of Map.groupBy(found, ({ channel, recipient }) => `${channel} ${recipient}`)) {
    const verdict = mayBeSent(about, entries);
    // Of several entries the widest is the reason, as it is in the ledger.
    const [widest] = entries.toSorted((a, b) => coverages.indexOf(a.covers) - coverages.indexOf(b.covers));
    const skip = verdict.kind === 'skip' && widest !== undefined ? { ...verdict, reason: widest.reason } : null;
    answers.set(key, { skip, hasLeft: entries.some(({ covers }) => covers !== 'everything') });
  }
  return ({ channel, recipient }) =>
    answers.size === 0 ? nothing : (answers.get(`${channel} ${recipientKey(recipient)}`) ?? nothing);
}

const nothing: ListAnswer = { skip: null, hasLeft: false };

/** Adds a recipient, to whom what the entry covers is not sent from the next attempt on. Throws Conflict when the list says that already. */
export async function addSuppression(
  ctx: TenantContext,
  input: z.output<typeof SuppressionInput>,
): Promise<Suppression> {
  const { channel, covers, topic_id: topicId = null } = input;
  const { db, workspaceId } = ctx;
  const recipient = await keyOf(ctx, input);
  const createdBy = personOf(ctx.actor);
  const coverage = await coverageOf(ctx, { covers, topicId });
  const id = await rows.insertSuppression(db, {
    workspaceId,
    channel,
    recipient,
    covers,
    topicId,
    createdBy,
    now: ctx.now.toString(),
  });
  if (id === null) throw new Conflict(`${recipient} is on the list already`, [alreadyThere]);
  await recordAct(ctx, { action: 'suppression.added', target: id, details: { channel, recipient, ...coverage } });
  await announce(ctx, ['suppressions', 'topics']);
  return mustFind(ctx, id);
}

/** Narrows an entry for everything that a person or a member made: nobody falls silent by it, and whoever stopped, bounced or complained stays so. */
export async function narrowSuppression(
  ctx: TenantContext,
  { id, to }: { id: string; to: z.output<typeof SuppressionChanges> },
): Promise<Suppression> {
  const { db, workspaceId } = ctx;
  const { covers, topic_id: topicId = null } = to;
  const { channel, recipient } = await mustFind(ctx, id);
  const coverage = await coverageOf(ctx, { covers, topicId });
  const narrowed = await rows.narrowEntry(db, { workspaceId, id, covers, topicId });
  if (narrowed === 'exists')
    throw new Conflict(`${recipient} has an entry for this already: remove the one for everything instead`);
  if (narrowed === 'not_allowed')
    throw new Unprocessable(
      'Only an entry for everything of somebody who unsubscribed, or whom a member added, can be narrowed',
    );
  await recordAct(ctx, {
    action: 'suppression.narrowed',
    target: id,
    details: { channel, recipient, covers: '', ...coverage },
  });
  await announce(ctx, ['suppressions', 'topics']);
  return mustFind(ctx, id);
}

/** Removes a recipient from the list: messages are sent again. */
export async function removeSuppression(ctx: TenantContext, id: string): Promise<void> {
  const { channel, recipient, reason, covers, topic_name: topic } = await mustFind(ctx, id);
  const { db, workspaceId } = ctx;
  await rows.deleteSuppression(db, { workspaceId, id });
  await recordAct(ctx, {
    action: 'suppression.removed',
    target: id,
    details: { channel, recipient, reason, ...coveredIn({ covers, topic }) },
  });
  await announce(ctx, ['suppressions', 'topics']);
}

/** As `coveredIn`. Refuses a topic that the workspace does not have, or that nobody can leave. */
async function coverageOf(
  ctx: TenantContext,
  { covers, topicId }: { covers: Coverage; topicId: string | null },
): Promise<{ covers?: string }> {
  if (topicId === null) return coveredIn({ covers, topic: null });
  const topic = await findTopicState(ctx, topicId);
  if (topic === undefined)
    throw new Invalid([{ path: 'topic_id', message: 'There is no such topic in this workspace' }]);
  if (topic.kind === 'required')
    throw refusedAt(
      'topic_id',
      `The topic ${topic.name} is required: only an entry for everything keeps its messages back`,
    );
  return coveredIn({ covers, topic: topic.name });
}

/** What an entry covers, as its act says it: nothing where it covers everything. */
const coveredIn = ({ covers, topic }: { covers: Coverage; topic: string | null }): { covers?: string } =>
  covers === 'everything' ? {} : { covers: covers === 'optional' ? 'all optional topics' : `the topic ${topic}` };

const alreadyThere = { path: 'recipient', message: 'is on the list already' };

async function mustFind(ctx: TenantContext, id: string): Promise<Suppression> {
  const row = await rows.findSuppression(ctx.db, { workspaceId: ctx.workspaceId, id });
  if (row === undefined) throw new NotFound('entry of the suppression list');
  return row;
}

/** The key by which the engine compares recipients. */
async function keyOf(
  ctx: TenantContext,
  { channel, recipient, default_country: country }: z.output<typeof SuppressionInput>,
): Promise<string> {
  const { kind, address } = parseRecipient(recipient);
  if (isDialled(channel)) {
    const dialling = await diallingOf(ctx, { country, channel });
    const number = kind === 'phone' ? e164(address, dialling) : null;
    if (number === null) throw new Invalid([{ path: 'recipient', message: notANumber(recipient.trim()) }]);
    return number;
  }
  if (channel === 'email' && kind !== 'email')
    throw new Invalid([{ path: 'recipient', message: 'is not an email address, such as anna@example.com' }]);
  if (kind === 'other')
    throw new Invalid([{ path: 'recipient', message: 'is neither a URL, an email address nor a phone number' }]);
  return recipientKey(recipient);
}

const isDialled = (channel: ChannelType): channel is 'sms' | 'whatsapp' => channel === 'sms' || channel === 'whatsapp';

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
import { maskedAddress } from '#domain/masked-address.ts';
import { type About, isInForce, mayBeSent, noTopic } from '#domain/may-be-sent.ts';
import type { ListAnswer } from '#domain/reach.ts';
import { recipientKey } from '#domain/recipients.ts';
import { recordChoices, removeEntries } from '#features/consents/choices.service.ts';
import { consentsTo } from '#features/consents/required-consent.service.ts';
import { listedKeys } from '#features/erasures/erased-keys.service.ts';
import { createDial, recipientKeyOf } from '#features/suppressions/recipient-key.service.ts';
import * as rows from '#features/suppressions/suppressions.db.ts';
import { findTopicState } from '#features/topics/topics.service.ts';
import { recordAct } from '#platform/audit.ts';
import { personOf, type TenantContext } from '#platform/context.ts';
import { decodeCursor } from '#platform/cursor.ts';
import { Conflict, Invalid, NotFound, refusedAt, Unprocessable } from '#platform/errors.ts';
import { mapInSlices } from '#platform/in-slices.ts';
import { pageOf } from '#platform/page.ts';
import type { SecretBox } from '#platform/secrets.ts';

export async function listSuppressions(
  ctx: TenantContext,
  query: z.output<typeof suppressionRoutes.listSuppressions.query>,
) {
  const { workspaceId } = ctx;
  const found = await rows.findSuppressions(ctx.db, {
    ...query,
    workspaceId,
    now: ctx.now.toString(),
    after: decodeCursor(query.cursor),
  });
  return pageOf(found, { at: (row) => row.created_at });
}

type Ports = { secrets: SecretBox };

/** The entries for a person's address and number, newest first. */
export async function suppressionsOf(
  { db, workspaceId, now }: TenantContext,
  { recipients, secrets }: Ports & { recipients: readonly string[] },
): Promise<Suppression[]> {
  const keys = await listedKeys({ db, workspaceId, secrets }, recipients);
  const found = await rows.findSuppressionsOf(db, { workspaceId, now: now.toString(), recipients: [...keys.keys()] });
  return found.map((entry) => ({ ...entry, recipient: keys.get(entry.recipient) ?? entry.recipient }));
}

/** The entries of these recipients, given by their keys, that are their own word, or that of a member, or an erasure: not a mailbox that does not exist. */
export async function refusalsAmong(
  { db, workspaceId }: TenantContext,
  { targets, secrets }: Ports & { targets: readonly Addressee[] },
): Promise<rows.ListEntry[]> {
  if (targets.length === 0 || !(await rows.hasAny(db, { workspaceId }))) return [];
  const channels = Map.groupBy(targets, ({ recipient }) => recipient);
  const keys = await listedKeys({ db, workspaceId, secrets }, [...channels.keys()]);
  const asked = [...keys].flatMap(([listed, key]) =>
    (channels.get(key) ?? []).map(({ channel }) => ({ channel, listed })),
  );
  const found = await rows.findListed(db, {
    workspaceId,
    channels: asked.map(({ channel }) => channel),
    recipients: asked.map(({ listed }) => listed),
  });
  return found
    .filter(({ reason }) => reason !== 'bounced' && reason !== 'paused')
    .map((entry) => ({ ...entry, recipient: keys.get(entry.recipient) ?? entry.recipient }));
}

type Addressee = { channel: ChannelType; recipient: string };

/** What the list, and what was agreed to, say of a message to each of these recipients now. */
export async function askList(
  ctx: Pick<TenantContext, 'db' | 'workspaceId' | 'now'>,
  { about, targets, secrets }: Ports & { about: About; targets: readonly Addressee[] },
): Promise<(target: Addressee) => ListAnswer> {
  const { db, workspaceId, now } = ctx;
  const nowMs = now.epochMilliseconds;
  const hasAny = await rows.hasAny(db, { workspaceId });
  const consents = await consentsTo(ctx, { topicId: about.topicId, targets });
  if (!hasAny && consents.size === 0) return () => nothing;
  const keyed = await mapInSlices(targets, ({ channel, recipient }) => ({ channel, key: recipientKey(recipient) }));
  const keys = await listedKeys({ db, workspaceId, secrets }, [...new Set(keyed.map(({ key }) => key))]);
  const listedAs = Map.groupBy(keys, ([, key]) => key);
  const asked = keyed.flatMap(({ channel, key }) =>
    (listedAs.get(key) ?? []).map(([recipient]) => ({ channel, recipient })),
  );
  const found = await rows.findListed(db, {
    workspaceId,
    channels: asked.map(({ channel }) => channel),
    recipients: asked.map(({ recipient }) => recipient),
  });
  const inForce = found.filter((entry) => isInForce(entry, nowMs));
  const keyOf = ({ channel, recipient }: Addressee) => `${channel} ${keys.get(recipient) ?? recipient}`;
  const listed = Map.groupBy(inForce, keyOf);
  const answers = new Map<string, ListAnswer>();
  for (const key of new Set([...listed.keys(), ...consents.keys()])) {
    const entries = listed.get(key) ?? [];
    const verdict = mayBeSent(about, { entries, consent: consents.get(key) ?? 'not_needed', nowMs });
    // Of several entries the widest is the reason, as it is in the ledger.
    const [widest] = entries.toSorted((a, b) => coverages.indexOf(a.covers) - coverages.indexOf(b.covers));
    const skip = verdict.kind === 'skip' ? { ...verdict, reason: widest?.reason ?? null } : null;
    answers.set(key, { skip, hasLeft: entries.some(({ covers }) => covers !== 'everything') });
  }
  return ({ channel, recipient }) =>
    answers.size === 0 ? nothing : (answers.get(`${channel} ${recipientKey(recipient)}`) ?? nothing);
}

const nothing: ListAnswer = { skip: null, hasLeft: false };

/** Whether the list keeps reports from these addresses: a report has no topic, so who left all optional ones gets none. */
export async function askReports(
  of: Parameters<typeof askList>[0],
  { addresses, secrets }: Ports & { addresses: readonly string[] },
): Promise<(address: string) => boolean> {
  const asTarget = (recipient: string): Addressee => ({ channel: 'email', recipient });
  const listed = await askList(of, { about: noTopic, targets: addresses.map(asTarget), secrets });
  return (address) => listed(asTarget(address)).skip !== null;
}

/** Adds a recipient, to whom what the entry covers is not sent from the next attempt on. Throws Conflict when the list says that already. */
export async function addSuppression(
  ctx: TenantContext,
  input: z.output<typeof SuppressionInput>,
  { secrets }: Ports,
): Promise<Suppression> {
  const { channel, covers, topic_id: topicId = null } = input;
  const { db, workspaceId } = ctx;
  const recipient = await recipientKeyOf(input, { dial: createDial(ctx) });
  const coverage = await coverageOf(ctx, { covers, topicId });
  const alreadyListed = new Conflict(`${recipient} is on the list already`, [alreadyThere]);
  const recipients = [...(await listedKeys({ db, workspaceId, secrets }, [recipient])).keys()];
  if (await rows.isSuppressed(db, { workspaceId, channel, recipients })) throw alreadyListed;
  const [written] = await recordChoices(recordingOf(ctx), [
    {
      channel,
      recipient,
      covers,
      topicId,
      entry: { reason: 'manual', createdBy: personOf(ctx.actor) },
      said: { kind: 'withdrawn', method: methodOf(ctx) },
    },
  ]);
  const id = written?.entryId ?? null;
  if (id === null) throw alreadyListed;
  await recordAct(ctx, {
    action: 'suppression.added',
    target: id,
    details: { channel, recipient: maskedAddress(recipient), ...coverage },
  });
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
    details: { channel, recipient: maskedAddress(recipient), covers: '', ...coverage },
  });
  const said = { kind: 'lifted', method: methodOf(ctx), source: { narrowed_to: coverage.covers ?? '' } } as const;
  await recordChoices(recordingOf(ctx), [
    { channel, recipient, covers: 'everything', topicId: null, said, entry: null },
  ]);
  return mustFind(ctx, id);
}

/** Removes a recipient from the list: messages are sent again. */
export async function removeSuppression(ctx: TenantContext, id: string): Promise<void> {
  const { channel, recipient, reason, covers, topic_name: topic } = await mustFind(ctx, id);
  const said = { kind: 'lifted', method: methodOf(ctx) } as const;
  await removeEntries(recordingOf(ctx), { channel, recipients: [recipient], id, said });
  await recordAct(ctx, {
    action: 'suppression.removed',
    target: id,
    details: { channel, recipient: maskedAddress(recipient), reason, ...coveredIn({ covers, topic }) },
  });
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
  const { db, workspaceId, now } = ctx;
  const row = await rows.findSuppression(db, { workspaceId, now: now.toString(), id });
  if (row === undefined) throw new NotFound('entry of the suppression list');
  return row;
}

const recordingOf = ({ db, workspaceId, actor, now }: TenantContext) => ({
  db,
  workspaceId,
  actor,
  now: now.toString(),
});

/** A program says what it was told; so does a member. */
const methodOf = ({ actor }: TenantContext) => (actor.kind === 'user' ? 'member' : 'api');

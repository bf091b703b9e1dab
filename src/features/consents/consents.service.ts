import type { z } from 'zod';
import {
  type Consent,
  type ConsentCount,
  type ConsentInput,
  consentLimits,
  type ConsentProof,
  type consentRoutes,
} from '#contract/consents.ts';
import { maskedAddress } from '#domain/masked-address.ts';
import { standingOf } from '#domain/newest-consent.ts';
import { recipientKey } from '#domain/recipients.ts';
import * as rows from '#features/consents/consents.db.ts';
import { type Choice, recordChoices } from '#features/consents/choices.service.ts';
import { wordsOf } from '#features/consents/required-consent.service.ts';
import { erasedAmong } from '#features/erasures/erased-keys.service.ts';
import { suppressionsOf } from '#features/suppressions/suppressions.service.ts';
import { createDial, recipientKeyOf } from '#features/suppressions/recipient-key.service.ts';
import { getContact } from '#features/contacts/contacts.service.ts';
import { keysOf } from '#features/contacts/spellings.service.ts';
import { topicKinds } from '#features/topics/topics.service.ts';
import { recordAct } from '#platform/audit.ts';
import { personOf, type TenantContext } from '#platform/context.ts';
import { decodeCursor } from '#platform/cursor.ts';
import { Invalid } from '#platform/errors.ts';
import { pageOf } from '#platform/page.ts';
import type { SecretBox } from '#platform/secrets.ts';

type ConsentPage = { data: Consent[]; next_cursor: string | null };

/** A page of the record of consents, what was written down last first. */
export async function listConsents(
  { db, workspaceId }: TenantContext,
  { cursor, recipient, ...query }: z.output<typeof consentRoutes.listConsents.query>,
): Promise<ConsentPage> {
  const found = await rows.findConsents(db, {
    ...query,
    ...(recipient !== undefined && { recipient: recipientKey(recipient) }),
    workspaceId,
    after: decodeCursor(cursor),
  });
  return pageOf(found, { at: (row) => row.created_at });
}

/** A page of what a contact said at its address and its number, newest first. Throws NotFound. */
export async function listContactConsents(
  ctx: TenantContext,
  { id, limit, cursor }: { id: string; limit: number; cursor?: string | undefined },
): Promise<ConsentPage> {
  const { db, workspaceId } = ctx;
  const recipients = keysOf(await getContact(ctx, id));
  const found = await rows.findConsentsOf(db, { workspaceId, recipients, limit, after: decodeCursor(cursor) });
  return pageOf(found, { at: (row) => row.said_at });
}

/** What proves the consent of an address or number: all words, those that count now, and what the suppression list says. */
export async function proveConsent(
  ctx: TenantContext,
  { channel, recipient }: z.output<typeof consentRoutes.getConsentProof.query>,
  { secrets }: { secrets: SecretBox },
): Promise<ConsentProof> {
  const { db, workspaceId, now } = ctx;
  const key = await recipientKeyOf(
    { channel, recipient: recipient.trim() },
    { dial: createDial(ctx), path: 'recipient' },
  );
  const found = await rows.findWords(db, { workspaceId, channel, recipient: key, limit: consentLimits.proof + 1 });
  const newest = await wordsOf(ctx, [key]);
  const entries = await suppressionsOf(ctx, { recipients: [key], secrets });
  return {
    sender: await rows.findSender(db, { workspaceId }),
    channel,
    recipient: key,
    read_at: now.toString({ smallestUnit: 'millisecond' }),
    standing: standingOf(newest.filter((word) => word.channel === channel)).map(({ id }) => id),
    suppressions: entries.filter((entry) => entry.channel === channel),
    words: found.slice(0, consentLimits.proof),
    is_complete: found.length <= consentLimits.proof,
  };
}

/** How many numbers of contacts have agreed to messages over each channel that can require it. */
export const countConsents = ({ db, workspaceId }: TenantContext): Promise<ConsentCount[]> =>
  rows.countConsents(db, { workspaceId });

type Recorded = { id: string; result: 'recorded' | 'known' };

/**
 * Records what people said, with an entry of the suppression list for each withdrawal. A consent ends no entry: who left says so themselves. Throws Invalid
 * for what lies ahead, for a member who does not say how they were told, and for somebody who was erased: then nothing is written.
 */
export async function recordConsents(
  ctx: TenantContext,
  { inputs, secrets }: { inputs: readonly ConsentInput[]; secrets: SecretBox },
): Promise<Recorded[]> {
  const { db, workspaceId, actor, now } = ctx;
  const kinds = inputs.some(({ topic_id: id }) => id !== undefined) ? await topicKinds(ctx) : new Map();
  const dial = createDial(ctx);
  const choices: Choice[] = [];
  for (const [n, input] of inputs.entries()) {
    const at = (field: string) => `consents.${n}.${field}`;
    assertMethod(ctx, { input, at });
    if (input.topic_id !== undefined) assertTopicOf(kinds.get(input.topic_id), { input, at });
    const recipient = await recipientKeyOf(input, { dial, path: at('recipient') });
    choices.push(choiceOf(ctx, { input, recipient }));
  }
  await assertNotErased(ctx, { choices, secrets });
  const written = await recordChoices({ db, workspaceId, actor, now: now.toString() }, choices);
  await recordActs(
    ctx,
    choices.filter((_, n) => written[n]?.isNews),
  );
  return written.flatMap(({ wordId, isNews }) =>
    wordId === null ? [] : { id: wordId, result: isNews ? 'recorded' : 'known' },
  );
}

/** What somebody says who was erased is not stored. */
async function assertNotErased(
  { db, workspaceId }: TenantContext,
  { choices, secrets }: { choices: readonly Choice[]; secrets: SecretBox },
): Promise<void> {
  const erased = new Map<string, ReadonlySet<string>>();
  for (const [channel, of] of Map.groupBy(choices, (choice) => choice.channel))
    erased.set(
      channel,
      await erasedAmong({ db, workspaceId, secrets }, { channel, keys: of.map((one) => one.recipient) }),
    );
  const problems = choices.flatMap(({ channel, recipient }, n) =>
    erased.get(channel)?.has(recipient) === true
      ? [{ path: `consents.${n}.recipient`, message: 'This person was erased: nothing that they say is stored' }]
      : [],
  );
  if (problems.length > 0) throw new Invalid(problems);
}

function choiceOf({ actor }: TenantContext, { input, recipient }: { input: ConsentInput; recipient: string }): Choice {
  const { channel, kind, covers, topic_id: topicId = null, text, said_at: at, how, form } = input;
  const client = input.client_address;
  const source = {
    ...(how !== undefined && { how }),
    ...(form !== undefined && { form }),
    ...(client !== undefined && { client_address: client }),
  };
  return {
    channel,
    recipient,
    covers,
    topicId,
    entry: kind === 'withdrawn' ? { reason: 'manual', createdBy: personOf(actor) } : null,
    said: {
      kind,
      method: actor.kind === 'user' ? 'member' : 'api',
      ...(text !== undefined && { text: text.trim() }),
      source,
      // Without a time of its own it was said now, and is another word each time.
      ...(at !== undefined && { at, isOnce: true }),
    },
  };
}

type Checked = { input: ConsentInput; at: (field: string) => string };

function assertMethod({ actor, now }: TenantContext, { input, at }: Checked): void {
  if (actor.kind === 'user' && input.how === undefined)
    throw new Invalid([{ path: at('how'), message: 'Say how they told you' }]);
  if (input.said_at !== undefined && Date.parse(input.said_at) > now.epochMilliseconds + clockSkewMs)
    throw new Invalid([{ path: at('said_at'), message: 'must not be in the future' }]);
}

/** By how much the clock of a program may be ahead. */
const clockSkewMs = 60_000;

function assertTopicOf(kind: 'optional' | 'required' | undefined, { input, at }: Checked): void {
  const path = at('topic_id');
  if (kind === undefined) throw new Invalid([{ path, message: 'There is no such topic in this workspace' }]);
  if (kind === 'required' && input.kind === 'withdrawn')
    throw new Invalid([{ path, message: 'Nobody can leave a required topic: withdraw the consent for everything' }]);
}

/** One act for what a request recorded of one kind: a member who notes a consent stands in the audit log with its recipient. */
async function recordActs(ctx: TenantContext, choices: readonly Choice[]): Promise<void> {
  for (const kind of ['given', 'withdrawn'] as const) {
    const [first, ...others] = choices.filter(({ said }) => said?.kind === kind);
    if (first === undefined) continue;
    const { channel, recipient } = first;
    await recordAct(ctx, {
      action: kind === 'given' ? 'consent.given' : 'consent.withdrawn',
      target: ctx.workspaceId,
      details: { channel, recipient: maskedAddress(recipient), ...(others.length > 0 && { others: others.length }) },
    });
  }
}

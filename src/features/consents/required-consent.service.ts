import type { ChannelType } from '#contract/channel-types.ts';
import type { ConsentChannel } from '#contract/consent-channels.ts';
import type { ContactDetails } from '#contract/contact-details.ts';
import { WorkspaceSettings } from '#contract/workspaces.ts';
import type { About, ConsentFact } from '#domain/may-be-sent.ts';
import { consentIn } from '#domain/newest-consent.ts';
import { isPhoneChannel, recipientKey } from '#domain/recipients.ts';
import * as rows from '#features/consents/required-consent.db.ts';
import type { TenantContext } from '#platform/context.ts';
import { mapInSlices } from '#platform/in-slices.ts';

type InWorkspace = Pick<TenantContext, 'db' | 'workspaceId'>;

type Addressee = { channel: ChannelType; recipient: string };

/** The channels over which the workspace sends nothing without a consent on record. */
async function requiredFor({ db, workspaceId }: InWorkspace): Promise<readonly ConsentChannel[]> {
  const { data: channels = [] } = WorkspaceSettings.shape.consentFor.safeParse(
    await rows.findConsentChannels(db, { workspaceId }),
  );
  return channels;
}

/** Whether a consent to a message is on record for each of these recipients, by channel and key. Those who need none are left out. */
export async function consentsTo(
  ctx: InWorkspace,
  { topicId, targets }: { topicId: string | null; targets: readonly Addressee[] },
): Promise<ReadonlyMap<string, ConsentFact>> {
  // Most have no recipients on the phone, and most workspaces require nothing.
  if (!targets.some(({ channel }) => isPhoneChannel(channel))) return new Map();
  const channels: readonly ChannelType[] = await requiredFor(ctx);
  const needing = targets.filter(({ channel }) => channels.includes(channel));
  if (needing.length === 0) return new Map();
  const keyed = await mapInSlices(needing, ({ channel, recipient }) => ({ channel, key: recipientKey(recipient) }));
  const given = await rows.areConsented(ctx.db, {
    workspaceId: ctx.workspaceId,
    channels: keyed.map(({ channel }) => channel),
    recipients: keyed.map(({ key }) => key),
    topicId,
  });
  return new Map(keyed.map(({ channel, key }, at) => [`${channel} ${key}`, given[at] === true ? 'given' : 'lacking']));
}

export type ConsentOfPerson = (channel: ChannelType, about: Pick<About, 'topicId' | 'kind'>) => ConsentFact;

/** Whether the words of a person, given by their keys, agree to messages; null where the workspace requires no consent. */
export async function consentOfPerson(
  ctx: TenantContext,
  recipients: readonly string[],
): Promise<ConsentOfPerson | null> {
  const channels: readonly ChannelType[] = recipients.length === 0 ? [] : await requiredFor(ctx);
  if (channels.length === 0) return null;
  const { db, workspaceId } = ctx;
  const words = Map.groupBy(await rows.findNewestWords(db, { workspaceId, recipients }), ({ channel }) => channel);
  return (channel, about) => (channels.includes(channel) ? consentIn(words.get(channel) ?? [], about) : 'not_needed');
}

/** What a number has agreed to, for each channel for which the workspace requires it. */
export async function consentStates(ctx: TenantContext, number: string | null): Promise<ContactDetails['consents']> {
  const channels = number === null ? [] : await requiredFor(ctx);
  if (number === null || channels.length === 0) return [];
  const { db, workspaceId } = ctx;
  const words = await rows.findNewestWords(db, { workspaceId, recipients: [number] });
  return channels.map((channel) => {
    const own = words.filter((word) => word.channel === channel);
    const isAgreed = consentIn(own, { topicId: null, kind: null }) === 'given';
    const hasTopics = own.some(
      ({ topic_id: topicId }) => topicId !== null && consentIn(own, { topicId, kind: null }) === 'given',
    );
    return { channel, state: isAgreed ? 'given' : hasTopics ? 'some' : 'lacking' };
  });
}

/** For each of these recipients the newest word of each kind of coverage, by channel. */
export const wordsOf = (
  { db, workspaceId }: TenantContext,
  recipients: readonly string[],
): Promise<rows.NewestWord[]> =>
  recipients.length === 0 ? Promise.resolve([]) : rows.findNewestWords(db, { workspaceId, recipients });

import type { z } from 'zod';
import { type ChannelType, channelTypes } from '#contract/channel-types.ts';
import type { SendPayload } from '#contract/job-payloads.ts';
import { hiddenLink, linkEndsMs, linkMessage } from '#domain/preferences-link.ts';
import { recipientKey } from '#domain/recipients.ts';
import { maxAttemptsOf } from '#domain/retry.ts';
import { sendByJob } from '#features/jobs/message-jobs.service.ts';
import { type OfMessages, type UnsubscribePorts, withLink } from '#features/unsubscribe/unsubscribe.service.ts';
import { Invalid, RateLimited } from '#platform/errors.ts';
import { limitSubject } from '#platform/limit-subject.ts';
import { spendInNetworks } from '#platform/network-limit.ts';
import { spend, type WindowLimit } from '#platform/rate-limit.ts';

/** The channels that reach the person with an address of their own. */
const channelsOfPeople = new Set<ChannelType>(
  channelTypes.filter((type) => ['email', 'sms', 'whatsapp'].includes(type)),
);

/** Whether a link can be sent to the address itself. */
export const canSendLink = (channel: ChannelType): boolean => channelsOfPeople.has(channel);

/**
 * Sends a link that works for an hour to the address of this one, and to no other: whoever has it reads what is sent there. Answers the same whether it is sent or
 * was asked for too often. Throws NotFound, Invalid for a link of no person, and RateLimited where a network asks too often.
 */
export async function sendLink(
  ports: UnsubscribePorts,
  { token, clientAddress }: { token: string; clientAddress: string },
): Promise<void> {
  const now = ports.now();
  if (ports.hasLimits) {
    const spent = await spendInNetworks(ports.counts, {
      kind: 'requested links',
      clientAddress,
      limit: ofNetwork,
      now,
    });
    if (spent.isRefused) throw new RateLimited('Too many links were asked for from your network.', spent);
  }
  const of = await withLink(ports, { token, isReadOnly: true, work: async (_, link) => link.of });
  if (of.stops !== 'messages' || !canSendLink(of.channel))
    throw new Invalid([{ path: 'send', message: 'No link can be sent to this address' }]);
  if (ports.hasLimits && !(await maySend(ports, { of, now }))) return;
  const at = new Date(now.epochMilliseconds).toISOString();
  const payload: z.input<typeof SendPayload> = {
    channels: [of.channel],
    recipients: [of.recipient],
    content: linkMessage,
    values: { preferences_link: hiddenLink },
  };
  await withLink(ports, {
    token,
    clientAddress,
    work: async (db, { of: { workspaceId } }) => {
      await sendByJob(
        { db, workspaceId, now },
        {
          reminderId: null,
          type: 'preferences_link',
          name: 'Link to preferences',
          at,
          expiresAt: new Date(linkEndsMs(now.epochMilliseconds)).toISOString(),
          maxAttempts: maxAttemptsOf([of.channel]),
          payload,
        },
      );
    },
  });
}

/** Many people of one office may share an address. */
const ofNetwork: WindowLimit = { bucket: 'requested-links.network', most: 20, seconds: 3_600 };
export const linksOfHour = 3;
const ofAddress: WindowLimit = { bucket: 'requested-links.address', most: linksOfHour, seconds: 3_600 };
const ofDay: WindowLimit = { bucket: 'requested-links.day', most: 10, seconds: 86_400 };
const ofWorkspace: WindowLimit = { bucket: 'requested-links.workspace', most: 300, seconds: 3_600 };

async function maySend(
  { counts }: UnsubscribePorts,
  { of: { workspaceId, channel, recipient }, now }: { of: OfMessages; now: Temporal.Instant },
): Promise<boolean> {
  const address = { subject: limitSubject(['requested link', workspaceId, channel, recipientKey(recipient)]) };
  const workspace = { subject: limitSubject(['requested links', workspaceId]) };
  // The narrowest first: a flood on one address uses up nothing of the others.
  for (const [counted, limit] of [
    [address, ofAddress],
    [address, ofDay],
    [workspace, ofWorkspace],
  ] as const)
    if ((await spend(counts, { counted, limit, now })).isRefused) return false;
  return true;
}

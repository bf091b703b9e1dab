import type { z } from 'zod';
import type { ChannelType } from '#contract/channel-types.ts';
import { type PreferableChannel, preferableChannels } from '#contract/contacts.ts';
import type { SendPayload } from '#contract/job-payloads.ts';
import { hiddenLink, linkEndsMs, linkMessage } from '#domain/preferences-link.ts';
import { isPhoneChannel, recipientKey } from '#domain/recipients.ts';
import { maxAttemptsOf } from '#domain/retry.ts';
import { sendByJob } from '#features/jobs/message-jobs.service.ts';
import { otherAddress } from '#features/unsubscribe/own-page.service.ts';
import {
  isErased,
  isFresh,
  needsOwnLink,
  type OfMessages,
  type UnsubscribePorts,
  withLink,
} from '#features/unsubscribe/unsubscribe.service.ts';
import type { LinkTarget } from '#features/unsubscribe/unsubscribe-token.ts';
import type { Db } from '#platform/database.ts';
import { Invalid, RateLimited } from '#platform/errors.ts';
import { limitSubject } from '#platform/limit-subject.ts';
import { spendInNetworks } from '#platform/network-limit.ts';
import { spend, type WindowLimit } from '#platform/rate-limit.ts';

/** Whether a link can be sent to the address itself. */
export const canSendLink = (channel: ChannelType): boolean => preferableChannels.some((one) => one === channel);

/**
 * Sends a link that works for an hour to the address of this one, and to no other: whoever has it reads what is sent there. A link that was sent so itself also sends
 * one to the person's address of another channel, which proves that one. Answers the same whether it is sent or was asked for too often. Throws NotFound, Invalid for a link of no person, and RateLimited where a network asks too often.
 */
export async function sendLink(
  ports: UnsubscribePorts,
  { token, to, clientAddress }: { token: string; to: PreferableChannel | null; clientAddress: string },
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
  const of = await withLink(ports, {
    token,
    isReadOnly: true,
    work: (db, link) => addresseeOf(db, { of: link.of, to, now }),
  });
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
    work: async (db) => {
      if (await isErased(db, { of, ports })) return;
      await sendByJob(
        { db, workspaceId: of.workspaceId, now },
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

/** To which address of the person the link is sent. */
async function addresseeOf(
  db: Db,
  { of, to, now }: { of: LinkTarget; to: PreferableChannel | null; now: Temporal.Instant },
): Promise<Addressee> {
  const none = new Invalid([{ path: 'send', message: 'No link can be sent to this address' }]);
  if (of.stops !== 'messages' || !canSendLink(of.channel)) throw none;
  if (to === null) return of;
  if (!isFresh(of, now)) throw needsOwnLink('send');
  const recipient = await otherAddress(db, of, to);
  if (recipient === null) throw none;
  return { workspaceId: of.workspaceId, channel: to, recipient };
}

type Addressee = Pick<OfMessages, 'workspaceId' | 'channel' | 'recipient'>;

/** Many people of one office may share an address. */
const ofNetwork: WindowLimit = { bucket: 'requested-links.network', most: 20, seconds: 3_600 };
export const linksOfHour = 3;
const ofAddress: WindowLimit = { bucket: 'requested-links.address', most: linksOfHour, seconds: 3_600 };
const ofDay: WindowLimit = { bucket: 'requested-links.day', most: 10, seconds: 86_400 };
/** The workspace pays for each. */
const ofPhones: WindowLimit = { bucket: 'requested-links.phones', most: 100, seconds: 86_400 };
const ofWorkspace: WindowLimit = { bucket: 'requested-links.workspace', most: 300, seconds: 3_600 };

async function maySend(
  { counts }: UnsubscribePorts,
  { of: { workspaceId, channel, recipient }, now }: { of: Addressee; now: Temporal.Instant },
): Promise<boolean> {
  const address = { subject: limitSubject(['requested link', workspaceId, channel, recipientKey(recipient)]) };
  const workspace = { subject: limitSubject(['requested links', workspaceId]) };
  // The narrowest first: a flood on one address uses up nothing of the others.
  for (const [counted, limit] of [
    [address, ofAddress],
    [address, ofDay],
    ...(isPhoneChannel(channel) ? [[workspace, ofPhones] as const] : []),
    [workspace, ofWorkspace],
  ] as const)
    if ((await spend(counts, { counted, limit, now })).isRefused) return false;
  return true;
}

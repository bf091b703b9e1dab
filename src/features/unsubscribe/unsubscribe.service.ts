import type { Kysely } from 'kysely';
import type { Billing } from '#contract/plans.ts';
import type { UnsubscribeLink } from '#contract/unsubscribe.ts';
import { recipientKey } from '#domain/recipients.ts';
import { brandOf } from '#domain/white-label.ts';
import { suppress, unsuppress } from '#features/suppressions/automatic-suppressions.service.ts';
import { endReport, getsReport } from '#features/monthly-reports/report-link.service.ts';
import type { LinkTarget, UnsubscribeTokens } from '#features/unsubscribe/unsubscribe-token.ts';
import { findTopicState, requiredTopics } from '#features/topics/topics.service.ts';
import { type Db, inTenant } from '#platform/database.ts';
import { NotFound } from '#platform/errors.ts';
import type { Schema } from '#platform/schema.ts';

export type UnsubscribePorts = {
  db: Kysely<Schema>;
  tokens: UnsubscribeTokens;
  now: () => Temporal.Instant;
  billing: Billing;
};

/** What a link stops. Throws NotFound when this installation did not create it, or the workspace is deleted. */
export const lookUp = (ports: UnsubscribePorts, token: string): Promise<UnsubscribeLink> =>
  withLink(ports, { token, work: async () => undefined });

/** Has the recipient of a link leave its topic, or all optional ones; repeating it changes nothing. */
export const unsubscribe = (
  ports: UnsubscribePorts,
  {
    token,
    covers = 'topic',
    clientAddress,
  }: { token: string; covers?: 'topic' | 'optional' | undefined; clientAddress: string },
): Promise<UnsubscribeLink> =>
  withLink(ports, {
    token,
    clientAddress,
    work: async (db, of) =>
      of.stops === 'messages'
        ? suppress(db, { ...optOut(of), ...(await leavingOf(db, { of, covers })), now: ports.now().toString() })
        : endReport(db, { ...of, now: ports.now() }),
  });

/**
 * Removes the suppression that such a link created; those of providers and members stay.
 * @param options.undo the id of that suppression, so that a repeated request does not remove a later one
 */
export const resubscribe = (
  ports: UnsubscribePorts,
  { token, undo }: { token: string; undo: string },
): Promise<UnsubscribeLink> =>
  withLink(ports, {
    token,
    // A monthly report that was ended stays so: an owner or admin sets it up again.
    work: async (db, of) => {
      if (of.stops === 'messages') await unsuppress(db, { ...optOut(of), id: undo });
    },
  });

type OfMessages = Extract<LinkTarget, { stops: 'messages' }>;

const optOut = ({ workspaceId, channel, recipient }: OfMessages) => ({
  workspaceId,
  channel,
  recipients: [recipientKey(recipient)],
  reason: 'unsubscribed' as const,
});

/** What is left: the topic of the link, where it has one that people can leave. */
async function leavingOf(db: Db, { of, covers }: { of: OfMessages; covers: 'topic' | 'optional' }) {
  const topic = covers === 'topic' ? await topicOf(db, of) : null;
  return topic === null ? ({ covers: 'optional' } as const) : ({ covers: 'topic', topicId: topic.id } as const);
}

/** The topic of the message that a link came with. */
async function topicOf(
  db: Db,
  { workspaceId, topicId = null }: OfMessages,
): Promise<{ id: string; name: string } | null> {
  const topic = topicId === null ? undefined : await findTopicState({ db, workspaceId }, topicId);
  return topic?.kind === 'optional' ? { id: topic.id, name: topic.name } : null;
}

/** Runs `work` in the workspace of the link, and returns what then holds for the link. */
async function withLink(
  { db, tokens, billing }: UnsubscribePorts,
  {
    token,
    clientAddress,
    work,
  }: { token: string; clientAddress?: string; work: (db: Db, of: LinkTarget) => Promise<void> },
): Promise<UnsubscribeLink> {
  const of = tokens.open(token);
  if (of === null) throw new NotFound('link to unsubscribe');
  const { workspaceId, recipient } = of;
  return inTenant(db, { workspaceId, userId: null, clientAddress }, async (tx) => {
    const company = await findCompany(tx, of);
    if (company === undefined) throw new NotFound('link to unsubscribe');
    await work(tx, of);
    const about = { company: company.company_name, brand: brandOf(company, { billing }), stops: of.stops, recipient };
    if (of.stops === 'monthly_report') {
      const isSubscribed = await getsReport(tx, of);
      const left = isSubscribed ? 'nothing' : 'everything';
      return { ...about, channel: 'email', topic: null, left, required: [], is_subscribed: isSubscribed, undo: null };
    }
    const topic = await topicOf(tx, of);
    const entries = await findEntries(tx, { ...of, recipient: recipientKey(recipient), topicId: topic?.id ?? null });
    const left = entries[0]?.covers ?? 'nothing';
    const own = entries.find(({ reason, created_by: by }) => reason === 'unsubscribed' && by === null);
    const { channel } = of;
    const required = await requiredTopics({ db: tx, workspaceId });
    return { ...about, channel, topic, left, required, is_subscribed: left === 'nothing', undo: own?.id ?? null };
  });
}

const findCompany = (db: Db, { workspaceId }: { workspaceId: string }) =>
  db
    .selectFrom('workspaces')
    .where('id', '=', workspaceId)
    .select(['company_name', 'avatar_url', 'subscription_tier as tier'])
    .executeTakeFirst();

/** The entries that cover the message of a link, the widest first. The recipient is given by their key. */
const findEntries = (
  db: Db,
  { workspaceId, channel, recipient, topicId }: Omit<OfMessages, 'stops'> & { topicId: string | null },
) =>
  db
    .selectFrom('suppressions')
    .where('workspace_id', '=', workspaceId)
    .where('channel', '=', channel)
    .where('recipient', '=', recipient)
    .where((or) => or.or([or('covers', '<>', 'topic'), or('topic_id', '=', topicId)]))
    .select(['id', 'reason', 'covers', 'created_by'])
    // `everything`, `optional`, `topic`.
    .orderBy('covers')
    .execute();

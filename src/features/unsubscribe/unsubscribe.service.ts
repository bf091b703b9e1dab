import type { Kysely } from 'kysely';
import type { Billing } from '#contract/plans.ts';
import type { UnsubscribeLink } from '#contract/unsubscribe.ts';
import { recipientKey } from '#domain/recipients.ts';
import { brandOf } from '#domain/white-label.ts';
import { suppress, unsuppress } from '#features/suppressions/automatic-suppressions.service.ts';
import { endReport, getsReport } from '#features/monthly-reports/report-link.service.ts';
import type { LinkTarget, UnsubscribeTokens } from '#features/unsubscribe/unsubscribe-token.ts';
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

/** Suppresses the recipient of a link; repeating it changes nothing. */
export const unsubscribe = (
  ports: UnsubscribePorts,
  { token, clientAddress }: { token: string; clientAddress: string },
): Promise<UnsubscribeLink> =>
  withLink(ports, {
    token,
    clientAddress,
    work: (db, of) =>
      of.stops === 'messages'
        ? suppress(db, { ...optOut(of), now: ports.now().toString() })
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
    if (of.stops === 'monthly_report')
      return { ...about, channel: 'email', is_subscribed: await getsReport(tx, of), undo: null };
    const { channel } = of;
    const found = await findSuppression(tx, { workspaceId, channel, recipient: recipientKey(recipient) });
    return {
      ...about,
      channel,
      is_subscribed: found === undefined,
      undo: found?.reason === 'unsubscribed' && found.created_by === null ? found.id : null,
    };
  });
}

const findCompany = (db: Db, { workspaceId }: { workspaceId: string }) =>
  db
    .selectFrom('workspaces')
    .where('id', '=', workspaceId)
    .select(['company_name', 'avatar_url', 'subscription_tier as tier'])
    .executeTakeFirst();

/** The suppression of a recipient, who is given by their key. */
const findSuppression = (db: Db, { workspaceId, channel, recipient }: Omit<OfMessages, 'stops'>) =>
  db
    .selectFrom('suppressions')
    .where('workspace_id', '=', workspaceId)
    .where('channel', '=', channel)
    .where('recipient', '=', recipient)
    .select(['id', 'reason', 'created_by'])
    .executeTakeFirst();

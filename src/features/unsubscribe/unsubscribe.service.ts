import type { Kysely } from 'kysely';
import type { Billing } from '#contract/plans.ts';
import type { UnsubscribeLink } from '#contract/unsubscribe.ts';
import { recipientKey } from '#domain/recipients.ts';
import { brandOf } from '#domain/white-label.ts';
import { suppress, unsuppress } from '#features/suppressions/automatic-suppressions.service.ts';
import { endReport, getsReport } from '#features/report-mails/report-unsubscribe.service.ts';
import type { Addressee, UnsubscribeTokens } from '#features/unsubscribe/unsubscribe-token.ts';
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
export const unsubscribe = (ports: UnsubscribePorts, token: string): Promise<UnsubscribeLink> =>
  withLink(ports, {
    token,
    work: (db, of) =>
      of.monthlyReport === undefined
        ? suppress(db, { ...optOut(of), now: ports.now().toString() })
        : endReport(db, { ...of, monthlyReport: of.monthlyReport }),
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
      if (of.monthlyReport === undefined) await unsuppress(db, { ...optOut(of), id: undo });
    },
  });

const optOut = ({ workspaceId, channel, recipient }: Addressee) => ({
  workspaceId,
  channel,
  recipients: [recipientKey(recipient)],
  reason: 'unsubscribed' as const,
});

/** Runs `work` in the workspace of the link, and returns what then holds for the link. */
async function withLink(
  { db, tokens, billing }: UnsubscribePorts,
  { token, work }: { token: string; work: (db: Db, of: Addressee) => Promise<void> },
): Promise<UnsubscribeLink> {
  const of = tokens.open(token);
  if (of === null) throw new NotFound('link to unsubscribe');
  const { workspaceId, channel, recipient } = of;
  return inTenant(db, { workspaceId, userId: null }, async (tx) => {
    const company = await findCompany(tx, of);
    if (company === undefined) throw new NotFound('link to unsubscribe');
    await work(tx, of);
    const about = { company: company.company_name, brand: brandOf(company, { billing }), channel, recipient };
    if (of.monthlyReport !== undefined) {
      const isWanted = await getsReport(tx, { ...of, monthlyReport: of.monthlyReport });
      return { ...about, stops: 'monthly_report', is_subscribed: isWanted, undo: null };
    }
    const found = await findSuppression(tx, { workspaceId, channel, recipient: recipientKey(recipient) });
    return {
      ...about,
      stops: 'messages',
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
const findSuppression = (db: Db, { workspaceId, channel, recipient }: Addressee) =>
  db
    .selectFrom('suppressions')
    .where('workspace_id', '=', workspaceId)
    .where('channel', '=', channel)
    .where('recipient', '=', recipient)
    .select(['id', 'reason', 'created_by'])
    .executeTakeFirst();

import type { Kysely } from 'kysely';
import type { Subscription } from '#contract/unsubscribe.ts';
import { recipientKey } from '#domain/recipients.ts';
import { suppress, unsuppress } from '#features/channels/suppression.service.ts';
import type { Addressee, UnsubscribeTokens } from '#features/unsubscribe/unsubscribe-token.ts';
import * as rows from '#features/unsubscribe/unsubscribe.db.ts';
import { type Db, inTenant } from '#platform/database.ts';
import { NotFound } from '#platform/errors.ts';
import type { Schema } from '#platform/schema.ts';

export type UnsubscribePorts = { db: Kysely<Schema>; tokens: UnsubscribeTokens; now: () => Temporal.Instant };

/** What the link is about. Throws NotFound where it is none of this installation, or the workspace is gone. */
export const lookUp = (ports: UnsubscribePorts, token: string): Promise<Subscription> =>
  withLink(ports, { token, work: async () => undefined });

/** Writes to the recipient no more, however often it is asked for. */
export const unsubscribe = (ports: UnsubscribePorts, token: string): Promise<Subscription> =>
  withLink(ports, {
    token,
    work: (db, of) => suppress(db, { ...optOut(of), now: ports.now().toString() }),
  });

/** Takes back what such a link did; what a provider said, or somebody of the workspace decided, stays. */
export const resubscribe = (ports: UnsubscribePorts, token: string): Promise<Subscription> =>
  withLink(ports, { token, work: (db, of) => unsuppress(db, optOut(of)) });

const optOut = ({ workspaceId, channel, recipient }: Addressee) => ({
  workspaceId,
  channel,
  recipients: [recipientKey(recipient)],
  reason: 'unsubscribed' as const,
});

/** Does the work in the workspace that the link names, and says how things stand then. */
async function withLink(
  { db, tokens }: UnsubscribePorts,
  { token, work }: { token: string; work: (db: Db, of: Addressee) => Promise<void> },
): Promise<Subscription> {
  const of = tokens.open(token);
  if (of === null) throw new NotFound('link to unsubscribe');
  const { workspaceId, channel, recipient } = of;
  return inTenant(db, { workspaceId, userId: null }, async (tx) => {
    const company = await rows.findCompany(tx, of);
    if (company === undefined) throw new NotFound('link to unsubscribe');
    await work(tx, of);
    const found = await rows.findSuppression(tx, { workspaceId, channel, recipient: recipientKey(recipient) });
    return {
      company: company.name,
      channel,
      recipient,
      is_subscribed: found === undefined,
      can_undo: found?.reason === 'unsubscribed' && found.created_by === null,
    };
  });
}

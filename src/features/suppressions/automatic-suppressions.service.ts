import type { ChannelType } from '#contract/channel-types.ts';
import { announce } from '#platform/changes.ts';
import type { Db } from '#platform/database.ts';

/** A suppressed recipient, in each spelling that the workspace has used; `recipientKey` maps them to one key. */
export type Suppressed = {
  workspaceId: string;
  channel: ChannelType;
  recipients: readonly string[];
  /** What caused the suppression: the recipient or the mail server. */
  reason: 'stopped' | 'unsubscribed' | 'bounced';
};

/** Adds suppressions; an existing one keeps its reason. Waiting deliveries need no update: the list is checked before every attempt. */
export async function suppress(
  db: Db,
  { workspaceId, channel, recipients, reason, now }: Suppressed & { now: string },
): Promise<void> {
  await db
    .insertInto('suppressions')
    .values(recipients.map((recipient) => ({ workspace_id: workspaceId, channel, recipient, reason, created_at: now })))
    .onConflict((known) => known.columns(['workspace_id', 'channel', 'recipient']).doNothing())
    .execute();
  await announce({ db, workspaceId }, ['suppressions']);
}

/** Removes suppressions that the recipients caused for this reason; with `id` only that one. */
export async function unsuppress(
  db: Db,
  { workspaceId, channel, recipients, reason, id }: Suppressed & { id?: string },
): Promise<void> {
  await db
    .deleteFrom('suppressions')
    .where('workspace_id', '=', workspaceId)
    .where('channel', '=', channel)
    .where('recipient', 'in', recipients)
    .where('reason', '=', reason)
    .where('created_by', 'is', null)
    .$if(id !== undefined, (query) => query.where('id', '=', id ?? ''))
    .execute();
  await announce({ db, workspaceId }, ['suppressions']);
}

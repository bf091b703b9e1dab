import type { ChannelType } from '#contract/reminders.ts';
import { announce } from '#platform/changes.ts';
import type { Db } from '#platform/database.ts';

/** Somebody who is written to no more, in each spelling that the workspace has used; `recipientKey` makes one of each. */
export type Suppressed = {
  workspaceId: string;
  channel: ChannelType;
  recipients: readonly string[];
  /** What the recipient, or the mailbox, has let us know. */
  reason: 'stopped' | 'unsubscribed' | 'bounced';
};

/**
 * Keeps the first reason of each. Nothing that waits for them has to be looked for: the list is asked again before every
 * attempt, which then ends as skipped.
 */
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

/** Ends what was begun for this reason by the recipients themselves, and nothing else. */
export async function unsuppress(db: Db, { workspaceId, channel, recipients, reason }: Suppressed): Promise<void> {
  await db
    .deleteFrom('suppressions')
    .where('workspace_id', '=', workspaceId)
    .where('channel', '=', channel)
    .where('recipient', 'in', recipients)
    .where('reason', '=', reason)
    .where('created_by', 'is', null)
    .execute();
  await announce({ db, workspaceId }, ['suppressions']);
}

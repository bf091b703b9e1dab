import type { ChannelType } from '#contract/channel-types.ts';
import type { Coverage } from '#contract/suppressions.ts';
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

/** What is not sent any more: everything by default. */
type Covered = { covers?: Exclude<Coverage, 'topic'>; topicId?: null } | { covers: 'topic'; topicId: string };

/** Adds suppressions; an existing one keeps its reason. Waiting deliveries need no update: the list is checked before every attempt. */
export async function suppress(
  db: Db,
  {
    workspaceId,
    channel,
    recipients,
    reason,
    covers = 'everything',
    topicId = null,
    now,
  }: Suppressed & Covered & { now: string },
): Promise<void> {
  await db
    .insertInto('suppressions')
    .values(
      recipients.map((recipient) => ({
        workspace_id: workspaceId,
        channel,
        recipient,
        reason,
        covers,
        topic_id: topicId,
        created_at: now,
      })),
    )
    .onConflict((known) => known.columns(['workspace_id', 'channel', 'recipient', 'covers', 'topic_id']).doNothing())
    .execute();
  await announce({ db, workspaceId }, ['suppressions', 'topics']);
}

/**
 * Removes suppressions that the recipients caused for this reason.
 * @param options.id only this one
 * @param options.since only what was added after this instant
 */
export async function unsuppress(
  db: Db,
  { workspaceId, channel, recipients, reason, id, since }: Suppressed & { id?: string; since?: string },
): Promise<void> {
  await db
    .deleteFrom('suppressions')
    .where('workspace_id', '=', workspaceId)
    .where('channel', '=', channel)
    .where('recipient', 'in', recipients)
    .where('reason', '=', reason)
    .where('created_by', 'is', null)
    .$if(id !== undefined, (query) => query.where('id', '=', id ?? ''))
    .$if(since !== undefined, (query) => query.where('created_at', '>', since ?? ''))
    .execute();
  await announce({ db, workspaceId }, ['suppressions', 'topics']);
}

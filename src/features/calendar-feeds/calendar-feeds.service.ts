import { randomBytes } from 'node:crypto';
import type { CalendarFeed, NewCalendarFeed } from '#contract/calendar-feeds.ts';
import * as rows from '#features/calendar-feeds/calendar-feeds.db.ts';
import { recordAct } from '#platform/audit.ts';
import type { MemberContext } from '#platform/context.ts';
import { NotFound } from '#platform/errors.ts';
import { hashOfToken } from '#platform/token-hash.ts';
import { workspaceToken } from '#platform/workspace-token.ts';

export const listFeeds = async (ctx: MemberContext): Promise<{ data: CalendarFeed[] }> => ({
  data: await rows.findFeeds(ctx.db, personIn(ctx)),
});

/** How many feeds a member has. */
export const countFeeds = ({ db, workspaceId }: MemberContext, userId: string): Promise<number> =>
  rows.countFeeds(db, { workspaceId, userId });

/**
 * Creates a feed, whose address only this answer contains. An earlier feed of the same kind ends.
 * @param options.url where this installation is reached
 */
export async function createFeed(
  ctx: MemberContext,
  { shows, url }: { shows: CalendarFeed['shows']; url: () => string },
): Promise<NewCalendarFeed> {
  const { workspaceId, userId } = personIn(ctx);
  await rows.deleteFeed(ctx.db, { workspaceId, userId, shows });
  const token = workspaceToken(workspaceId, randomBytes(32));
  const feed = await rows.insertFeed(ctx.db, {
    workspace_id: workspaceId,
    user_id: userId,
    shows,
    token_hash: hashOfToken(token),
    created_at: ctx.now.toString(),
  });
  await recordAct(ctx, { action: 'export.calendar_created', target: feed.id, details: { shows: words[shows] } });
  return { ...feed, url: `${url().replace(/\/$/, '')}/api/calendar/${token}.ics` };
}

export async function endFeed(ctx: MemberContext, id: string): Promise<CalendarFeed> {
  const feed = await rows.deleteFeed(ctx.db, { ...personIn(ctx), id });
  if (feed === undefined) throw new NotFound('calendar feed');
  await recordAct(ctx, { action: 'export.calendar_ended', target: id, details: { shows: words[feed.shows] } });
  return feed;
}

const personIn = ({ workspaceId, actor }: MemberContext) => ({ workspaceId, userId: actor.userId });

const words = { workspace: 'all reminders', own: 'their own reminders' } as const;

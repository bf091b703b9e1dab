import { channelTypes } from '#contract/channel-types.ts';
import type { ReminderInput } from '#contract/reminders.ts';
import type { TenantContext } from '#platform/context.ts';
import type { Db } from '#platform/database.ts';
import { Invalid } from '#platform/errors.ts';

/** Refuses a pinned channel that does not exist in this workspace or has another type. */
export async function assertPins(
  ctx: TenantContext,
  { pinned_channels: pins = {} }: ReminderInput['metadata'],
): Promise<void> {
  const pinned = channelTypes.flatMap((type) => {
    const id = pins[type];
    return id === undefined ? [] : [{ type, id }];
  });
  if (pinned.length === 0) return;
  const found = await findChannelTypes(ctx.db, { workspaceId: ctx.workspaceId, ids: pinned.map(({ id }) => id) });
  const typeOf = new Map(found.map((row) => [row.id, row.type]));
  const wrong = pinned.filter(({ type, id }) => typeOf.get(id) !== type);
  if (wrong.length === 0) return;
  throw new Invalid(
    wrong.map(({ type }) => ({
      path: `metadata.pinned_channels.${type}`,
      message: `There is no such ${type} channel in this workspace`,
    })),
  );
}

const findChannelTypes = (db: Db, { workspaceId, ids }: { workspaceId: string; ids: readonly string[] }) =>
  db
    .selectFrom('channels')
    .where('workspace_id', '=', workspaceId)
    .where('id', 'in', [...ids])
    .select(['id', 'type'])
    .execute();

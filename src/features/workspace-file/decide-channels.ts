import { findChannels } from '#features/workspace-file/export.db.ts';
import { ChannelItem } from '#features/workspace-file/file-items.ts';
import { type Decided, decideSection, readBy } from '#features/workspace-file/read-items.ts';
import type { TenantContext } from '#platform/context.ts';

/** Finds the id of the channel with this type and name. */
export type Pins = (type: string, name: string) => string | undefined;

/** Decides about channels. A file contains no secrets, so none is created: it exists, or somebody has to set it up. */
export async function decideChannels(
  ctx: TenantContext,
  items: readonly unknown[],
): Promise<{ decided: Decided<object>[]; pins: Pins }> {
  const channels = await findChannels(ctx.db, ctx);
  const own = new Map(channels.map(({ id, type, name }) => [keyOf(type, name), id]));
  const pins: Pins = (type, name) => own.get(keyOf(type, name));
  const decided = await decideSection<ChannelItem, object>(ctx, items, {
    section: 'channels',
    table: null,
    read: readBy(ChannelItem),
    judge: async (read) =>
      read.map(({ value: { type, name } }) => {
        const id = pins(type, name);
        if (id !== undefined) return { existing: id };
        const message = 'is not in the file with its credentials: set up a channel of this type and name to use it';
        return { refused: [{ path: '', message }] };
      }),
  });
  return { decided, pins };
}

const keyOf = (type: string, name: string) => `${type} ${name.trim()}`;

import type { ChannelType } from '#contract/channel-types.ts';
import type { DefaultRoute, SendRoute } from '#delivery/adapter.ts';
import type { ChannelState } from '#domain/reach.ts';
import { findChannels } from '#features/channels/channels.db.ts';
import { openChannel } from '#features/channels/open-channel.ts';
import type { TenantContext } from '#platform/context.ts';
import { refusedAt, Unprocessable } from '#platform/errors.ts';
import type { SecretBox } from '#platform/secrets.ts';

export type RoutePorts = { secrets: SecretBox; defaults: DefaultRoute };

/**
 * The channel that a message of this type uses: the one with this id; without an id the most recently changed of the workspace, else the
 * installation's default. Null where none can send.
 */
export async function routeOf(
  { db, workspaceId }: TenantContext,
  { type, channelId }: { type: ChannelType; channelId: string | null },
  { secrets, defaults }: RoutePorts,
): Promise<Pick<SendRoute, 'adapter' | 'config'> | null> {
  const own = (await findChannels(db, { workspaceId })).filter((channel) => channel.type === type);
  const row = channelId === null ? own.find(({ is_active }) => is_active) : own.find(({ id }) => id === channelId);
  try {
    if (row !== undefined) return openChannel(row, secrets);
    return channelId === null ? defaults(type, workspaceId) : null;
  } catch (error) {
    if (error instanceof Unprocessable) return null;
    throw error;
  }
}

/** Throws, naming the field `channel_id`, for a channel of another type than the message's, and for one that cannot send now. */
export async function assertCanSend(
  ctx: TenantContext,
  { type, channelId }: { type: ChannelType; channelId: string | undefined },
  ports: RoutePorts,
): Promise<void> {
  const refuse = (message: string) => refusedAt('channel_id', message);
  if (channelId !== undefined) {
    const named = (await findChannels(ctx.db, ctx)).find(({ id }) => id === channelId);
    if (named === undefined) throw refuse('There is no such channel in this workspace');
    if (named.type !== type) throw refuse(`This channel is for ${named.type}, and the template for ${type}`);
    if (!named.is_active) throw refuse('This channel is disabled');
  }
  const state = (await channelStates(ctx, ports))(type);
  if (state === 'off') throw refuse(`The ${type} channel of this workspace is disabled`);
  if (state === 'missing') throw refuse(`This workspace has no ${type} channel that can send`);
}

/** Whether a message of each channel type could be sent now. */
export async function channelStates(
  { db, workspaceId }: TenantContext,
  { secrets, defaults }: RoutePorts,
): Promise<(type: ChannelType) => ChannelState> {
  const rows = await findChannels(db, { workspaceId });
  const known = new Map<ChannelType, ChannelState>();
  return (type) => {
    const state = known.get(type) ?? stateOf(type);
    known.set(type, state);
    return state;
  };

  function stateOf(type: ChannelType): ChannelState {
    const own = rows.filter((channel) => channel.type === type);
    const active = own.filter(({ is_active }) => is_active);
    if (active.length > 0) return active.some((row) => canOpen(() => openChannel(row, secrets))) ? 'ready' : 'missing';
    if (own.length > 0) return 'off';
    return canOpen(() => defaults(type, workspaceId)) ? 'ready' : 'missing';
  }
}

function canOpen(open: () => object | null): boolean {
  try {
    return open() !== null;
  } catch {
    return false;
  }
}

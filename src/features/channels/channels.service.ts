import { randomUUIDv7 } from 'node:crypto';
import { type Channel, type ChannelInput, type ChannelTypeForm, configurableTypes } from '#contract/channels.ts';
import { adapterFor, adaptersOf, destinationFieldsOf, providerField } from '#delivery/registry.ts';
import { callbackUrl } from '#features/channels/callback-address.service.ts';
import { callbackGeneration, callbackToken, callbackTokenField } from '#features/channels/callback-token.ts';
import { prepareConfiguration } from '#features/channels/channel-configuration.ts';
import { recordChange, recordCreation } from '#features/channels/channel-acts.ts';
import * as rows from '#features/channels/channels.db.ts';
import { recordAct } from '#platform/audit.ts';
import { announce } from '#platform/changes.ts';
import { personOf, type TenantContext } from '#platform/context.ts';
import { decodeCursor } from '#platform/cursor.ts';
import { NotFound } from '#platform/errors.ts';
import type { EgressGuard } from '#platform/outbound/guard.ts';
import { pageOf } from '#platform/page.ts';
import type { SecretBox } from '#platform/secrets.ts';

/**
 * The dependencies of channels besides the database. `url` is the address of this installation for people and
 * providers.
 */
export type ChannelPorts = { secrets: SecretBox; guard: EgressGuard; url: () => string };

/** Every built-in provider with the form of its configuration. */
export function listChannelTypes(): ChannelTypeForm[] {
  return configurableTypes.map((type) => {
    const providers = adaptersOf(type);
    return {
      type,
      provider_field: providers.length > 1 ? providerField(type) : null,
      providers: providers.map((adapter) => ({
        provider: adapter.provider,
        title: adapter.title,
        fields: adapter.fields.map((field) => ({
          ...field,
          secret: adapter.secretFields.includes(field.name),
          decides_destination: destinationFieldsOf(adapter).includes(field),
        })),
        can_verify: adapter.verify !== undefined,
        has_callbacks: adapter.parseCallback !== undefined,
      })),
    };
  });
}

export async function listChannels(
  ctx: TenantContext,
  { query, ports }: { query: { limit: number; cursor?: string }; ports: ChannelPorts },
) {
  const after = decodeCursor(query.cursor);
  const found = await rows.listChannelRows(ctx.db, { workspaceId: ctx.workspaceId, after, limit: query.limit });
  const page = pageOf(found, { at: (row) => row.updated_at });
  return { ...page, data: page.data.map((row) => onTheWire(row, { ctx, ports })) };
}

export async function createChannel(
  ctx: TenantContext,
  { input, ports }: { input: ChannelInput; ports: ChannelPorts },
): Promise<Channel> {
  const id = randomUUIDv7();
  const context = { workspaceId: ctx.workspaceId, channelId: id };
  const prepared = await prepareConfiguration(input, { context, before: null, ...ports });
  await rows.insertChannel(ctx.db, {
    ...prepared,
    id,
    workspaceId: ctx.workspaceId,
    type: input.type,
    name: input.name.trim(),
    isActive: input.is_active,
    isVerified: false,
    ratePerSecond: input.rate_limit_per_second,
    createdBy: personOf(ctx.actor),
    now: ctx.now.toString(),
  });
  const row = await mustFind(ctx, id);
  await recordCreation(ctx, row);
  await announce(ctx, ['channels']);
  return onTheWire(row, { ctx, ports });
}

/**
 * Changes a channel. A secret that is left out stays unless its destination changes; a new type clears everything, a new provider the secrets; a
 * changed configuration must be verified again.
 */
export async function updateChannel(
  ctx: TenantContext,
  { id, changes, ports }: { id: string; changes: Partial<ChannelInput>; ports: ChannelPorts },
): Promise<Channel> {
  const row = await mustFind(ctx, id);
  const type = changes.type ?? row.type;
  const configuration = changes.configuration ?? (type === row.type ? row.configuration : {});
  const before = { type: row.type, configuration: row.configuration, sealedSecrets: row.sealed_secrets };
  const isConfigured = changes.configuration !== undefined || type !== row.type;
  const context = { workspaceId: ctx.workspaceId, channelId: id };
  const prepared = isConfigured
    ? await prepareConfiguration({ type, configuration }, { context, before, ...ports })
    : before;
  await rows.replaceChannel(ctx.db, {
    configuration: prepared.configuration,
    sealedSecrets: prepared.sealedSecrets,
    id,
    workspaceId: ctx.workspaceId,
    type,
    name: (changes.name ?? row.name).trim(),
    isActive: changes.is_active ?? row.is_active,
    isVerified: row.is_verified && !isConfigured,
    ratePerSecond:
      changes.rate_limit_per_second === undefined ? row.rate_limit_per_second : changes.rate_limit_per_second,
    now: ctx.now.toString(),
  });
  const after = await mustFind(ctx, id);
  await recordChange(ctx, { before: row, after });
  await announce(ctx, ['channels']);
  return onTheWire(after, { ctx, ports });
}

export async function deleteChannel(ctx: TenantContext, id: string): Promise<void> {
  const deleted = await rows.deleteChannelRow(ctx.db, { workspaceId: ctx.workspaceId, id });
  if (deleted === undefined) throw new NotFound('channel');
  await recordAct(ctx, { action: 'channel.deleted', target: id, details: deleted });
  await announce(ctx, ['channels']);
}

async function mustFind(ctx: TenantContext, id: string): Promise<rows.ChannelRow> {
  const row = await rows.findChannel(ctx.db, { workspaceId: ctx.workspaceId, id });
  if (row === undefined) throw new NotFound('channel');
  return row;
}

function onTheWire(
  { sealed_secrets: sealed, ...row }: rows.ChannelRow,
  { ctx, ports }: { ctx: TenantContext; ports: ChannelPorts },
): Channel {
  return {
    ...row,
    secrets_set: Object.keys(sealed).filter((field) => field !== callbackTokenField),
    callback_url: ctx.role === 'member' ? null : callbackUrlOf({ ...row, sealed_secrets: sealed }, ports),
  };
}

function callbackUrlOf(
  row: Pick<rows.ChannelRow, 'id' | 'workspace_id' | 'type' | 'configuration' | 'sealed_secrets'>,
  { secrets, url }: ChannelPorts,
): string | null {
  const adapter = adapterFor(row.type, row.configuration);
  if (adapter?.parseCallback === undefined) return null;
  const context = { workspaceId: row.workspace_id, channelId: row.id };
  const generation = callbackGeneration(row.sealed_secrets, { context, secrets });
  return callbackUrl(url(), {
    provider: adapter.provider,
    token: callbackToken({ ...context, generation }, secrets),
  });
}

/** The channels to whose addresses providers report. */
export async function listCallbackChannels(
  { db, workspaceId }: TenantContext,
  { limit }: { limit: number },
): Promise<{ channel_id: string; name: string }[]> {
  return (await rows.findChannels(db, { workspaceId }))
    .filter(({ type, configuration }) => adapterFor(type, configuration)?.parseCallback !== undefined)
    .slice(0, limit)
    .map(({ id, name }) => ({ channel_id: id, name }));
}

/** Gives a channel a new callback address: the one in use works no longer, also for messages that were sent. */
export async function renewCallbackAddress(
  ctx: TenantContext,
  { id, secrets }: { id: string; secrets: SecretBox },
): Promise<void> {
  const row = await mustFind(ctx, id);
  const context = { workspaceId: ctx.workspaceId, channelId: id };
  const generation = callbackGeneration(row.sealed_secrets, { context, secrets }) + 1;
  const sealed = secrets.seal(callbackToken({ ...context, generation }, secrets), context);
  await rows.replaceSecrets(ctx.db, {
    workspaceId: ctx.workspaceId,
    id,
    sealedSecrets: { ...row.sealed_secrets, [callbackTokenField]: sealed },
    now: ctx.now.toString(),
  });
  await recordAct(ctx, { action: 'channel.callback_renewed', target: id, details: { name: row.name } });
}

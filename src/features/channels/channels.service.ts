import { randomUUIDv7 } from 'node:crypto';
import { type Channel, type ChannelInput, type ChannelTypeForm, configurableTypes } from '#contract/channels.ts';
import { adapterFor, adaptersOf, providerField } from '#delivery/registry.ts';
import { callbackUrl } from '#features/channels/callback-address.service.ts';
import { callbackToken } from '#features/channels/callback-token.ts';
import { callbackTokenField, prepareConfiguration } from '#features/channels/channel-configuration.ts';
import * as rows from '#features/channels/channels.db.ts';
import { announce } from '#platform/changes.ts';
import { personOf, type TenantContext } from '#platform/context.ts';
import { NotFound } from '#platform/errors.ts';
import type { EgressGuard } from '#platform/outbound/guard.ts';
import type { SecretBox } from '#platform/secrets.ts';

/** What channels need from outside the database. `url` is where people and providers reach this installation. */
export type ChannelPorts = { secrets: SecretBox; guard: EgressGuard; url: () => string };

/** Every provider that is built in, with the form of its configuration. */
export function listChannelTypes(): ChannelTypeForm[] {
  return configurableTypes.map((type) => {
    const providers = adaptersOf(type);
    return {
      type,
      provider_field: providers.length > 1 ? providerField(type) : null,
      providers: providers.map(({ provider, title, fields, secretFields, verify, parseCallback }) => ({
        provider,
        title,
        fields: fields.map((field) => ({ ...field, secret: secretFields.includes(field.name) })),
        can_verify: verify !== undefined,
        has_callbacks: parseCallback !== undefined,
      })),
    };
  });
}

export async function listChannels(ctx: TenantContext, ports: ChannelPorts): Promise<Channel[]> {
  const found = await rows.findChannels(ctx.db, { workspaceId: ctx.workspaceId });
  return found.map((row) => onTheWire(row, { ctx, ports }));
}

export async function createChannel(
  ctx: TenantContext,
  { input, ports }: { input: ChannelInput; ports: ChannelPorts },
): Promise<Channel> {
  const id = randomUUIDv7();
  const place = { workspaceId: ctx.workspaceId, channelId: id };
  const prepared = await prepareConfiguration(input, { place, before: null, ...ports });
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
  await announce(ctx, ['channels']);
  return onTheWire(await mustFind(ctx, id), { ctx, ports });
}

/**
 * A secret left out keeps its value; a changed type clears everything, a changed provider the secrets; a changed
 * configuration must be verified anew.
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
  const place = { workspaceId: ctx.workspaceId, channelId: id };
  const prepared = isConfigured
    ? await prepareConfiguration({ type, configuration }, { place, before, ...ports })
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
  await announce(ctx, ['channels']);
  return onTheWire(await mustFind(ctx, id), { ctx, ports });
}

export async function deleteChannel(ctx: TenantContext, id: string): Promise<void> {
  const deleted = await rows.deleteChannelRow(ctx.db, { workspaceId: ctx.workspaceId, id });
  if (deleted.numDeletedRows === 0n) throw new NotFound('channel');
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
    callback_url: ctx.role === 'member' ? null : callbackUrlOf(row, ports),
  };
}

function callbackUrlOf(
  row: Pick<rows.ChannelRow, 'id' | 'workspace_id' | 'type' | 'configuration'>,
  { secrets, url }: ChannelPorts,
): string | null {
  const adapter = adapterFor(row.type, row.configuration);
  if (adapter?.parseCallback === undefined) return null;
  const token = callbackToken({ workspaceId: row.workspace_id, channelId: row.id }, secrets);
  return callbackUrl(url(), { provider: adapter.provider, token });
}

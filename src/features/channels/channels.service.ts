import { randomUUIDv7 } from 'node:crypto';
import { z } from 'zod';
import type { Channel, ChannelInput } from '#contract/channels.ts';
import { adapterFor, splitSecrets } from '#delivery/registry.ts';
import * as rows from '#features/channels/channels.db.ts';
import { announce } from '#platform/changes.ts';
import { personOf, type TenantContext } from '#platform/context.ts';
import { Invalid, NotFound, Unprocessable } from '#platform/errors.ts';
import { fieldErrors } from '#platform/field-errors.ts';
import type { EgressGuard } from '#platform/outbound/guard.ts';
import type { SecretBox } from '#platform/secrets.ts';

/** What saving a channel needs from outside the database. */
export type ChannelPorts = { secrets: SecretBox; guard: EgressGuard };

export async function listChannels(ctx: TenantContext): Promise<Channel[]> {
  return (await rows.findChannels(ctx.db, { workspaceId: ctx.workspaceId })).map(onTheWire);
}

export async function createChannel(
  ctx: TenantContext,
  { input, ports }: { input: ChannelInput; ports: ChannelPorts },
): Promise<Channel> {
  const id = randomUUIDv7();
  const prepared = await prepare(ctx, { id, input, keptSecrets: {}, ports });
  await rows.insertChannel(ctx.db, {
    ...prepared,
    id,
    workspaceId: ctx.workspaceId,
    type: input.type,
    name: input.name.trim(),
    isActive: input.is_active,
    isVerified: false,
    createdBy: personOf(ctx.actor),
    now: ctx.now.toString(),
  });
  await announce(ctx, ['channels']);
  return onTheWire(await mustFind(ctx, id));
}

/** A secret left out keeps its value; a changed type clears everything; a changed configuration must be verified anew. */
export async function updateChannel(
  ctx: TenantContext,
  { id, changes, ports }: { id: string; changes: Partial<ChannelInput>; ports: ChannelPorts },
): Promise<Channel> {
  const before = await mustFind(ctx, id);
  const type = changes.type ?? before.type;
  const isSameType = type === before.type;
  const input: ChannelInput = {
    name: changes.name ?? before.name,
    type,
    is_active: changes.is_active ?? before.is_active,
    configuration: changes.configuration ?? (isSameType ? before.configuration : {}),
  };
  const isConfigured = changes.configuration !== undefined || !isSameType;
  const prepared = isConfigured
    ? await prepare(ctx, { id, input, keptSecrets: isSameType ? before.sealed_secrets : {}, ports })
    : { configuration: before.configuration, sealedSecrets: before.sealed_secrets };
  await rows.replaceChannel(ctx.db, {
    ...prepared,
    id,
    workspaceId: ctx.workspaceId,
    type,
    name: input.name.trim(),
    isActive: input.is_active,
    isVerified: before.is_verified && !isConfigured,
    now: ctx.now.toString(),
  });
  await announce(ctx, ['channels']);
  return onTheWire(await mustFind(ctx, id));
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

type Prepared = { configuration: Record<string, unknown>; sealedSecrets: Record<string, string> };

/** Checks the configuration as the adapter will read it, asks the egress guard about where it leads, seals its secrets. */
async function prepare(
  ctx: TenantContext,
  {
    id,
    input,
    keptSecrets,
    ports,
  }: { id: string; input: ChannelInput; keptSecrets: Record<string, string>; ports: ChannelPorts },
): Promise<Prepared> {
  const adapter = adapterFor(input.type, input.configuration);
  if (adapter === null) throw new Unprocessable(`Channels of type ${input.type} cannot be sent by this version`);
  const place = { workspaceId: ctx.workspaceId, channelId: id };
  assertTextSecrets(adapter.secretFields, input.configuration);
  const { shown, secrets } = splitSecrets(adapter, input.configuration);
  const kept = Object.fromEntries(
    Object.entries(keptSecrets).map(([field, sealed]) => [field, ports.secrets.open(sealed, place)]),
  );
  const parsed = adapter.shape.safeParse({ ...shown, ...kept, ...secrets });
  if (!parsed.success) throw new Invalid(fieldErrors(parsed.error, ['configuration']));
  await assertReachable(shown, ports.guard);
  const sealedNow = Object.entries(secrets).map(([field, value]) => [field, ports.secrets.seal(value, place)]);
  return { configuration: shown, sealedSecrets: { ...keptSecrets, ...Object.fromEntries(sealedNow) } };
}

function assertTextSecrets(secretFields: readonly string[], configuration: Record<string, unknown>): void {
  const wrong = secretFields.filter((field) => !['string', 'undefined'].includes(typeof configuration[field]));
  if (wrong.length > 0)
    throw new Invalid(wrong.map((field) => ({ path: `configuration.${field}`, message: 'must be text' })));
}

const Text = z.string().optional().catch(undefined);

/** The fields of a configuration that say where traffic goes. What is none to its adapter may be of any type. */
const Destination = z.object({
  url: Text,
  base_url: Text,
  webhook_url: Text,
  smtp_host: Text,
  smtp_port: z.coerce.number().optional().catch(undefined),
});

async function assertReachable(configuration: Record<string, unknown>, guard: EgressGuard): Promise<void> {
  const { smtp_host: host, smtp_port: port, ...urls } = Destination.parse(configuration);
  for (const [field, url] of Object.entries(urls)) {
    if (url === undefined || url === '') continue;
    refuse(field, await guard.checkUrl(url));
  }
  if (host !== undefined) refuse('smtp_host', await guard.checkHost(host, port ?? 587));
}

function refuse(field: string, verdict: 'allowed' | { refused: string }): void {
  if (verdict !== 'allowed') throw new Invalid([{ path: `configuration.${field}`, message: verdict.refused }]);
}

function onTheWire({ sealed_secrets: sealed, ...row }: rows.ChannelRow): Channel {
  return { ...row, secrets_set: Object.keys(sealed) };
}

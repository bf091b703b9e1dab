import { adapterFor, destinationFieldsOf, providerField } from '#delivery/registry.ts';
import { writtenIn } from '#domain/secret-destination.ts';
import { callbackTokenField } from '#features/channels/callback-token.ts';
import type { ChannelRow } from '#features/channels/channels.db.ts';
import { recordAct } from '#platform/audit.ts';
import type { TenantContext } from '#platform/context.ts';

type Stored = Pick<ChannelRow, 'id' | 'name' | 'type' | 'is_active' | 'configuration' | 'sealed_secrets'>;

/** The audit entry of a new channel: its destination and the names of its secrets, never their values. */
export async function recordCreation(ctx: TenantContext, channel: Stored): Promise<void> {
  const details = {
    name: channel.name,
    ...destinationOf(channel),
    ...inWords({ set: secretsOf(channel), removed: [] }),
  };
  await recordAct(ctx, { action: 'channel.created', target: channel.id, details });
  if (mayMention(channel))
    await recordAct(ctx, { action: 'channel.mentions_allowed', target: channel.id, details: { name: channel.name } });
}

/**
 * The audit entries of an edit: one each for the name, for being on or off, for mentions in Slack, for a changed destination, and for secrets that were
 * entered, replaced or removed.
 */
export async function recordChange(
  ctx: TenantContext,
  { before, after }: { before: Stored; after: Stored },
): Promise<void> {
  const { id: target, name } = after;
  if (before.name !== name)
    await recordAct(ctx, { action: 'channel.renamed', target, details: { from: before.name, to: name } });
  if (before.is_active !== after.is_active)
    await recordAct(ctx, {
      action: after.is_active ? 'channel.activated' : 'channel.deactivated',
      target,
      details: { name },
    });
  if (mayMention(before) !== mayMention(after))
    await recordAct(ctx, {
      action: mayMention(after) ? 'channel.mentions_allowed' : 'channel.mentions_forbidden',
      target,
      details: { name },
    });
  const moved = changesOf(destinationOf(before), destinationOf(after));
  if (Object.keys(moved).length > 0)
    await recordAct(ctx, { action: 'channel.destination_changed', target, details: { name, ...moved } });
  // An unchanged secret is still sealed as it was stored; one that was entered is sealed anew.
  const set = secretsOf(after).filter((field) => after.sealed_secrets[field] !== before.sealed_secrets[field]);
  const removed = secretsOf(before).filter((field) => !(field in after.sealed_secrets));
  if (set.length + removed.length > 0)
    await recordAct(ctx, {
      action: 'channel.secrets_changed',
      target,
      details: { name, ...inWords({ set, removed }) },
    });
}

/** The type, the provider and the fields that decide the destination. A field that is a secret is left out. */
function destinationOf({ type, configuration }: Stored): Record<string, string> {
  const adapter = adapterFor(type, configuration);
  const shown =
    adapter === null ? [] : destinationFieldsOf(adapter).filter(({ name }) => !adapter.secretFields.includes(name));
  const fields = shown.map((field) => [field.name, writtenIn(configuration, field)]);
  return { type, [providerField(type)]: adapter?.provider ?? '', ...Object.fromEntries(fields) };
}

const mayMention = ({ type, configuration }: Stored) => type === 'slack' && configuration.allow_mentions === true;

const secretsOf = ({ sealed_secrets: sealed }: Stored) =>
  Object.keys(sealed).filter((field) => field !== callbackTokenField);

const inWords = ({ set, removed }: { set: readonly string[]; removed: readonly string[] }) => ({
  ...(set.length > 0 && { set: set.join(', ') }),
  ...(removed.length > 0 && { removed: removed.join(', ') }),
});

function changesOf(before: Record<string, string>, after: Record<string, string>): Record<string, string> {
  const names = Object.keys({ ...before, ...after }).filter((name) => before[name] !== after[name]);
  return Object.fromEntries(names.map((name) => [name, `${before[name] ?? ''} -> ${after[name] ?? ''}`]));
}

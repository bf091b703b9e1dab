import { z } from 'zod';
import type { ChannelInput } from '#contract/channels.ts';
import { parseEmail } from '#contract/email-address.ts';
import type { FieldError } from '#contract/errors.ts';
import { invisibleInAddress, invisibleInName } from '#contract/invisible.ts';
import type { AnyAdapter } from '#delivery/load-adapters.ts';
import { adaptersOf, destinationFieldsOf, providerField, splitSecrets } from '#delivery/registry.ts';
import { changedFields, enterAgainText } from '#domain/secret-destination.ts';
import { callbackGeneration, callbackToken, callbackTokenField } from '#features/channels/callback-token.ts';
import { Invalid, Unprocessable } from '#platform/errors.ts';
import { fieldErrors } from '#platform/field-errors.ts';
import type { EgressGuard } from '#platform/outbound/guard.ts';
import type { SecretBox } from '#platform/secrets.ts';

type Configuration = Record<string, unknown>;

/** The stored form of a configuration: the visible fields, and the secrets, each sealed separately. */
export type Prepared = { configuration: Configuration; sealedSecrets: Record<string, string> };

type Input = Pick<ChannelInput, 'type' | 'configuration'>;

/**
 * Validates a configuration with its adapter, checks its destination with the egress guard, and seals its secrets.
 * Secrets of `before` are kept where they are left out and the provider is the same; null removes one. They must be
 * entered again where they would go to a new destination. Throws Invalid with the field's path.
 */
export async function prepareConfiguration(
  input: Input,
  {
    context,
    before,
    secrets: box,
    guard,
  }: {
    context: { workspaceId: string; channelId: string };
    before: (Input & Prepared) | null;
    secrets: SecretBox;
    guard: EgressGuard;
  },
): Promise<Prepared> {
  const { [callbackTokenField]: _, ...given } = input.configuration;
  const sameType = before?.type === input.type ? before : null;
  const providerBefore = sameType?.configuration[providerField(input.type)];
  const adapter = chooseAdapter(input.type, { given, providerBefore });
  const isSameProvider = providerBefore === undefined || providerBefore === adapter.provider;
  const stored = isSameProvider ? sameType : null;
  const keptSecrets = withoutRemoved(stored?.sealedSecrets ?? {}, given);

  assertTextSecrets(adapter.secretFields, given);
  const { shown, secrets } = splitSecrets(adapter, given);
  assertVisible(adapter, shown);
  if (adaptersOf(input.type).length > 1) shown[providerField(input.type)] = adapter.provider;
  const open = (sealed: Prepared['sealedSecrets']) =>
    Object.fromEntries(Object.entries(sealed).map(([field, value]) => [field, box.open(value, context)]));
  const whole = { ...shown, ...open(keptSecrets), ...secrets };
  const parsed = adapter.shape.safeParse(whole);
  if (!parsed.success) throw new Invalid(fieldErrors(parsed.error, ['configuration']));
  const change = stored && { before: { ...stored.configuration, ...open(stored.sealedSecrets) }, after: whole };
  const problems = [...notEnteredAgain(adapter, { change, keptSecrets, secrets }), ...badNewSecrets(adapter, secrets)];
  if (problems.length > 0) throw new Invalid(problems);
  await assertReachable(whole, guard);
  // Also of another type or provider: an address that was replaced never works again.
  const generation = callbackGeneration(before?.sealedSecrets ?? {}, { context, secrets: box });
  if (adapter.parseCallback !== undefined || generation > 0)
    secrets[callbackTokenField] = callbackToken({ ...context, generation }, box);
  const sealedNow = Object.entries(secrets).map(([field, value]) => [field, box.seal(value, context)]);
  return { configuration: shown, sealedSecrets: { ...keptSecrets, ...Object.fromEntries(sealedNow) } };
}

const withoutRemoved = (sealed: Prepared['sealedSecrets'], given: Configuration) =>
  Object.fromEntries(Object.entries(sealed).filter(([field]) => given[field] !== null));

type Secrets = {
  /** The configuration before and after the edit, with secrets opened; null where this provider had none before. */
  change: { before: Configuration; after: Configuration } | null;
  keptSecrets: Prepared['sealedSecrets'];
  /** The secrets that the edit contains. */
  secrets: Record<string, string>;
};

/** The secrets that must be entered again, because a changed destination would receive them. */
function notEnteredAgain(adapter: AnyAdapter, { change, keptSecrets, secrets }: Secrets): FieldError[] {
  const changed = change === null ? [] : changedFields(destinationFieldsOf(adapter), change);
  if (changed.length === 0) return [];
  const missing = adapter.secretFields.filter((field) => field in keptSecrets && !(field in secrets));
  return missing.map((field) => ({ path: `configuration.${field}`, message: enterAgainText(changed) }));
}

function badNewSecrets({ newSecrets = {} }: AnyAdapter, secrets: Record<string, string>): FieldError[] {
  return Object.entries(newSecrets).flatMap(([field, shape]) => {
    const problem = shape.optional().safeParse(secrets[field]).error?.issues[0];
    return problem === undefined ? [] : [{ path: `configuration.${field}`, message: problem.message }];
  });
}

const incomplete = 'Configuration incomplete';

/** The named provider, or the stored one; else the only provider of the type, or the only one whose fields are all there. */
function chooseAdapter(
  type: Input['type'],
  { given, providerBefore }: { given: Configuration; providerBefore: unknown },
): AnyAdapter {
  const adapters = adaptersOf(type);
  const field = providerField(type);
  const named = given[field] || providerBefore;
  if (named !== undefined) {
    const found = adapters.find(({ provider }) => provider === named);
    if (found !== undefined) return found;
    const names = adapters.map(({ provider }) => provider).join(', ');
    throw new Invalid([{ path: `configuration.${field}`, message: `must be one of ${names}` }]);
  }
  const fitting = adapters.length === 1 ? adapters : adapters.filter((adapter) => isComplete(adapter, given));
  const [only, second] = fitting;
  if (only !== undefined && second === undefined) return only;
  if (adapters.length === 0) throw new Unprocessable(`Channels of type ${type} cannot be sent by this version`);
  throw new Invalid([{ path: `configuration.${field}`, message: incomplete }]);
}

const isComplete = ({ fields }: AnyAdapter, given: Configuration) =>
  fields.every(({ name, required }) => !required || (given[name] ?? '') !== '');

function assertTextSecrets(secretFields: readonly string[], configuration: Configuration): void {
  const wrong = secretFields.filter((field) => typeof (configuration[field] ?? '') !== 'string');
  if (wrong.length > 0)
    throw new Invalid(wrong.map((field) => ({ path: `configuration.${field}`, message: 'must be text' })));
}

/** Refuses invisible characters in fields of one line; in addresses even the joiners that names may contain. */
function assertVisible({ fields }: AnyAdapter, shown: Configuration): void {
  const wrong = fields.flatMap(({ name, kind }) => {
    const value = shown[name];
    if (kind !== 'text' || typeof value !== 'string') return [];
    const text = value.trim();
    const found = parseEmail(text) === null ? invisibleInName(text) : invisibleInAddress(text);
    return found === null ? [] : [{ path: `configuration.${name}`, message: found }];
  });
  if (wrong.length > 0) throw new Invalid(wrong);
}

const Text = z.string().optional().catch(undefined);

/** The fields that decide the destination, before validation: their values may be anything. */
const Destination = z.object({
  url: Text,
  base_url: Text,
  webhook_url: Text,
  smtp_host: Text,
  smtp_port: z.coerce.number().optional().catch(undefined),
});

async function assertReachable(configuration: Configuration, guard: EgressGuard): Promise<void> {
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

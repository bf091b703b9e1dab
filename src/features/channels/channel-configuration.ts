import { z } from 'zod';
import type { ChannelInput } from '#contract/channels.ts';
import type { AnyAdapter } from '#delivery/load-adapters.ts';
import { adaptersOf, providerField, splitSecrets } from '#delivery/registry.ts';
import { type CallbackPlace, callbackToken } from '#features/channels/callback-token.ts';
import { Invalid, Unprocessable } from '#platform/errors.ts';
import { fieldErrors } from '#platform/field-errors.ts';
import type { EgressGuard } from '#platform/outbound/guard.ts';
import type { SecretBox } from '#platform/secrets.ts';

type Configuration = Record<string, unknown>;

/** What is stored of a configuration: what may be shown, and the secrets each sealed by itself. */
export type Prepared = { configuration: Configuration; sealedSecrets: Record<string, string> };

type Input = Pick<ChannelInput, 'type' | 'configuration'>;

/** Sealed with the secrets of a channel whose provider reports, for its adapter to name the address; never anybody's input. */
export const callbackTokenField = 'callback_token';

/**
 * Checks a configuration as its adapter will read it, asks the egress guard about where it leads, seals its secrets. Those
 * of `before` are kept where they are left out, unless they are another provider's; null removes one. Throws Invalid with
 * the field's path.
 */
export async function prepareConfiguration(
  input: Input,
  {
    place,
    before,
    secrets: box,
    guard,
  }: { place: CallbackPlace; before: (Input & Prepared) | null; secrets: SecretBox; guard: EgressGuard },
): Promise<Prepared> {
  const { [callbackTokenField]: _, ...given } = input.configuration;
  const sameType = before?.type === input.type ? before : null;
  const providerBefore = sameType?.configuration[providerField(input.type)];
  const adapter = chooseAdapter(input.type, { given, providerBefore });
  const isSameProvider = providerBefore === undefined || providerBefore === adapter.provider;
  const keptSecrets = isSameProvider ? withoutRemoved(sameType?.sealedSecrets ?? {}, given) : {};

  assertTextSecrets(adapter.secretFields, given);
  const { shown, secrets } = splitSecrets(adapter, given);
  if (adaptersOf(input.type).length > 1) shown[providerField(input.type)] = adapter.provider;
  const kept = Object.fromEntries(
    Object.entries(keptSecrets).map(([field, sealed]) => [field, box.open(sealed, place)]),
  );
  const whole = { ...shown, ...kept, ...secrets };
  const parsed = adapter.shape.safeParse(whole);
  if (!parsed.success) throw new Invalid(fieldErrors(parsed.error, ['configuration']));
  await assertReachable(whole, guard);
  if (adapter.parseCallback !== undefined) secrets[callbackTokenField] = callbackToken(place, box);
  const sealedNow = Object.entries(secrets).map(([field, value]) => [field, box.seal(value, place)]);
  return { configuration: shown, sealedSecrets: { ...keptSecrets, ...Object.fromEntries(sealedNow) } };
}

const withoutRemoved = (sealed: Prepared['sealedSecrets'], given: Configuration) =>
  Object.fromEntries(Object.entries(sealed).filter(([field]) => given[field] !== null));

const incomplete = 'Configuration incomplete';

/** The provider that is named, or was; else the only one of the type, or the only one for which all is there. */
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

const Text = z.string().optional().catch(undefined);

/** The fields of a configuration that say where traffic goes. What is none to its adapter may be of any type. */
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

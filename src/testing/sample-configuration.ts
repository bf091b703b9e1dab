import type { ChannelField } from '#contract/channels.ts';
import type { AnyAdapter } from '#delivery/load-adapters.ts';
import { adaptersOf, providerField } from '#delivery/registry.ts';

type Sample = {
  /** The origin of all configurable URLs, such as `https://own.example`. */
  origin: string;
  /** Replaces the secrets; two samples with different `secrets` are otherwise equal. */
  secrets?: string;
};

/**
 * A complete configuration of a provider, generated from its form, so that a new provider also has one.
 * @throws Error that names the fields that the provider's schema refuses
 */
export function sampleConfiguration(adapter: AnyAdapter, sample: Sample): Record<string, unknown> {
  const values = Object.fromEntries(adapter.fields.map((field) => [field.name, valueFor(field, { adapter, sample })]));
  const wrong = adapter.shape.safeParse(values).error?.issues.map(({ path }) => String(path[0])) ?? [];
  const isOptional = (name: string) => adapter.fields.some((field) => field.name === name && !field.required);
  // The text of a placeholder such as HXxxxx is not a valid value.
  const configuration = Object.fromEntries(
    Object.entries(values).filter(([name]) => !(wrong.includes(name) && isOptional(name))),
  );
  const { error } = adapter.shape.safeParse(configuration);
  if (error) throw new Error(`${adapter.type}/${adapter.provider} has no sample: ${error.message}`);
  const isOneOfMany = adaptersOf(adapter.type).length > 1;
  return isOneOfMany ? { ...configuration, [providerField(adapter.type)]: adapter.provider } : configuration;
}

function valueFor(field: ChannelField, { adapter, sample }: { adapter: AnyAdapter; sample: Sample }): unknown {
  const { origin, secrets = 'one' } = sample;
  const { kind, placeholder = '', default: usual, options } = field;
  const isSecret = adapter.secretFields.includes(field.name);
  if (placeholder.startsWith('http')) return isSecret ? `${origin}/services/${secrets}` : origin;
  if (isSecret)
    return kind === 'json'
      ? JSON.stringify({ 'x-key': secrets })
      : `a secret of the sample, ${secrets}`.replaceAll(' ', '-');
  if (field.name.endsWith('host')) return new URL(origin).hostname;
  return usual ?? options?.[0]?.value ?? (placeholder || 'sample');
}

/** Other values for a field; the provider's schema decides which are valid. */
export function otherValues({ default: usual, options }: ChannelField, origin: string): unknown[] {
  const { hostname } = new URL(origin);
  const listed = options?.map(({ value }) => value) ?? [];
  return [hostname, origin, `${origin}/path`, 2526, 'eu-west-1', true, false, '', ...listed].filter(
    (value) => value !== usual,
  );
}

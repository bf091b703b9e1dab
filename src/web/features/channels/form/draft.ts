import type { Channel, ChannelTypeForm } from '#contract/channels.ts';
import { changedFields } from '#domain/secret-destination.ts';
import type { ChannelBody, ChannelChanges } from '#web/api/channels.ts';

export type FormField = ChannelTypeForm['providers'][number]['fields'][number];
type Kind = Channel['type'];

/** The state of the channel form. Its paths match the contract, so that errors find their fields. */
export type ChannelDraft = {
  name: string;
  type: Kind;
  is_active: boolean;
  /** The rate limit: text while it is not a number, blank for none. */
  rate_limit_per_second: number | string;
  /** The fields; null removes a stored secret. */
  configuration: Record<string, string | number | boolean | null>;
  /** Whether the type was changed, so that the stored configuration does not apply. */
  isCleared: boolean;
};

/** The context of a draft: the forms of all types, and the saved channel when one is edited. */
export type Frame = { types: readonly ChannelTypeForm[]; channel: Channel | null };

export const newDraft = (type: Kind): ChannelDraft => ({
  name: '',
  type,
  is_active: true,
  rate_limit_per_second: '',
  configuration: {},
  isCleared: false,
});

/** The draft of a saved channel; its secrets are not known here. */
export function draftOf({ name, type, is_active, rate_limit_per_second: rate, configuration }: Channel): ChannelDraft {
  const known = Object.entries(configuration).flatMap(([field, value]) =>
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? [[field, value]] : [],
  );
  return {
    name,
    type,
    is_active,
    rate_limit_per_second: rate ?? '',
    configuration: Object.fromEntries(known),
    isCleared: false,
  };
}

/** Changes the type and clears the configuration, because each type has its own fields. */
export const withType = (draft: ChannelDraft, type: Kind): ChannelDraft =>
  type === draft.type ? draft : { ...draft, type, configuration: {}, isCleared: true };

const formOf = ({ type }: ChannelDraft, { types }: Pick<Frame, 'types'>) => types.find((form) => form.type === type);

/** Whether the type has several providers; the choice is then its first field. */
export const hasProviders = (draft: ChannelDraft, frame: Pick<Frame, 'types'>) =>
  formOf(draft, frame)?.provider_field !== null;

/** The provider that the draft names, or the only one of its type. */
export function providerOf(draft: ChannelDraft, { types }: Pick<Frame, 'types'>) {
  const form = formOf(draft, { types });
  if (form === undefined) return null;
  const { provider_field: field, providers } = form;
  const found =
    field === null ? providers[0] : providers.find(({ provider }) => provider === draft.configuration[field]);
  return found ?? null;
}

/** The visible fields in order: the choice of a provider first, if any. */
export function fieldsOf(draft: ChannelDraft, { types }: Pick<Frame, 'types'>): FormField[] {
  const form = formOf(draft, { types });
  if (form === undefined) return [];
  const own = providerOf(draft, { types })?.fields ?? [];
  const shown = own.filter(({ shown_if: condition }) => {
    const other = own.find(({ name }) => name === condition?.field);
    return condition === undefined || (other !== undefined && valueOf(other, draft) === condition.value);
  });
  return form.provider_field === null ? shown : [providerChoice(form, form.provider_field), ...shown];
}

const providerChoice = ({ providers }: ChannelTypeForm, name: string): FormField => ({
  name,
  label: name === 'method' ? 'Method' : 'Provider',
  kind: 'select',
  required: true,
  secret: false,
  decides_destination: false,
  placeholder: `Choose a ${name}`,
  options: providers.map(({ provider, title }) => ({ value: provider, label: title })),
});

/** The value of a field: the input, else the default. */
export const valueOf = ({ name, kind, default: first }: FormField, { configuration }: ChannelDraft) =>
  configuration[name] ?? first ?? (kind === 'switch' ? false : '');

/** Whether saving keeps a stored secret when its field is left blank. */
export function isSet({ name, secret }: FormField, { draft, frame }: { draft: ChannelDraft; frame: Frame }): boolean {
  const { channel, types } = frame;
  if (!secret || channel === null || draft.isCleared || !channel.secrets_set.includes(name)) return false;
  return providerOf(draft, { types }) === providerOf(draftOf(channel), { types });
}

/**
 * The changed fields of a saved channel that decide the destination of its secrets: saved secrets are not sent to a new
 * destination.
 */
export function changedDestination(draft: ChannelDraft, { channel, types }: Frame): FormField[] {
  const deciding = (providerOf(draft, { types })?.fields ?? []).filter((field) => field.decides_destination);
  return channel === null ? [] : changedFields(deciding, { before: channel.configuration, after: draft.configuration });
}

/** The effect of saving on a stored secret. */
export type StoredSecret = 'none' | 'kept' | 'replaced' | 'removed' | 'asked again';

export function storedSecret(field: FormField, at: { draft: ChannelDraft; frame: Frame }): StoredSecret {
  const { draft, frame } = at;
  const value = draft.configuration[field.name];
  if (!isSet(field, at)) return 'none';
  if (value === null) return 'removed';
  if (!isBlank(value ?? '')) return 'replaced';
  return changedDestination(draft, frame).length > 0 ? 'asked again' : 'kept';
}

/** The visible required fields that are blank. */
export const missingFrom = (draft: ChannelDraft, frame: Frame): FormField[] =>
  fieldsOf(draft, frame).filter((field) => {
    if (!isBlank(valueOf(field, draft))) return false;
    const stored = storedSecret(field, { draft, frame });
    return stored === 'asked again' || (field.required && stored !== 'kept');
  });

const isBlank = (value: unknown) => typeof value === 'string' && value.trim() === '';

/** The request that creates a channel. Hidden fields are not sent. */
export const inputOf = (draft: ChannelDraft, frame: Frame): ChannelBody => ({
  name: draft.name.trim(),
  type: draft.type,
  is_active: draft.is_active,
  rate_limit_per_second: rateOf(draft),
  configuration: Object.fromEntries(
    fieldsOf(draft, frame).flatMap((field) => {
      const value = field.secret && draft.configuration[field.name] === null ? null : valueOf(field, draft);
      if (!isBlank(value)) return [[field.name, value]];
      // The type was changed and changed back, which cleared the draft: null removes the stored secret.
      return field.secret && draft.isCleared && draft.type === frame.channel?.type ? [[field.name, null]] : [];
    }),
  ),
});

const rateOf = ({ rate_limit_per_second: rate }: ChannelDraft) => (rate === '' ? null : Number(rate));

/** The request that updates a channel: an unchanged configuration is not sent and stays verified. */
export function changesOf(draft: ChannelDraft, frame: Frame & { channel: Channel }): ChannelChanges {
  const { name, type, is_active, rate_limit_per_second: rate, configuration } = inputOf(draft, frame);
  const before = inputOf(draftOf(frame.channel), frame);
  return {
    name,
    ...(type !== before.type && { type }),
    ...(is_active !== before.is_active && { is_active }),
    ...(rate !== before.rate_limit_per_second && { rate_limit_per_second: rate }),
    ...((type !== before.type || JSON.stringify(configuration) !== JSON.stringify(before.configuration)) && {
      configuration,
    }),
  };
}

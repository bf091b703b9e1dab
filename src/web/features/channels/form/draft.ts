import type { Channel, ChannelTypeForm } from '#contract/channels.ts';
import type { ChannelBody, ChannelChanges } from '#web/api/channels.ts';

export type FormField = ChannelTypeForm['providers'][number]['fields'][number];
type Kind = Channel['type'];

/** A channel while it is written. Its paths are those of the contract, so that an error finds its field. */
export type ChannelDraft = {
  name: string;
  type: Kind;
  is_active: boolean;
  /** Text while the number is not one yet; blank for no limit. */
  rate_limit_per_second: number | string;
  /** Null takes a stored secret away. */
  configuration: Record<string, string | number | boolean | null>;
  /** The type was changed: nothing that is stored counts any more. */
  isCleared: boolean;
};

/** What a draft is read with: the forms of all types, and the stored channel where one is edited. */
export type Frame = { types: readonly ChannelTypeForm[]; channel: Channel | null };

export const newDraft = (type: Kind): ChannelDraft => ({
  name: '',
  type,
  is_active: true,
  rate_limit_per_second: '',
  configuration: {},
  isCleared: false,
});

/** A stored channel, opened for editing; its secrets are not known here. */
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

/** Another type asks for other things: what was filled in is gone. */
export const withType = (draft: ChannelDraft, type: Kind): ChannelDraft =>
  type === draft.type ? draft : { ...draft, type, configuration: {}, isCleared: true };

const formOf = ({ type }: ChannelDraft, { types }: Pick<Frame, 'types'>) => types.find((form) => form.type === type);

/** Whether the type leaves a choice of providers, which then is the first of its fields. */
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

/** The inputs to show, in their order: the choice of a provider first, where there is one. */
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
  placeholder: `Choose a ${name}`,
  options: providers.map(({ provider, title }) => ({ value: provider, label: title })),
});

/** What an input shows: what was filled in, else what the field begins with. */
export const valueOf = ({ name, kind, default: first }: FormField, { configuration }: ChannelDraft) =>
  configuration[name] ?? first ?? (kind === 'switch' ? false : '');

/** Whether a secret is stored that saving keeps where nothing is typed. */
export function isSet({ name, secret }: FormField, { draft, frame }: { draft: ChannelDraft; frame: Frame }): boolean {
  const { channel, types } = frame;
  if (!secret || channel === null || draft.isCleared || !channel.secrets_set.includes(name)) return false;
  return providerOf(draft, { types }) === providerOf(draftOf(channel), { types });
}

/** The shown fields that must be filled in and are not. */
export const missingFrom = (draft: ChannelDraft, frame: Frame): FormField[] =>
  fieldsOf(draft, frame).filter(
    (field) =>
      field.required &&
      isBlank(valueOf(field, draft)) &&
      !(isSet(field, { draft, frame }) && draft.configuration[field.name] !== null),
  );

const isBlank = (value: unknown) => typeof value === 'string' && value.trim() === '';

/** What is sent to create a channel. What is not shown is not sent. */
export const inputOf = (draft: ChannelDraft, frame: Frame): ChannelBody => ({
  name: draft.name.trim(),
  type: draft.type,
  is_active: draft.is_active,
  rate_limit_per_second: rateOf(draft),
  configuration: Object.fromEntries(
    fieldsOf(draft, frame).flatMap((field) => {
      const value = field.secret && draft.configuration[field.name] === null ? null : valueOf(field, draft);
      if (!isBlank(value)) return [[field.name, value]];
      // Stored under the type as it was before it was changed, and changed back.
      return field.secret && draft.isCleared && draft.type === frame.channel?.type ? [[field.name, null]] : [];
    }),
  ),
});

const rateOf = ({ rate_limit_per_second: rate }: ChannelDraft) => (rate === '' ? null : Number(rate));

/** What is sent to change one: a configuration that stays the same stays verified. */
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

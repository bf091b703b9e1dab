import { counted } from '#domain/in-words.ts';
import { type Audience, isAudience } from '#contract/audience.ts';
import { type ChannelType, destinationNames, isAddressed, needsRecipients } from '#contract/channel-types.ts';

export type Known = {
  /** The workspace's groups; undefined until they are loaded. */
  groups: readonly { id: string; name: string }[] | undefined;
  /** The people of the audience, and its picked contacts that exist; undefined until they are counted. */
  counted: { people: number; contacts: readonly { name: string }[] } | undefined;
};

const namedAtMost = 2;

const ofEvent = 'Whom the event names';

/** Who gets a reminder: `Tenants of 12 Elm, vip · 188 in its audience + 2 recipients`. Who belongs to it is asked again when it is sent, and not everybody may get it. */
export function recipientsText(
  listed: number,
  {
    audience,
    isForEvent = false,
    channels,
    ...known
  }: Partial<Known> & { audience?: Audience | undefined; isForEvent?: boolean; channels: readonly ChannelType[] },
): string {
  if (!needsRecipients(channels))
    return channels.flatMap((channel) => (isAddressed(channel) ? [] : [destinationNames[channel]])).join(' + ');
  const isAlone = listed === 0 && !isForEvent && channels.every(isAddressed);
  return [
    ...(isForEvent ? [ofEvent] : []),
    ...(isAudience(audience) ? [audienceText(audience, { ...known, isAlone })] : []),
    ...numbered(listed, 'recipient'),
  ].join(' + ');
}

/** `isAlone`: whether nobody else gets the reminder. */
function audienceText(
  audience: Audience,
  { groups, counted: found, isAlone }: Partial<Known> & { isAlone: boolean },
): string {
  const groupNames = new Map(groups?.map(({ id, name }) => [id, name]));
  const missing = groups === undefined ? 'a group' : 'a deleted group';
  const [only] = found?.contacts ?? [];
  const picked = audience.contacts?.length ?? 0;
  const names = [
    ...(audience.everyone === true ? ['Everyone'] : []),
    ...(audience.groups ?? []).map((id) => groupNames.get(id) ?? missing),
    ...(audience.tags ?? []),
    ...(picked === 1 && only !== undefined ? [only.name] : numbered(picked, 'contact')),
  ];
  const more = names.length - namedAtMost;
  const named = [...names.slice(0, namedAtMost), ...(more > 0 ? [`${more} more`] : [])].join(', ');
  if (found === undefined) return named;
  const isNobody = found.people === 0 && isAlone;
  return `${named} · ${isNobody ? 'reaches nobody now' : `${found.people.toLocaleString('en')} in its audience`}`;
}

const numbered = (count: number, noun: string) => (count === 0 ? [] : [counted(count, noun)]);

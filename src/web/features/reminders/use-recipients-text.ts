import { type Audience, isAudience } from '#contract/audience.ts';
import { type ChannelType, needsRecipients } from '#contract/channel-types.ts';
import { useAudience, useContactGroups } from '#web/api/contact-groups.ts';
import { recipientsText } from './recipients-text.ts';

/** Who gets a reminder, by name and number: of an audience `Tenants of 12 Elm · 188 in its audience`, else the number of recipients. */
export function useRecipientsText(
  listed: number,
  {
    audience,
    isForEvent,
    channels,
  }: { audience: Audience | undefined; isForEvent: boolean; channels: readonly ChannelType[] },
): string {
  const isAsked = isAudience(audience);
  const { data: groups } = useContactGroups({ isAsked: isAsked && (audience.groups?.length ?? 0) > 0 });
  const { data: counted } = useAudience(audience);
  if (isAsked) return recipientsText(listed, { audience, groups, counted, isForEvent, channels });
  return isForEvent || !needsRecipients(channels)
    ? recipientsText(listed, { isForEvent, channels })
    : listed.toLocaleString('en');
}

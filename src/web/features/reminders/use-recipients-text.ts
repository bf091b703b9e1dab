import { type Audience, isAudience } from '#contract/audience.ts';
import { useAudience, useContactGroups } from '#web/api/contact-groups.ts';
import { recipientsText } from './recipients-text.ts';

/** Who gets a reminder, by name and number: of an audience `Tenants of 12 Elm · 188 people`, else the number of recipients. */
export function useRecipientsText(
  listed: number,
  { audience, isForEvent }: { audience: Audience | undefined; isForEvent: boolean },
): string {
  const isAsked = isAudience(audience);
  const { data: groups } = useContactGroups({ isAsked: isAsked && (audience.groups?.length ?? 0) > 0 });
  const { data: counted } = useAudience(audience);
  if (isAsked) return recipientsText(listed, { audience, groups, counted, isForEvent });
  return isForEvent ? recipientsText(listed, { isForEvent }) : listed.toLocaleString('en');
}

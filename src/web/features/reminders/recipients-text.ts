import { type Audience, isAudience } from '#contract/audience.ts';

/** The number of listed recipients, and the audience: `2 + 1 group, vip`. Who belongs to it is known when it is sent. */
export function recipientsText(listed: number, audience: Audience | undefined): string {
  if (!isAudience(audience)) return listed.toLocaleString('en');
  const { everyone = false, groups = [], tags = [], contacts = [] } = audience;
  const parts = [
    ...(everyone ? ['everyone'] : []),
    ...counted(groups.length, 'group'),
    ...tags.slice(0, 2),
    ...(tags.length > 2 ? [`${tags.length - 2} more tags`] : []),
    ...counted(contacts.length, 'contact'),
  ];
  return [...(listed > 0 ? [listed.toLocaleString('en')] : []), parts.join(', ')].join(' + ');
}

const counted = (count: number, noun: string) =>
  count === 0 ? [] : [`${count.toLocaleString('en')} ${count === 1 ? noun : `${noun}s`}`];

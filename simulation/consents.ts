import type { Word } from '#domain/newest-consent.ts';
import { recipientKey } from '#domain/recipients.ts';
import type { Act } from '#simulation/people.ts';
import { asFilled, type Random } from '#simulation/random.ts';
import { isoOf } from '#simulation/tables.ts';
import { topicsOf } from '#simulation/topics.ts';

/** Those who have agreed before anything is sent: most, to everything, to optional messages or to one topic. Without draws. */
export function firstConsents(workspaceId: string, now: Temporal.Instant): Act[] {
  const [events = null] = topicsOf(workspaceId).map(({ id }) => id);
  const said_at = isoOf(now.subtract({ hours: 30 }));
  const everything = { covers: 'everything', topic_id: null } as const;
  const agreed = (['one.example/a', 'one.example/b', 'two.example/a', 'two.example/b'] as const).map((path, at) => ({
    channel: 'webhook' as const,
    recipient: `https://${path}`,
    word:
      at === 1
        ? ({ covers: 'optional', topic_id: null } as const)
        : at === 2
          ? ({ covers: 'topic', topic_id: events } as const)
          : everything,
  }));
  const others = [
    { channel: 'webhook' as const, recipient: 'anna@mail.example', word: everything },
    { channel: 'webhook' as const, recipient: '+49301234567', word: everything },
    { channel: 'sms' as const, recipient: '+49301234567', word: everything },
  ];
  return [...agreed, ...others].map(({ channel, recipient, word }) => ({
    kind: 'consent',
    workspaceId,
    channel,
    recipient: recipientKey(recipient),
    word: { ...word, kind: 'given', precedence: 2, said_at },
  }));
}

/** What somebody says now about messages of the workspace `of`, or said earlier and is known only now. */
export function someConsent(random: Random, { now, of }: { now: Temporal.Instant; of: string }): Word {
  const topicId = random.pick(asFilled(topicsOf(of).map(({ id }) => id)));
  return {
    kind: random.pick(['given', 'withdrawn', 'withdrawn'] as const),
    ...random.pick([
      { covers: 'everything', topic_id: null } as const,
      { covers: 'everything', topic_id: null } as const,
      { covers: 'optional', topic_id: null } as const,
      { covers: 'topic', topic_id: topicId } as const,
    ]),
    precedence: random.pick([0, 0, 1, 2]),
    said_at: isoOf(now.subtract({ seconds: random.pick([0, 0, 30, 3_600, 40 * 3_600]) })),
  };
}

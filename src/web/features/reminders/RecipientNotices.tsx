import { useMemo } from 'react';
import type { ChannelType } from '#contract/channel-types.ts';
import { mistypedIn, targetsOf } from '#domain/recipients.ts';
import { Notice } from '#web/ui/Notice.tsx';

const namedAtMost = 3;

type RecipientNoticesProps = { recipients: readonly string[]; channels: readonly ChannelType[] };

/** Lists the recipients that get no messages and those that look mistyped, with the reasons. */
export function RecipientNotices({ recipients, channels }: RecipientNoticesProps) {
  const skipped = useMemo(
    () =>
      targetsOf(recipients, channels).flatMap(({ recipient, problem }) => {
        if (problem === null) return [];
        const { reason } = problem;
        return [reason.includes(recipient) ? reason : `${recipient}: ${reason}`];
      }),
    [recipients, channels],
  );
  const mistyped = useMemo(
    () => mistypedIn(recipients, channels).map(({ address, typo }) => `${address} ${typo}`),
    [recipients, channels],
  );
  return (
    <>
      <Listed one="One recipient will be skipped:" several="recipients will be skipped:" sentences={skipped} />
      <Listed one="One address looks mistyped:" several="addresses look mistyped:" sentences={mistyped} />
    </>
  );
}

type ListedProps = { one: string; several: string; sentences: readonly string[] };

function Listed({ one, several, sentences }: ListedProps) {
  if (sentences.length === 0) return null;
  const more = sentences.length - namedAtMost;
  return (
    <Notice>
      {sentences.length === 1 ? one : `${sentences.length.toLocaleString('en')} ${several}`}
      <ul>
        {[...new Set(sentences.slice(0, namedAtMost))].map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
        {more > 0 && <li>and {more.toLocaleString('en')} more</li>}
      </ul>
    </Notice>
  );
}

import { useMemo } from 'react';
import type { ChannelType } from '#contract/reminders.ts';
import { targetsOf } from '#domain/recipients.ts';
import { Notice } from './Notice.tsx';

const namedAtMost = 3;

type MisfitNoticeProps = { recipients: readonly string[]; channels: readonly ChannelType[] };

/** Says quietly which recipients none of the channels can reach, and why. */
export function MisfitNotice({ recipients, channels }: MisfitNoticeProps) {
  const misfits = useMemo(
    () => targetsOf(recipients, channels).filter(({ problem }) => problem !== null),
    [recipients, channels],
  );
  if (misfits.length === 0) return null;
  const more = misfits.length - namedAtMost;
  return (
    <Notice>
      {misfits.length === 1 ? 'One recipient will be skipped:' : `${misfits.length} recipients will be skipped:`}
      <ul>
        {misfits.slice(0, namedAtMost).map(({ recipient, problem }) => (
          <li key={recipient}>{problem?.includes(recipient) ? problem : `${recipient}: ${problem}`}</li>
        ))}
        {more > 0 && <li>and {more.toLocaleString('en')} more</li>}
      </ul>
    </Notice>
  );
}

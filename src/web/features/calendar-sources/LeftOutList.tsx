import { Box } from '@mantine/core';
import type { LeftOut } from '#contract/calendar-sources.ts';
import prose from '#web/ui/prose.module.css';

/** Events without a message, and those that were read with a doubt, by the reason. */
export function LeftOutList({ of }: { of: readonly LeftOut[] }) {
  const said = [
    inWords(
      of.filter((one) => one.is_scheduled !== true),
      'left out',
    ),
    inWords(
      of.filter((one) => one.is_scheduled === true),
      'read with a doubt',
    ),
  ].filter((words) => words !== null);
  if (said.length === 0) return null;
  return (
    <Box component="details" mt={6} fz={13}>
      <summary className={prose.summary}>{said.join(', ')}</summary>
      <Box component="ul" m="4px 0 0" pl={20}>
        {of.map(({ reason, count: some, titles }) => (
          <li key={reason}>
            {reason}: {some.toLocaleString('en')}
            {titles.length > 0 && ` (${titles.join(', ')}${some > titles.length ? ', …' : ''})`}
          </li>
        ))}
      </Box>
    </Box>
  );
}

function inWords(some: readonly LeftOut[], how: string): string | null {
  const count = some.reduce((sum, one) => sum + one.count, 0);
  return count === 0 ? null : `${count.toLocaleString('en')} ${count === 1 ? 'event is' : 'events are'} ${how}`;
}

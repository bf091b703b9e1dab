import { Box } from '@mantine/core';
import type { LeftOut } from '#contract/calendar-sources.ts';
import prose from '#web/ui/prose.module.css';

/** Events without a message, by the reason. */
export function LeftOutList({ of }: { of: readonly LeftOut[] }) {
  const count = of.reduce((sum, one) => sum + one.count, 0);
  if (count === 0) return null;
  return (
    <Box component="details" mt={6} fz={13}>
      <summary className={prose.summary}>
        {count.toLocaleString('en')} {count === 1 ? 'event is' : 'events are'} left out
      </summary>
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

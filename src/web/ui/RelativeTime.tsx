import { Tooltip } from '@mantine/core';
import { useEffect, useState } from 'react';
import { momentText, viewerZone } from './InstantText.tsx';
import { relativeText } from './relative-time.ts';

/** An instant in words, `in 2 hours`, that keeps itself true; hovering shows it in the viewer's zone. */
export function RelativeTime({ at }: { at: string }) {
  const now = useNow(30_000);
  return (
    <Tooltip
      label={`${momentText(at, viewerZone())} (${viewerZone()})`}
      events={{ hover: true, focus: true, touch: true }}
    >
      <time dateTime={at}>{relativeText(at, now)}</time>
    </Tooltip>
  );
}

/** The time, anew every `everyMs`. */
export function useNow(everyMs: number): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}

import { useEffect, useState } from 'react';
import { momentText, viewerZone } from './InstantText.tsx';
import { relativeText } from './relative-time.ts';

/** A relative time, `in 2 hours`, that updates itself; hovering shows the instant in the viewer's zone. */
export function RelativeTime({ at }: { at: string }) {
  const now = useNow(30_000);
  return (
    <time dateTime={at} data-hint={`${momentText(at, viewerZone())} (${viewerZone()})`}>
      {relativeText(at, now)}
    </time>
  );
}

/** The current time, updated every `everyMs`. */
export function useNow(everyMs: number): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}

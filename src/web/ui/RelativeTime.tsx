import { useEffect, useState } from 'react';
import { viewerZone } from '#web/api/viewer-zone.ts';
import { momentText } from './InstantText.tsx';
import { keepsForMs, relativeText } from './relative-time.ts';

/** A relative time, `in 2 hours`, that updates itself; hovering shows the instant in the viewer's zone. */
export function RelativeTime({ at }: { at: string }) {
  const now = useNowNear(at);
  return (
    <time dateTime={at} data-hint={`${momentText(at, viewerZone())} (${viewerZone()})`}>
      {relativeText(at, now)}
    </time>
  );
}

/** The current time, updated before the instant's text is wrong. */
function useNowNear(at: string): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const update = () => {
      setNow(new Date());
      timer = setTimeout(update, keepsForMs(at, new Date()));
    };
    // Recomputed, because the instant may have changed since the last update.
    let timer = setTimeout(() => {
      setNow((last) => (Date.parse(at) > last.getTime() ? new Date() : last));
      timer = setTimeout(update, keepsForMs(at, new Date()));
    });
    return () => clearTimeout(timer);
  }, [at]);
  return now;
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

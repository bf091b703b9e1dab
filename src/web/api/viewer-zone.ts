let lastZone = { name: '', isFreshUntilMs: -1 };

/** The viewer's IANA zone, cached for a second: asking the browser takes a millisecond, and a list asks hundreds of times. */
export function viewerZone(): string {
  const nowMs = performance.now();
  if (nowMs >= lastZone.isFreshUntilMs)
    lastZone = { name: Intl.DateTimeFormat().resolvedOptions().timeZone, isFreshUntilMs: nowMs + 1_000 };
  return lastZone.name;
}

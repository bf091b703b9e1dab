let lastZone = { name: '', isFreshUntilMs: -1 };

/** The viewer's IANA zone. Asking the browser takes a millisecond, and a list asks hundreds of times: an answer is good for a second. */
export function viewerZone(): string {
  const nowMs = performance.now();
  if (nowMs >= lastZone.isFreshUntilMs)
    lastZone = { name: Intl.DateTimeFormat().resolvedOptions().timeZone, isFreshUntilMs: nowMs + 1_000 };
  return lastZone.name;
}

const longestMs = 24 * 3_600_000;

/**
 * The wait that a `Retry-After` header asks for (RFC 9110, 10.2.3: seconds or an HTTP date), at most 24 hours.
 * Undefined when there is none or it makes no sense.
 */
export function parseRetryAfter(header: string | undefined, now: Temporal.Instant): number | undefined {
  const text = header?.trim();
  if (!text) return undefined;
  if (/^\d{1,15}$/.test(text)) return Math.min(Number(text) * 1000, longestMs);
  // Checked first, because Date.parse would also accept "2" or "tomorrow 5".
  if (!/^[A-Z][a-z]+, [^:]*\d\d:\d\d:\d\d.* GMT$/.test(text)) return undefined;
  const at = Date.parse(text);
  if (Number.isNaN(at)) return undefined;
  return Math.min(Math.max(at - now.epochMilliseconds, 0), longestMs);
}

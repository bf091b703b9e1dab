import type { ErrorCode } from '#contract/errors.ts';
import { networkOf } from '#platform/limit-subject.ts';
import type { Log } from '#platform/log.ts';

/**
 * What somebody who asks for what is not theirs is told; so is, now and then, whoever asks for what was just deleted. A lacking second factor
 * and such lead on, and are not meant.
 */
const refusing: readonly ErrorCode[] = ['unauthenticated', 'forbidden', 'not_found'];

/** Lines in a minute, so that nobody fills the log, nor hides the refusals of others; the rest is counted. */
const most = { ofCaller: 10, ofAll: 60 };

export type Refusal = {
  requestId: string;
  code: ErrorCode;
  method: string;
  /** The path of its declaration, which names nobody. */
  route: string;
  /** The person or the API key; null for a stranger. */
  caller: string | null;
  clientAddress: string;
};

/**
 * Tells administrators, in the log, who was refused what. The same caller, route and answer are one line a minute.
 * @param epochMs the time
 */
export function createRefusalLog(log: Log, { epochMs }: { epochMs: () => number }): (refusal: Refusal) => void {
  let minute = 0;
  let known = new Set<string>();
  let linesOf = new Map<string, number>();
  let omitted = 0;
  return ({ requestId, code, method, route, caller, clientAddress }) => {
    if (!refusing.includes(code)) return;
    const now = Math.floor(epochMs() / 60_000);
    if (now !== minute) {
      if (omitted > 0) log.warn({ refusals: omitted }, 'more requests were refused than the lines before say');
      minute = now;
      known = new Set();
      linesOf = new Map();
      omitted = 0;
    }
    const who = caller ?? networkOf(clientAddress);
    const key = `${who} ${method} ${route} ${code}`;
    const lines = linesOf.get(who) ?? 0;
    if (known.has(key) || known.size >= most.ofAll || lines >= most.ofCaller) {
      omitted += 1;
      return;
    }
    known.add(key);
    linesOf.set(who, lines + 1);
    log.warn({ requestId, code, method, route, caller, clientAddress }, 'a request was refused');
  };
}

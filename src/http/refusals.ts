import type { ErrorCode } from '#contract/errors.ts';
import { networkOf } from '#platform/limit-subject.ts';
import type { Log } from '#platform/log.ts';

/**
 * The codes that are logged: of somebody who asks for what is not theirs, or for what was just deleted. Refusals that ask for a second factor or the
 * like are not among them.
 */
const refusing: readonly ErrorCode[] = ['unauthenticated', 'forbidden', 'not_found'];

/** Lines in a minute, of one caller and of all, so that nobody fills the log or hides others' refusals; the rest is counted. */
const most = { ofCaller: 10, ofAll: 60 };

export type Refusal = {
  requestId: string;
  code: ErrorCode;
  method: string;
  /** The path in the route's declaration, without ids. */
  route: string;
  /** The id of the person or the API key; null for somebody who is not signed in. */
  caller: string | null;
  clientAddress: string;
};

/**
 * Logs for administrators who was refused what. The same caller, route and answer make one line a minute.
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

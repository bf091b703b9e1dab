import type { InboxReport } from '#contract/inbox.ts';
import type { HttpAnswer, HttpRequest } from '#platform/outbound/http.ts';
import type { Accounts } from './accounts.ts';
import type { Emulator, Happening, ReportedMessage } from './emulator.ts';

/** Stores what was reported about a message, and Cuebird's response. */
export type NoteReport = (of: { workspaceId: string; id: string; report: InboxReport }) => Promise<void>;

/** How the sandbox sends callbacks. */
export type Calling = {
  /** Sends a request, through the egress guard. */
  post: (request: HttpRequest) => Promise<HttpAnswer>;
  note: NoteReport;
  /** The time between the response and each report; 0 reports at once. */
  delayMs: number;
};

type Reported = { emulator: Pick<Emulator, 'report'>; message: ReportedMessage; outcome: 'delivered' | 'failed' };

export type Reporter = {
  /** Sends all reports of a message, after the delay. */
  schedule(reported: Reported): void;
  /** Sends all reports of a message without a delay. Resolves when they are sent. */
  report(reported: Reported): Promise<void>;
  /** Sends a reply of the recipient. Null when the provider has no reports of replies. */
  bringReply(
    reported: Omit<Reported, 'outcome'> & { reply: { id: string; text: string } },
  ): Promise<InboxReport | null>;
  /** Drops pending reports, and waits for the current ones. */
  stop(): Promise<void>;
};

/** Sends reports about messages to Cuebird as their providers would, in order and once each. */
export function createReporter({
  post,
  note,
  delayMs,
  accounts,
  now,
}: Calling & { accounts: Accounts; now: () => Temporal.Instant }): Reporter {
  const timers = new Set<NodeJS.Timeout>();
  const running = new Set<Promise<void>>();

  async function callBack(
    { emulator, message }: Omit<Reported, 'outcome'>,
    happening: Happening,
  ): Promise<string | null> {
    let last: string | null = null;
    for (const request of emulator.report?.(message, { happening, accounts, now: now() }) ?? []) {
      last = inWords(await post(request));
    }
    return last;
  }

  async function report(reported: Reported): Promise<void> {
    const { workspaceId, id } = reported.message;
    for (const status of ['sent', reported.outcome] as const) {
      const answer = await callBack(reported, { kind: status });
      if (answer !== null) await note({ workspaceId, id, report: { status, answer } });
    }
  }

  function start(reported: Reported): void {
    // A message that was deleted has no place to store its report.
    const done = report(reported).catch(() => undefined);
    running.add(done);
    void done.then(() => running.delete(done));
  }

  return {
    report,
    schedule(reported) {
      if (delayMs === 0) return start(reported);
      const timer = setTimeout(() => {
        timers.delete(timer);
        start(reported);
      }, delayMs);
      timers.add(timer);
    },
    async bringReply({ reply, ...reported }) {
      const answer = await callBack(reported, { kind: 'reply', ...reply });
      return answer === null ? null : { status: 'delivered', answer };
    },
    async stop() {
      for (const timer of timers) clearTimeout(timer);
      await Promise.all(running);
    },
  };
}

function inWords(answer: HttpAnswer): string {
  return answer.kind === 'answer' ? `HTTP ${answer.status}` : answer.reason;
}

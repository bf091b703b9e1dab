import type { InboxReport } from '#contract/inbox.ts';
import type { HttpAnswer, HttpRequest } from '#platform/outbound/http.ts';
import type { Accounts } from './accounts.ts';
import type { Emulator, Happening, ReportedMessage } from './emulator.ts';

/** Writes down what was reported of a message, and what Cuebird answered. */
export type NoteReport = (of: { workspaceId: string; id: string; report: InboxReport }) => Promise<void>;

/** How the sandbox calls back. */
export type Calling = {
  /** Makes a request, through the egress guard. */
  post: (request: HttpRequest) => Promise<HttpAnswer>;
  note: NoteReport;
  /** From the answer to each report; 0 reports at once. */
  delayMs: number;
};

type Reported = { emulator: Pick<Emulator, 'report'>; message: ReportedMessage; outcome: 'delivered' | 'failed' };

export type Reporter = {
  /** Reports a message's way to its end, a moment from now. */
  schedule(told: Reported): void;
  /** The same at once; resolves when all is told. */
  report(told: Reported): Promise<void>;
  /** Brings an answer of the recipient. Null where the provider brings none. */
  bringReply(told: Omit<Reported, 'outcome'> & { reply: { id: string; text: string } }): Promise<InboxReport | null>;
  /** Forgets what was still to be told, and waits for what is being told. */
  stop(): Promise<void>;
};

/** Tells Cuebird what became of messages, as their providers would, in order and once each. */
export function createReporter({
  post,
  note,
  delayMs,
  accounts,
  now,
}: Calling & { accounts: Accounts; now: () => Temporal.Instant }): Reporter {
  const timers = new Set<NodeJS.Timeout>();
  const underWay = new Set<Promise<void>>();

  async function tell({ emulator, message }: Omit<Reported, 'outcome'>, happening: Happening): Promise<string | null> {
    let last: string | null = null;
    for (const request of emulator.report?.(message, { happening, accounts, now: now() }) ?? []) {
      last = inWords(await post(request));
    }
    return last;
  }

  async function report(told: Reported): Promise<void> {
    const { workspaceId, id } = told.message;
    for (const status of ['sent', told.outcome] as const) {
      const answer = await tell(told, { kind: status });
      if (answer !== null) await note({ workspaceId, id, report: { status, answer } });
    }
  }

  function start(told: Reported): void {
    // A message that is gone by now has nothing to write its report on.
    const done = report(told).catch(() => undefined);
    underWay.add(done);
    void done.then(() => underWay.delete(done));
  }

  return {
    report,
    schedule(told) {
      if (delayMs === 0) return start(told);
      const timer = setTimeout(() => {
        timers.delete(timer);
        start(told);
      }, delayMs);
      timers.add(timer);
    },
    async bringReply({ reply, ...told }) {
      const answer = await tell(told, { kind: 'reply', ...reply });
      return answer === null ? null : { status: 'delivered', answer };
    },
    async stop() {
      for (const timer of timers) clearTimeout(timer);
      await Promise.all(underWay);
    },
  };
}

function inWords(answer: HttpAnswer): string {
  return answer.kind === 'answer' ? `HTTP ${answer.status}` : answer.reason;
}

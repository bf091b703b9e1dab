import type { ReasonCode } from '#contract/reason-codes.ts';
import type { ReasonParams } from '#contract/reason-params.ts';

/**
 * The outcome of one attempt to reach one recipient. A closed union: the compiler finds every switch that a new case
 * must extend.
 * `code` is set where this side knows why; what the other side answered is classified when the outcome is settled.
 */
export type Outcome =
  /** The next hop took responsibility. `receipt` is its message id, `answer` its response text (at most 16 KB). */
  | { outcome: 'accepted'; receipt: string; answer: string }
  /** The recipient has it. Only providers with callbacks report this. */
  | { outcome: 'delivered'; receipt: string; answer: string }
  /**
   * Refused. A permanent refusal is never retried. `retryAfterMs` is the delay that the other side asked for, if any;
   * `answer` its response text, when the reason leaves it out.
   */
  | {
      outcome: 'failed';
      code?: ReasonCode;
      params?: ReasonParams;
      reason: string;
      permanent: boolean;
      retryAfterMs?: number;
      answer?: string;
    }
  /** Not attempted, on purpose. */
  | { outcome: 'skipped'; code: ReasonCode; reason: string }
  /** The connection broke after the message was handed over: it may or may not have arrived. */
  | { outcome: 'unknown'; code?: ReasonCode; reason: string };

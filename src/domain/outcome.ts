/**
 * What became of one attempt to reach one recipient. A closed union: whoever adds a case is shown by the compiler every
 * place that must decide about it.
 */
export type Outcome =
  /** The next hop took responsibility. `receipt` is its id for the message, `answer` its words (at most 16 KB). */
  | { outcome: 'accepted'; receipt: string; answer: string }
  /** The recipient has it; only providers with call-backs can say so. */
  | { outcome: 'delivered'; receipt: string; answer: string }
  /**
   * Refused. A permanent refusal is never retried; `retryAfterMs` is what the other side asked for, if it did; `answer` its
   * words, where the reason leaves them out.
   */
  | { outcome: 'failed'; reason: string; permanent: boolean; retryAfterMs?: number; answer?: string }
  /** Not attempted, on purpose. */
  | { outcome: 'skipped'; reason: string }
  /** The connection died after the message was handed over: it may or may not have arrived. */
  | { outcome: 'unknown'; reason: string };

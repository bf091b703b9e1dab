import type { HttpAnswer } from '#platform/outbound/http.ts';
import type { AnswerReader } from './answer-reader.ts';
import type { RequestText } from './request-text.ts';

/**
 * One request in progress. Before it has a connection it is `not_sent` when it fails, and `lost` from then on. It settles
 * once; later events are ignored.
 */
export class Exchange {
  readonly deadline: number;
  readonly mostBytes: number;
  readonly text: RequestText;
  readonly tenant: string | undefined;
  /** Told once when it settles. An object, because a function that is assigned would be made among the old objects (decision 78). */
  counted: { settled(exchange: Exchange): void } | null = null;
  connection: { expire(reason: string): void } | null = null;
  isSettled = false;
  readonly #answer: (answer: HttpAnswer) => void;

  constructor(
    text: RequestText,
    { deadline, mostBytes, tenant }: { deadline: number; mostBytes: number; tenant?: string | undefined },
    answer: (answer: HttpAnswer) => void,
  ) {
    this.text = text;
    this.deadline = deadline;
    this.mostBytes = mostBytes;
    this.tenant = tenant;
    this.#answer = answer;
  }

  /** Ends the request at its deadline. */
  expire(reason: string): void {
    if (this.connection === null) this.settle({ kind: 'not_sent', reason });
    else this.connection.expire(reason);
  }

  answered({ head, body }: AnswerReader, { isComplete }: { isComplete: boolean }): void {
    if (head) this.settle({ kind: 'answer', status: head.status, headers: head.headers, body, isComplete });
  }

  settle(answer: HttpAnswer): void {
    if (this.isSettled) return;
    this.isSettled = true;
    this.counted?.settled(this);
    this.#answer(answer);
  }
}

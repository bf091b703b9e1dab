import type { Dispatcher } from 'undici';
import type { HttpAnswer } from './http.ts';
import { EgressRefused } from './guard.ts';
import { describeNetworkError } from './network-error.ts';

const usualBytes = 16 * 1024;

/**
 * One request in progress, as undici's handler: it sees each phase, so that a failure before the request was written
 * (`not_sent`) differs from one after (`lost`). It settles once; later events are ignored.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly deadline: number;
  readonly #mostBytes: number;
  readonly #settle: (exchange: Exchange, answer: HttpAnswer) => void;
  #controller: Dispatcher.DispatchController | null = null;
  #status = 0;
  #headers: Record<string, string | string[] | undefined> = {};
  #chunks: Buffer[] = [];
  #size = 0;
  #isSettled = false;

  constructor(
    { deadline, mostBytes = usualBytes }: { deadline: number; mostBytes?: number | undefined },
    settle: (exchange: Exchange, answer: HttpAnswer) => void,
  ) {
    this.deadline = deadline;
    this.#mostBytes = mostBytes;
    this.#settle = settle;
  }

  /** Ends the exchange at its deadline. */
  expire(reason: string): void {
    if (this.#status > 0) this.#finish(this.#answer(false));
    else this.#finish(this.#controller ? { kind: 'lost', reason } : { kind: 'not_sent', reason });
    this.#controller?.abort(new Error(reason));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // Thrown, not aborted: it leaves the connection, on which nothing was written yet, to the next request.
    if (this.#isSettled) throw new Error('the time limit passed while it waited for a connection');
    this.#controller = controller;
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (status < 200) return;
    this.#status = status;
    this.#headers = headers;
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#isSettled) return;
    const capacity = this.#mostBytes - this.#size;
    this.#chunks.push(chunk.length > capacity ? chunk.subarray(0, capacity) : chunk);
    this.#size += Math.min(chunk.length, capacity);
    if (chunk.length <= capacity) return;
    this.#finish(this.#answer(false));
    controller.abort(new Error('the answer is longer than Cuebird reads'));
  }

  onResponseEnd(): void {
    this.#finish(this.#answer(true));
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    if (this.#status > 0) return this.#finish(this.#answer(false));
    if (error instanceof EgressRefused) return this.#finish({ kind: 'refused', reason: error.message });
    const reason = describeNetworkError(error);
    this.#finish(this.#controller ? { kind: 'lost', reason } : { kind: 'not_sent', reason });
  }

  #answer(isComplete: boolean): HttpAnswer {
    return { kind: 'answer', status: this.#status, headers: this.#headers, body: this.#body(), isComplete };
  }

  #body(): string {
    const encoding = this.#headers['content-encoding'];
    if (this.#size === 0 || (encoding && encoding !== 'identity')) return '';
    const [first] = this.#chunks;
    const bytes = this.#chunks.length === 1 && first ? first : Buffer.concat(this.#chunks);
    const text = bytes.toString('utf8');
    // PostgreSQL's text type takes every character but this one.
    return text.includes('\0') ? text.replaceAll('\0', '') : text;
  }

  #finish(answer: HttpAnswer): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    this.#chunks = [];
    this.#settle(this, answer);
  }
}

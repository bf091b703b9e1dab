import diagnostics from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { describeNetworkError } from '#platform/outbound/network-error.ts';
import { AnswerReader } from './answer-reader.ts';
import type { Exchange } from './exchange.ts';

/** Published when a request was given to its connection: tests end the process at that moment. */
const requestSent = diagnostics.channel('cuebird:request-sent');

type Owner = {
  /** Called when the connection can take another request. */
  release(connection: Connection): void;
  forget(connection: Connection): void;
};

/** One connection to an origin, with at most one request at a time. */
export class Connection {
  /** Since when it has no request, and when it will be closed for that. */
  idleSince = 0;
  idleUntil = 0;
  readonly #owner: Owner;
  #socket: Socket | null = null;
  #exchange: Exchange | null = null;
  #reader: AnswerReader | null = null;
  #isClosed = false;
  #isReferenced = true;

  constructor(owner: Owner) {
    this.#owner = owner;
  }

  /** Takes over the open socket. Its bytes arrive through `receive`. */
  attach(socket: Socket): void {
    if (this.#isClosed) return void socket.destroy();
    this.#socket = socket;
    socket
      .on('error', (error) => this.#fail(describeNetworkError(error)))
      .on('end', () => this.#end())
      .on('close', () => this.#fail(closedByServer));
  }

  /** The request in progress. */
  get exchange(): Exchange | null {
    return this.#exchange;
  }

  get isUsable(): boolean {
    return !this.#isClosed && this.#socket !== null && this.#socket.writable && !this.#socket.readableEnded;
  }

  /** From here on, a failure of the request is `lost`. */
  begin(exchange: Exchange): void {
    const { content, charset } = exchange.text;
    this.#exchange = exchange;
    this.#reader = new AnswerReader(exchange.mostBytes);
    exchange.connection = this;
    if (!this.#isReferenced) this.#socket?.ref();
    this.#isReferenced = true;
    if (typeof content === 'string') this.#socket?.write(content, charset);
    else this.#socket?.write(content);
    if (requestSent.hasSubscribers) requestSent.publish(exchange);
  }

  /** @param bytes are used again after this call */
  receive(bytes: Buffer, length: number): void {
    const reader = this.#reader;
    // Bytes without a request belong to nobody: the connection is closed.
    if (reader === null) return this.close();
    reader.read(bytes, length);
    if (reader.state === 'complete') this.#complete(reader);
    else if (reader.state === 'too long') this.#fail('the answer is longer than Cuebird reads');
    else if (reader.state === 'malformed') this.#fail('the answer is not valid HTTP/1.1');
  }

  /** Ends the request at its deadline. */
  expire(reason: string): void {
    this.#fail(reason);
  }

  /** Keeps the connection without a request for this long. */
  rest(ms: number): void {
    this.idleSince = performance.now();
    this.idleUntil = this.idleSince + ms;
  }

  /** Lets the process end in spite of this connection. Not right after an answer, since most are used again soon. */
  unreference(): void {
    if (this.#isReferenced) this.#socket?.unref();
    this.#isReferenced = false;
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#socket?.destroy();
    this.#owner.forget(this);
  }

  #end(): void {
    const reader = this.#reader;
    reader?.end();
    if (reader?.state === 'complete') this.#complete(reader);
    this.#fail(closedByServer);
  }

  #complete(reader: AnswerReader): void {
    const exchange = this.#exchange;
    const keepsForMs = reader.head?.keepsForMs ?? 0;
    this.#exchange = null;
    this.#reader = null;
    // If the answer came before the request was written, the connection cannot be used again: its rest would be read as the next request.
    const isWritten = this.#socket?.writableLength === 0;
    if (keepsForMs > 0 && !reader.hasSurplus && isWritten && exchange?.text.endsConnection === false) {
      this.rest(keepsForMs);
      this.#owner.release(this);
    } else this.close();
    exchange?.answered(reader, { isComplete: true });
  }

  #fail(reason: string): void {
    const exchange = this.#exchange;
    const reader = this.#reader;
    this.#exchange = null;
    this.#reader = null;
    this.close();
    if (reader?.head) exchange?.answered(reader, { isComplete: false });
    else exchange?.settle({ kind: 'lost', reason });
  }
}

const closedByServer = 'the server closed the connection';

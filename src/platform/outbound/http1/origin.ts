import { EgressRefused } from '#platform/outbound/guard.ts';
import type { HttpAnswer } from '#platform/outbound/http.ts';
import { describeNetworkError, isOwnFault } from '#platform/outbound/network-error.ts';
import { usualIdleMs } from './answer-head.ts';
import { Connection } from './connection.ts';
import type { Exchange } from './exchange.ts';
import { Lanes } from './lanes.ts';

/** The most requests that wait for a connection to one origin, in all and of one tenant. */
const mostWaiting = 10_000;
const mostWaitingOfTenant = 2_000;

/** The connections to one origin, and the requests that wait for one. */
export class Origin {
  /** Whether a call of `assign` is scheduled already. */
  isScheduled = false;
  readonly #mostConnections: number;
  readonly #connect: (connection: Connection) => Promise<void>;
  readonly #schedule: (origin: Origin) => void;
  readonly #connections = new Set<Connection>();
  readonly #waiting: Lanes;
  #idle: Connection[] = [];
  /** Connections that have just answered, and may yet be closed by their server. */
  #released: Connection[] = [];
  #connecting = 0;

  /**
   * @param options.connect opens the connection, or rejects
   * @param options.schedule calls `assign` once the event loop has read what has arrived
   */
  constructor(options: {
    mostConnections: number;
    connect: (connection: Connection) => Promise<void>;
    schedule: (origin: Origin) => void;
  }) {
    this.#mostConnections = options.mostConnections;
    this.#waiting = new Lanes(options.mostConnections);
    this.#connect = options.connect;
    this.#schedule = options.schedule;
  }

  get isEmpty(): boolean {
    return this.#connections.size === 0 && this.#waiting.size === 0;
  }

  /** Connections without a request. */
  get idle(): readonly Connection[] {
    return this.#released.length === 0 ? this.#idle : [...this.#idle, ...this.#released];
  }

  enqueue(exchange: Exchange): void {
    const { tenant } = exchange;
    const isFull = tenant !== undefined && this.#waiting.waitingOf(tenant) >= mostWaitingOfTenant;
    if (isFull || this.#waiting.size >= mostWaiting)
      return exchange.settle({ kind: 'not_sent', reason: 'too many requests wait for this server' });
    this.#waiting.push(exchange);
    this.#schedule(this);
  }

  /**
   * Gives waiting requests to idle connections. One that has just answered is used only after the event loop has read once more:
   * a server that closes it, or sends what nobody asked for, often does so right after its answer.
   */
  assign(): void {
    while (this.#waiting.size > 0 && this.#idle.length > 0) {
      const connection = this.#idle.pop();
      if (connection?.isUsable !== true) continue;
      const exchange = this.#waiting.shift();
      if (exchange === undefined) {
        this.#idle.push(connection);
        break;
      }
      connection.begin(exchange);
    }
    if (this.#released.length > 0) {
      this.#idle.push(...this.#released);
      this.#released = [];
      if (this.#waiting.size > 0) this.#schedule(this);
    }
    const missing = this.#waiting.ready() - this.#connecting - this.#idle.length;
    const capacity = this.#mostConnections - this.#connections.size;
    for (let n = Math.min(missing, capacity); n > 0; n -= 1) this.#open();
  }

  /** Ends requests at their deadline, and closes connections that were idle for long. */
  sweep(now: number): void {
    this.#expire('no answer in time', ({ deadline }) => deadline <= now);
    for (const connection of this.idle) {
      if (connection.idleUntil <= now) connection.close();
      else connection.unreference();
    }
  }

  /** Ends all its requests. */
  close(reason: string): void {
    this.#expire(reason, () => true);
    for (const connection of this.#connections) connection.close();
  }

  #expire(reason: string, isOver: (exchange: Exchange) => boolean): void {
    for (const exchange of this.#waiting.remove(isOver)) exchange.expire(reason);
    for (const { exchange } of this.#connections) if (exchange !== null && isOver(exchange)) exchange.expire(reason);
  }

  #open(): void {
    const connection = new Connection({
      release: (released) => this.#release(released),
      forget: (closed) => this.#forget(closed),
    });
    this.#connections.add(connection);
    this.#connecting += 1;
    this.#connect(connection).then(
      () => this.#opened(connection),
      (error: unknown) => this.#notOpened(connection, failureOf(error)),
    );
  }

  /** Writes a request at once: otherwise a server that accepts connections and closes them would be connected to again and again. */
  #opened(connection: Connection): void {
    if (!connection.isUsable) return this.#notOpened(connection, closedByServer);
    this.#connecting -= 1;
    const exchange = this.#waiting.shift();
    if (exchange) return connection.begin(exchange);
    connection.rest(usualIdleMs);
    this.#idle.push(connection);
  }

  #notOpened(connection: Connection, failure: HttpAnswer): void {
    this.#connecting -= 1;
    connection.close();
    this.#waiting.shift()?.settle(failure);
  }

  #release(connection: Connection): void {
    this.#released.push(connection);
    if (this.#waiting.size > 0) this.#schedule(this);
  }

  #forget(connection: Connection): void {
    this.#connections.delete(connection);
    this.#idle = this.#idle.filter((one) => one !== connection);
    this.#released = this.#released.filter((one) => one !== connection);
    if (this.#waiting.size > 0) this.#schedule(this);
  }
}

const closedByServer: HttpAnswer = { kind: 'not_sent', reason: 'the server closed the connection' };

const failureOf = (error: unknown): HttpAnswer =>
  error instanceof EgressRefused
    ? { kind: 'refused', reason: error.message }
    : { kind: 'not_sent', reason: describeNetworkError(error), ...(isOwnFault(error) && { isOwnFault: true }) };

import { AsyncLocalStorage } from 'node:async_hooks';
import pg from 'pg';
import { Unavailable } from '#platform/errors.ts';
import { createFairSlots, type FairSlots, type SharerKind, type Sharers } from '#platform/fair-slots.ts';

/** The part of a pool's connections that one sharer of each kind may have. */
export type Shares = Readonly<Record<SharerKind, number>>;

/** Connections that `work` takes from any fair pool are counted by these. */
export const sharedBy = <T>(sharers: Sharers, work: () => T): T => callers.run(sharers, work);

const callers = new AsyncLocalStorage<Sharers>();

/**
 * A pool that gives its next free connection to whoever uses the fewest, for each transaction anew: nobody holds one while a body is read. Work outside
 * `sharedBy` counts for nobody. Whoever waits longer than the pool's `connectionTimeoutMillis` gets Unavailable.
 */
export class FairPool extends pg.Pool {
  readonly #slots: FairSlots;
  readonly #mostMs: number;
  readonly #releases = new WeakMap<pg.PoolClient, () => void>();

  constructor(options: pg.PoolConfig, shares: Shares) {
    super(options);
    const { max, connectionTimeoutMillis = 15_000 } = this.options;
    const most = (kind: SharerKind) => Math.ceil(shares[kind] * max);
    this.#slots = createFairSlots({
      ofAll: max,
      of: {
        person: most('person'),
        workspace: most('workspace'),
        address: most('address'),
        strangers: most('strangers'),
      },
      waitingOfSharer: 1_000,
    });
    this.#mostMs = connectionTimeoutMillis;
    // Nothing waits in the queue of the pool itself.
    Object.defineProperty(this, 'waitingCount', { get: () => this.#slots.waiting() });
    this.on('release', (_, client) => {
      this.#releases.get(client)?.();
      this.#releases.delete(client);
    });
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<pg.PoolClient> | undefined {
    const connected = this.#connectFairly();
    if (callback === undefined) return connected;
    void connected.then(
      (client) => callback(undefined, client, client.release),
      (error: Error) => callback(error, undefined, () => {}),
    );
    return undefined;
  }

  async #connectFairly(): Promise<pg.PoolClient> {
    const release = await this.#slots.begin(callers.getStore() ?? {}, {
      mostMs: this.#mostMs,
      late: () =>
        new Unavailable('Too many requests wait for the database. Try again in a few seconds.', {
          retryAfterSeconds: 5,
        }),
    });
    try {
      const client = await super.connect();
      this.#releases.set(client, release);
      return client;
    } catch (error) {
      release();
      throw error;
    }
  }
}

type Connected = Parameters<pg.Pool['connect']>[0];

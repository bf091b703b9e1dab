import type { Exchange } from './exchange.ts';

type Lane = { waiting: Exchange[]; inUse: number };

/** Requests without a tenant share this lane, which has no limit of its own. */
const noTenant = '';

/**
 * The requests that wait for a connection to one origin, in a lane for each tenant. A tenant uses at most as many connections as are left: half of
 * them while it is alone, so that one whose requests hang leaves some to the others. Among tenants the one that uses the fewest is next.
 */
export class Lanes {
  size = 0;
  readonly #mostConnections: number;
  readonly #lanes = new Map<string, Lane>();
  #inUse = 0;

  constructor(mostConnections: number) {
    this.#mostConnections = mostConnections;
  }

  waitingOf(tenant = noTenant): number {
    return this.#lanes.get(tenant)?.waiting.length ?? 0;
  }

  push(exchange: Exchange): void {
    this.#laneOf(exchange.tenant).waiting.push(exchange);
    this.size += 1;
  }

  /** Takes the next request that may have a connection, and counts it until it settles. */
  shift(): Exchange | undefined {
    let next: Lane | undefined;
    for (const [tenant, lane] of this.#lanes)
      if (lane.inUse < (next?.inUse ?? Number.POSITIVE_INFINITY) && this.#mayBegin(tenant, lane) > 0) next = lane;
    const exchange = next?.waiting.shift();
    if (next === undefined || exchange === undefined) return undefined;
    this.size -= 1;
    next.inUse += 1;
    this.#inUse += 1;
    exchange.counted = this;
    return exchange;
  }

  /** How many of the waiting requests may have a connection now. */
  ready(): number {
    let count = 0;
    for (const [tenant, lane] of this.#lanes) count += this.#mayBegin(tenant, lane);
    return count;
  }

  /** Removes the requests for which this is true. */
  remove(isOver: (exchange: Exchange) => boolean): Exchange[] {
    const removed: Exchange[] = [];
    for (const [tenant, lane] of this.#lanes) {
      const over = lane.waiting.filter(isOver);
      if (over.length === 0) continue;
      removed.push(...over);
      lane.waiting = lane.waiting.filter((exchange) => !isOver(exchange));
      this.#forgetEmpty(tenant, lane);
    }
    this.size -= removed.length;
    return removed;
  }

  #mayBegin(tenant: string, { waiting, inUse }: Lane): number {
    if (waiting.length === 0 || tenant === noTenant) return waiting.length;
    const share = Math.ceil((this.#mostConnections - (this.#inUse - inUse)) / 2);
    return Math.max(0, Math.min(waiting.length, share - inUse));
  }

  /** The exchange no longer uses its connection. */
  settled({ tenant = noTenant }: Exchange): void {
    const lane = this.#lanes.get(tenant);
    if (lane === undefined) return;
    lane.inUse -= 1;
    this.#inUse -= 1;
    this.#forgetEmpty(tenant, lane);
  }

  #laneOf(tenant = noTenant): Lane {
    const known = this.#lanes.get(tenant);
    if (known !== undefined) return known;
    const lane: Lane = { waiting: [], inUse: 0 };
    this.#lanes.set(tenant, lane);
    return lane;
  }

  #forgetEmpty(tenant: string, { waiting, inUse }: Lane): void {
    if (waiting.length === 0 && inUse === 0) this.#lanes.delete(tenant);
  }
}

import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/** A proxy between two processes that simulates network faults. */
export type TcpProxy = {
  /** The target's URL with the address of the proxy. */
  through(url: string): string;
  /** Holds all data on all connections without closing them; held data passes after `thaw`. */
  freeze(): void;
  thaw(): void;
  /** Drops the current connections without notifying either side. New ones pass. */
  drop(): void;
  /** Drops the connections after this text has passed, so that only its answer is lost. */
  dropAfter(words: string): Promise<void>;
  /** Resets the current connections. */
  reset(): void;
  /** Resets the current connections, and each new one at once, until `admit`. */
  refuse(): void;
  admit(): void;
  /** Leads new connections to the server of this URL. */
  leadTo(url: string): void;
  /** Delays all later data, in both directions. */
  delay(ms: number): void;
  /** Sends all later data one byte at a time. */
  trickle(): void;
  close(): Promise<void>;
};

type Link = { near: Socket; far: Socket; isForgotten: boolean };
type Manner = { kind: 'plain' } | { kind: 'late'; ms: number } | { kind: 'byte by byte' };

export async function startTcpProxy(targetUrl: string): Promise<TcpProxy> {
  let target = new URL(targetUrl);
  const links = new Set<Link>();
  const listening = new Set<{ words: Buffer; said: () => void }>();
  let manner: Manner = { kind: 'plain' };
  let frozen = Promise.withResolvers<void>();
  frozen.resolve();

  let isRefusing = false;
  const server = createServer({ noDelay: true, allowHalfOpen: true }, (near) => {
    if (isRefusing) {
      near.resetAndDestroy();
      return;
    }
    const far = connect({ port: Number(target.port), host: target.hostname, noDelay: true, allowHalfOpen: true });
    const link = { near, far, isForgotten: false };
    links.add(link);
    pass(link, { from: near, to: far });
    pass(link, { from: far, to: near });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');

  function pass(link: Link, { from, to }: { from: Socket; to: Socket }): void {
    // Steps run one after the other, which keeps the order of the data.
    let passed: Promise<void> = Promise.resolve();
    const next = (step: () => Promise<void> | void) => {
      passed = passed.then(async () => {
        await frozen.promise;
        if (!link.isForgotten) await step();
      });
    };
    from.on('data', (bytes: Buffer) => next(() => send(to, bytes)));
    from.on('data', (bytes: Buffer) => next(() => hear(bytes)));
    from.on('end', () => next(() => void to.end()));
    from.on('error', () => {});
    from.on('close', () => {
      next(() => void to.destroy());
      if (link.near.destroyed && link.far.destroyed) links.delete(link);
    });
  }

  async function send(to: Socket, bytes: Buffer): Promise<void> {
    if (manner.kind === 'late') await wait(manner.ms);
    if (manner.kind !== 'byte by byte') to.write(bytes);
    else for (const byte of bytes) await new Promise((resolve) => to.write(Buffer.of(byte), resolve));
  }

  function hear(bytes: Buffer): void {
    for (const one of listening) {
      if (!bytes.includes(one.words)) continue;
      listening.delete(one);
      one.said();
    }
  }

  function reset(): void {
    for (const { near, far } of links) {
      near.resetAndDestroy();
      far.resetAndDestroy();
    }
  }

  const forget = () => {
    for (const link of links) link.isForgotten = true;
  };

  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('A TCP server has a port.');
  return {
    through: (url) => Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(address.port) }).href,
    freeze() {
      frozen = Promise.withResolvers();
    },
    thaw: () => frozen.resolve(),
    drop: forget,
    dropAfter: (words) =>
      new Promise((resolve) => {
        const said = () => {
          forget();
          resolve();
        };
        listening.add({ words: Buffer.from(words), said });
      }),
    reset,
    refuse() {
      isRefusing = true;
      reset();
    },
    admit() {
      isRefusing = false;
    },
    leadTo(url) {
      target = new URL(url);
    },
    delay(ms) {
      manner = { kind: 'late', ms };
    },
    trickle() {
      manner = { kind: 'byte by byte' };
    },
    async close() {
      for (const { near, far } of links) {
        near.destroy();
        far.destroy();
      }
      server.close();
      frozen.resolve();
      await once(server, 'close');
    },
  };
}

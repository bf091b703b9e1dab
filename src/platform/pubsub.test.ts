import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLog } from '#platform/log.ts';
import { openPubSub, type PubSub } from '#platform/pubsub.ts';
import { urlForRole } from '#platform/roles.ts';
import { createTestDatabase, TEST_ENCRYPTION_KEY } from '#testing/database.ts';
import { connectOwner } from '#testing/owner.ts';
import { startTcpProxy } from '#testing/tcp-proxy.ts';

describe('listening to the database', () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let pubsub: PubSub;
  beforeEach(async () => {
    database = await createTestDatabase();
  });
  afterEach(async () => {
    await pubsub.close();
    await database.drop();
  });

  const roleUrl = () => urlForRole(database.url, { role: 'engine', encryptionKey: TEST_ENCRYPTION_KEY });

  it('begins anew after its connection was ended, and says that anything may have changed', async () => {
    pubsub = await openPubSub(roleUrl(), createLog('silent'));
    const heard = new Promise<string | null>((resolve) => pubsub.subscribe('cuebird_due', resolve));
    const owner = await connectOwner(database.url);
    await owner.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'cuebird listen' and datname = current_database()",
    );
    expect(await heard).toBeNull();
    const notified = new Promise<string | null>((resolve) => pubsub.subscribe('cuebird_due', resolve));
    await owner.query("select pg_notify('cuebird_due', 'now')");
    expect(await notified).toBe('now');
    await owner.end();
  });

  it('begins anew where the network has cut it off without a word', async () => {
    const proxy = await startTcpProxy(database.url);
    pubsub = await openPubSub(proxy.through(roleUrl()), createLog('silent'), { everyMs: 100, patienceMs: 300 });
    const heard = new Promise<string | null>((resolve) => pubsub.subscribe('cuebird_due', resolve));
    proxy.drop();
    expect(await heard).toBeNull();
    const owner = await connectOwner(database.url);
    const notified = new Promise<string | null>((resolve) => pubsub.subscribe('cuebird_due', resolve));
    await owner.query("select pg_notify('cuebird_due', 'now')");
    expect(await notified).toBe('now');
    await owner.end();
    await proxy.close();
  });

  it('tries again one attempt at a time, less and less often, while the database is away', async () => {
    const proxy = await openProxy(database.url);
    pubsub = await openPubSub(proxy.url(roleUrl()), createLog('silent'));
    const attempts = await proxy.closeAndCount(5);
    const gaps = attempts.slice(1).map((at, index) => at - (attempts[index] ?? 0));
    for (const [index, gap] of gaps.entries())
      expect(gap, `before attempt ${index + 2}`).toBeGreaterThan(150 * 2 ** index);
    await proxy.end();
  });

  it('leaves no connection behind that was being made while it closed', async () => {
    const proxy = await openProxy(database.url);
    pubsub = await openPubSub(proxy.url(roleUrl()), createLog('silent'));
    const letIn = await proxy.keepWaiting();
    const closed = pubsub.close();
    letIn();
    await closed;
    await proxy.isEmpty();
    await proxy.end();
  });
});

/** Lets connections through to the database until it is closed; then it counts who knocks, and sends them away. */
async function openProxy(databaseUrl: string) {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const attempts: number[] = [];
  let isClosed = false;
  let waiting: Promise<void> = Promise.resolve();
  let onAttempt = () => {};
  let onEmpty = () => {};
  const server = createServer(async (socket) => {
    socket.on('error', () => {});
    if (isClosed) {
      attempts.push(performance.now());
      socket.destroy();
      onAttempt();
      return;
    }
    onAttempt();
    await waiting;
    const through = connect(Number(target.port), target.hostname);
    through.on('error', () => {});
    socket.pipe(through).pipe(socket);
    sockets.add(socket);
    socket.on('close', () => {
      sockets.delete(socket);
      if (sockets.size === 0) onEmpty();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: (url: string) => Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(port) }).href,
    async closeAndCount(count: number): Promise<number[]> {
      isClosed = true;
      const { promise, resolve } = Promise.withResolvers<void>();
      onAttempt = () => {
        if (attempts.length >= count) resolve();
      };
      for (const socket of sockets) socket.destroy();
      await promise;
      return attempts;
    },
    /** Ends who is inside; whoever knocks next waits to be let in. */
    async keepWaiting(): Promise<() => void> {
      const { promise: knocked, resolve } = Promise.withResolvers<void>();
      const { promise, resolve: letIn } = Promise.withResolvers<void>();
      onAttempt = resolve;
      waiting = promise;
      for (const socket of sockets) socket.destroy();
      await knocked;
      return letIn;
    },
    async isEmpty(): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>();
      onEmpty = resolve;
      if (sockets.size > 0) await promise;
    },
    async end() {
      server.close();
    },
  };
}

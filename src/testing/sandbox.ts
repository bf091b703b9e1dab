import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import type { InboxReport } from '#contract/inbox.ts';
import type { Failure } from '#contract/simulated-failures.ts';
import { createEgressGuard } from '#platform/outbound/guard.ts';
import { createOutboundHttp } from '#platform/outbound/http-client.ts';
import type { SandboxMessage } from '#sandbox/intake.ts';
import { portOf } from '#sandbox/port.ts';
import type { ProviderAccounts } from '#sandbox/provider-accounts.ts';
import { type Sandbox, startSandbox } from '#sandbox/sandbox.ts';

/** A callback that Cuebird receives. */
export type CallBack = { method: string; url: string; headers: Record<string, string>; body: string };

export type TestSandbox = Sandbox & {
  workspaceId: string;
  accounts: ProviderAccounts;
  stored: SandboxMessage[];
  /** The URL for callbacks, which answers 204. */
  callbackUrl: string;
  calls: CallBack[];
  /** Resolves with the calls so far once there are at least this many. */
  callBacks(count: number): Promise<CallBack[]>;
  /** The stored report of a message after its last callback. */
  reported(id: string): Promise<InboxReport>;
  simulateFailure(failure: Failure | null): void;
  optOut(recipient: string): void;
};

export const testNow = Temporal.Instant.from('2026-11-20T08:00:00Z');
const workspaceId = '019a9d3e-0000-7000-8000-000000000002';

/** A sandbox without a database, at a fixed time, which reports immediately to a server that records everything. */
export async function startTestSandbox({
  hasWebhooks = false,
}: {
  /** Whether the accounts have a report URL, for providers whose requests do not contain one. */
  hasWebhooks?: boolean;
} = {}): Promise<TestSandbox> {
  const stored: SandboxMessage[] = [];
  const notes = new Map<string, InboxReport>();
  const optedOut = new Set<string>();
  const watchers = new Set<() => void>();
  const changed = () => {
    for (const watch of watchers) watch();
  };
  let failure: Failure | null = null;
  const receiver = await startReceiver(changed);
  const http = createOutboundHttp({ guard: createEgressGuard({ allow: ['127.0.0.0/8'], exact: () => [] }) });
  const sandbox = await startSandbox({
    secret: 'a secret',
    now: () => testNow,
    store: async (messages) => void stored.push(...messages),
    failureFor: async () => failure,
    webhookOf: async ({ provider }) =>
      hasWebhooks && ['waha', 'whatsapp_business'].includes(provider) ? receiver.url : null,
    hasOptedOut: async ({ recipient }) => optedOut.has(recipient),
    calling: {
      post: http.request,
      note: async ({ id, report }) => {
        notes.set(id, report);
        changed();
      },
      delayMs: 0,
    },
  });

  const until = <T>(find: () => T | undefined): Promise<T> =>
    new Promise((resolve) => {
      const watch = () => {
        const found = find();
        if (found === undefined) return;
        watchers.delete(watch);
        resolve(found);
      };
      watchers.add(watch);
      watch();
    });

  return {
    ...sandbox,
    workspaceId,
    accounts: sandbox.accountsFor(workspaceId),
    stored,
    callbackUrl: receiver.url,
    calls: receiver.calls,
    callBacks: (count) => until(() => (receiver.calls.length >= count ? receiver.calls.slice(0, count) : undefined)),
    reported: (id) => until(() => (notes.get(id)?.status === 'sent' ? undefined : notes.get(id))),
    simulateFailure: (next) => void (failure = next),
    optOut: (recipient) => void optedOut.add(recipient),
    async stop() {
      await sandbox.stop();
      await http.close();
      await receiver.close();
    },
  };
}

async function startReceiver(changed: () => void) {
  const calls: CallBack[] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const headers = Object.entries(request.headersDistinct).map(([name, values]) => [name, values?.join(', ') ?? '']);
    calls.push({ method: request.method ?? '', url: request.url ?? '', headers: Object.fromEntries(headers), body });
    response.writeHead(204).end();
    changed();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${portOf(server)}/callbacks/token?of=test`,
    calls,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** A request with a form body. */
export const form = (fields: Record<string, string>, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  body: new URLSearchParams(fields).toString(),
});

/** A request with a JSON body. */
export const json = (value: unknown, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: typeof value === 'string' ? value : JSON.stringify(value),
});

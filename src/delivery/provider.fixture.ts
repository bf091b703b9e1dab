import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { text } from 'node:stream/consumers';
import type { Envelope, Network } from '#delivery/adapter.ts';
import { parseJson } from '#delivery/answer.ts';
import { createSmtpPools } from '#delivery/email/smtp-pools.ts';
import { createEgressGuard } from '#platform/outbound/guard.ts';
import { createOutboundHttp } from '#platform/outbound/http-client.ts';

/** A request as a provider's API received it. */
export type Seen = {
  method: string;
  path: string;
  query: Record<string, string>;
  headers: IncomingHttpHeaders;
  body: string;
  form: Record<string, string>;
  json: unknown;
};

export type ProviderFixture = {
  network: Network;
  /** A provider's API that the test implements, on a port of its own. */
  serve(answer: RequestListener): Promise<{ url: string; seen: Seen[] }>;
  close(): Promise<void>;
};

export const now = Temporal.Instant.from('2026-11-20T08:00:00.250Z');

/** The callback address of the channel, in tests. */
export const callbackBase = 'https://cuebird.example.com/api/callbacks';

/** Real outgoing HTTP that may reach this machine, and servers to answer it. */
export function openProviderFixture(): ProviderFixture {
  const guard = createEgressGuard({ allow: ['127.0.0.0/8'], exact: () => [] });
  const http = createOutboundHttp({ guard, checkEveryMs: 10 });
  const smtp = createSmtpPools({ guard });
  const servers: Server[] = [];
  return {
    network: { http, smtp, now: () => now, callbackUrl: (provider, token) => `${callbackBase}/${provider}/${token}` },
    async serve(answer) {
      const seen: Seen[] = [];
      const server = createServer((request, response) => {
        void text(request).then((body) => hear(request, response, body));
      });
      const hear = (request: IncomingMessage, response: ServerResponse, body: string) => {
        const url = new URL(request.url ?? '/', 'http://provider');
        seen.push({
          method: request.method ?? '',
          path: url.pathname,
          query: Object.fromEntries(url.searchParams),
          headers: request.headers,
          body,
          form: Object.fromEntries(new URLSearchParams(body)),
          json: parseJson(body),
        });
        answer(request, response);
      };
      servers.push(server);
      await once(server.listen(0, '127.0.0.1'), 'listening');
      const address = server.address();
      if (address === null || typeof address === 'string') throw new Error('not listening on TCP');
      return { url: `http://127.0.0.1:${address.port}`, seen };
    },
    async close() {
      for (const server of servers) server.close().closeAllConnections();
      smtp.close();
      await http.close();
    },
  };
}

/** A JSON response, or any other text. */
export const reply =
  (status: number, body: unknown = '', headers: Record<string, string> = {}): RequestListener =>
  (_request, response) =>
    response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(typeof body === 'string' ? body : JSON.stringify(body));

export const envelope: Envelope = {
  delivery_id: '019a9d3e-0000-7000-8000-000000000001',
  workspace_id: '019a9d3e-0000-7000-8000-000000000002',
  job_id: '019a9d3e-0000-7000-8000-000000000003',
  reminder_id: '019a9d3e-0000-7000-8000-000000000004',
  name: 'Rent',
  scheduled_for: '2026-11-20T08:00:00Z',
  attempt: 1,
  channel: 'sms',
  recipient: '+4917012345678',
  recipient_name: 'Ann',
  subject: 'Rent is due',
  message: 'Dear Ann, please pay €900 & <more> + "all" by Friday: 100 %',
  is_test: false,
};

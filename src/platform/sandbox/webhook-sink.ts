import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { z } from 'zod';
import { type Intake, type SandboxMessage, storable } from './intake.ts';
import { portOf } from './port.ts';

const bodyLimit = 64 * 1024;

type Options = {
  host: string;
  port: number;
  now: () => Temporal.Instant;
  keep: Intake['keep'];
  isToken: (workspaceId: string, token: string) => boolean;
};

/** An HTTP server that keeps every call to `/hooks/<workspace>/<token>`, whatever its method, and thanks for it. */
export async function startWebhookSink(options: Options): Promise<{ port: number; stop(): Promise<void> }> {
  const server = createServer({ requestTimeout: 30_000 }, (request, response) => {
    receive(request, options).then(
      (status) => reply(response, status),
      () => reply(response, 503),
    );
  });
  const ready = once(server, 'listening');
  server.listen(options.port, options.host);
  await ready;
  const stop = async () => {
    const closed = once(server, 'close');
    server.close();
    server.closeIdleConnections();
    await closed;
  };
  return { port: portOf(server), stop };
}

async function receive(request: IncomingMessage, { isToken, keep, now }: Options): Promise<200 | 404> {
  const [, workspaceId = '', token = ''] = /^\/hooks\/([^/?]+)\/([^/?]+)/.exec(request.url ?? '') ?? [];
  const body = await readBody(request);
  if (!isToken(workspaceId, token)) return 404;
  await keep(messageOf(request, { workspaceId, body, now: now() }));
  return 200;
}

const answers = {
  200: '{"received":true}',
  404: '{"error":"No workspace of this sandbox has this address"}',
  503: '{"error":"The call could not be stored"}',
} as const;

function reply(response: ServerResponse, status: keyof typeof answers): void {
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': answers[status].length });
  response.end(answers[status]);
}

type Body = { text: string; size: number };

async function readBody(request: IncomingMessage): Promise<Body> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    if (size < bodyLimit) chunks.push(chunk.subarray(0, bodyLimit - size));
    size += chunk.length;
  }
  return { text: storable(Buffer.concat(chunks).toString('utf8')), size };
}

function messageOf(
  request: IncomingMessage,
  { workspaceId, body, now }: { workspaceId: string; body: Body; now: Temporal.Instant },
): SandboxMessage {
  const url = new URL(request.url ?? '/', 'http://sandbox');
  const { subject, recipient } = aboutOf(body.text, url.searchParams);
  const headers = Object.entries(request.headersDistinct).map(([name, values]) => [name, values?.join(', ') ?? '']);
  return {
    workspace_id: workspaceId,
    channel: 'webhook',
    sender: request.headers['user-agent'] ?? '',
    recipient: recipient ?? url.pathname,
    subject: subject || `${request.method} ${url.pathname.split('/').slice(4).join('/')}`.trim(),
    text: request.method === 'GET' && body.size === 0 ? storable(decodedQuery(url)) : body.text,
    html: null,
    // Named as HTTP/2 does, since a message has no other place for it.
    headers: { ':method': request.method ?? '', ...Object.fromEntries(headers) },
    raw_size: body.size,
    received_at: now.toString(),
  };
}

const ReminderDue = z.object({ data: z.object({ subject: z.string(), recipient: z.string() }) });

/** Whom and what a call is about, where it is Cuebird's own kind of body or query. */
function aboutOf(text: string, query: URLSearchParams): { subject?: string | null; recipient?: string | null } {
  if (!text.startsWith('{')) {
    return {
      subject: query.get('subject')?.replaceAll('\0', ''),
      recipient: query.get('recipient')?.replaceAll('\0', ''),
    };
  }
  const due = ReminderDue.safeParse(parseJson(text));
  return due.success ? { subject: storable(due.data.data.subject), recipient: storable(due.data.data.recipient) } : {};
}

function decodedQuery(url: URL): string {
  return [...url.searchParams].map(([name, value]) => `${name}: ${value}`).join('\n');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { Pool } from 'undici';
import { fromMembers, fromStrangers, type HostileRequest, packet, toCallback } from './requests.ts';

/**
 * A separate process that sends hostile requests on eight connections until it is stopped, for a minute at most: half without credentials,
 * half as a member. Beside them it opens connections that send a packet of requests and read nothing. It reports the answers.
 */
export type Order = { url: string; member: Record<string, string>; callbackPath: string };

export type HostileReport = {
  requests: number;
  /** By request name: the statuses with their counts, and the largest answer in bytes. */
  answers: Record<string, { statuses: Record<string, number>; largestBytes: number }>;
};

const connections = 8;
const longestMs = 60_000;

const ended = new AbortController();
setTimeout(() => ended.abort(), longestMs);
process.once('disconnect', () => process.exit());
process.once('message', (order: Order) => {
  process.once('message', () => ended.abort());
  void attack(order).then((report) => process.send?.(report));
});

async function attack({ url, member, callbackPath }: Order): Promise<HostileReport> {
  const pool = new Pool(url, { connections, pipelining: 1 });
  const report: HostileReport = { requests: 0, answers: {} };
  const requests: [string, HostileRequest, Record<string, string>][] = [
    ...[...fromStrangers, ...toCallback(callbackPath)].map(
      (request): [string, HostileRequest, Record<string, string>] => ['stranger', request, {}],
    ),
    ...fromMembers.map((request): [string, HostileRequest, Record<string, string>] => ['member', request, member]),
  ];
  let next = 0;
  const lane = async () => {
    while (!ended.signal.aborted) {
      const at = requests[next++ % requests.length];
      if (at === undefined) return;
      const [who, request, credentials] = at;
      const { status, bytes } = await send(pool, { request, credentials });
      const name = `${who}: ${request.name}`;
      const answers = (report.answers[name] ??= { statuses: {}, largestBytes: 0 });
      answers.statuses[status] = (answers.statuses[status] ?? 0) + 1;
      answers.largestBytes = Math.max(answers.largestBytes, bytes);
      report.requests += 1;
    }
  };
  await Promise.all([...Array.from({ length: connections }, lane), sendPackets(url, report)]);
  await pool.destroy();
  return report;
}

const packetEveryMs = 500;

/** Each connection is left open, unread, until the next one. */
async function sendPackets(url: string, report: HostileReport): Promise<void> {
  const { hostname, port } = new URL(url);
  for (let sent = 1; !ended.signal.aborted; sent += 1) {
    const socket = connect({ host: hostname, port: Number(port) }).pause();
    socket.on('error', () => {});
    socket.write(packet);
    report.answers['stranger: a packet of requests'] = { statuses: { unread: sent }, largestBytes: 0 };
    report.requests += 1;
    await wait(packetEveryMs);
    socket.destroy();
  }
}

/** A connection that is closed during a body that is too large counts as an answer. */
async function send(
  pool: Pool,
  { request, credentials }: { request: HostileRequest; credentials: Record<string, string> },
): Promise<{ status: string; bytes: number }> {
  const { method, path, headers, body } = request;
  try {
    const answer = await pool.request({ method, path, headers: { ...headers, ...credentials }, body });
    let bytes = 0;
    for await (const chunk of answer.body) bytes += chunk.length;
    return { status: String(answer.statusCode), bytes };
  } catch {
    return { status: 'closed', bytes: 0 };
  }
}

import { setTimeout as wait } from 'node:timers/promises';
import { Pool } from 'undici';
import type { Session } from '../api/session.ts';

type Flood = {
  name: string;
  statuses: Record<string, number>;
  /** The slowest of the member's calls meanwhile. */
  longestMs: number;
};

/** So many requests at once, each on a connection of its own. */
const atOnce = 600;

/** What a stranger sends 600 times at once to each public address that asks the database, and how long a member's calls take meanwhile. */
export async function floods(url: string, { member }: { member: Session }): Promise<Flood[]> {
  const post = async (path: string, body: object): Promise<Record<string, string>> => {
    const headers = { ...member.headers, 'content-type': 'application/json', origin: url };
    const answer = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    return answer.json();
  };
  const { key = '' } = await post('/api/api-keys', { name: 'CRM', scopes: ['read'] });
  const { url: feed = '' } = await post('/api/calendar-feeds', { shows: 'own' });
  const { id: reminder } = await post('/api/reminders', hooked);
  const hook = await fetch(`${url}/api/reminders/${reminder}/hook`, { headers: member.headers });
  const { url: hookUrl }: { url: string } = await hook.json();
  const json = { 'content-type': 'application/json', origin: url };
  const password = JSON.stringify({ email: 'nobody@example.com', password: 'correct horse battery' });
  const addresses: [string, Sent][] = [
    ['600 wrong API keys', { path: '/api/contacts', headers: { authorization: `Bearer ${key.slice(0, -4)}AAAA` } }],
    ['600 calls of a hook', { method: 'POST', path: new URL(hookUrl).pathname }],
    ['600 readers of a feed', { path: new URL(feed).pathname }],
    ['600 unknown invitations', { path: `/api/invitations/${'a'.repeat(64)}` }],
    ['600 wrong passwords', { method: 'POST', path: '/api/auth/sign-in/email', headers: json, body: password }],
  ];
  const found: Flood[] = [];
  for (const [name, sent] of addresses) found.push({ name, ...(await flood(url, { sent, member })) });
  return found;
}

type Sent = { method?: 'POST'; path: string; headers?: Record<string, string>; body?: string };

async function flood(url: string, { sent, member }: { sent: Sent; member: Session }): Promise<Omit<Flood, 'name'>> {
  const stranger = new Pool(url, { connections: atOnce, pipelining: 1 });
  const own = new Pool(url, { connections: 1, pipelining: 1 });
  const statuses: Record<string, number> = {};
  let isOver = false;
  const all = Promise.all(
    Array.from({ length: atOnce }, async () => {
      const status = await statusOf(stranger, sent);
      statuses[status] = (statuses[status] ?? 0) + 1;
    }),
  ).finally(() => {
    isOver = true;
  });
  let longestMs = 0;
  while (!isOver) {
    const askedAt = performance.now();
    const { body } = await own.request({ method: 'GET', path: '/api/templates', headers: member.headers });
    await body.dump();
    longestMs = Math.max(longestMs, performance.now() - askedAt);
    await wait(20);
  }
  await all;
  await Promise.all([stranger.destroy(), own.destroy()]);
  return { statuses, longestMs };
}

/** A connection that the server closes counts as an answer. */
async function statusOf(pool: Pool, sent: Sent): Promise<string> {
  try {
    const { statusCode, body } = await pool.request({ method: 'GET', ...sent });
    await body.dump();
    return String(statusCode);
  } catch {
    return 'closed';
  }
}

const hooked = {
  name: 'Form was sent',
  schedule_config: {
    type: 'event-based',
    eventTrigger: 'custom_webhook',
    delayAmount: 1,
    delayUnit: 'hours',
    timezone: 'UTC',
  },
  content: { subject: 'Form', message: 'Sent', recipients: ['erin@example.com'] },
  metadata: { channels: ['email'] },
};

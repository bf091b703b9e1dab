import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { sample } from '#testing/sample.ts';

/** Contacts are always ten thousand and more, so that a statement that reads all of them shows. */
const contacts = 10_050;
const people = sample.takesAll ? 10_000 : 2_000;

let cuebird: TestCuebird;
let owner: Client;
let dana: TestPerson;
let workspace: string;
let sink: Server;
let received = 0;
beforeAll(async () => {
  cuebird = await startTestCuebird();
  owner = cuebird.owner;
  dana = await cuebird.signUp('Dana');
  workspace = await dana.createWorkspace('Elm Street');
  sink = createServer((request, response) => {
    request.resume().on('end', () => {
      received += 1;
      response.end();
    });
  }).listen(0, '127.0.0.1');
  await once(sink, 'listening');
}, 60_000);
afterAll(async () => {
  sink.close().closeAllConnections();
  await cuebird.stop();
});

const call = async (method: string, path: string, body?: unknown) => {
  const answer = await dana.call(method, path, { workspace, body });
  expect(answer.json.error).toBeUndefined();
  return answer.json;
};

/** The rows of large tables that were read by scanning a table. */
async function rowsScanned(): Promise<number> {
  const { rows } = await owner.query<{ scanned: number }>(
    `select coalesce(sum(seq_tup_read), 0)::int as scanned from pg_stat_user_tables where relname = 'contacts' or relname like 'deliveries%'`,
  );
  return rows[0]?.scanned ?? 0;
}

async function writeTenants(): Promise<string> {
  await owner.query(
    `insert into contacts (workspace_id, name, email, email_key, variables)
     select $1, 'Tenant ' || n, n || '@example.com', n || '@example.com',
            jsonb_build_object('building', case when n <= $2 then '12 Elm' else '7 Oak' end)
       from generate_series(1, $3::int) n`,
    [workspace, people, contacts],
  );
  await owner.query('analyze contacts');
  const rule = { match: 'all', conditions: [{ test: 'is', variable: 'building', value: '12 elm' }] };
  return (await call('POST', '/api/contact-groups', { name: '12 Elm', rule })).id;
}

it('thousands of people of a group get their message once each, and their run is listed by page and searched by person', async () => {
  const group = await writeTenants();
  const address = sink.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`;
  await call('POST', '/api/channels', { name: 'Sink', type: 'webhook', configuration: { url } });
  const { id: reminder } = await call('POST', '/api/reminders', {
    name: 'Rent',
    status: 'active',
    schedule_config: {
      type: 'event-based',
      eventTrigger: 'custom_webhook',
      delayAmount: 0,
      delayUnit: 'hours',
      timezone: 'UTC',
    },
    content: { subject: 'Rent', message: 'Dear {{recipient_name}}', recipients: [] },
    metadata: { channels: ['webhook'], audience: { groups: [group] } },
  });
  const before = await rowsScanned();
  const hook = (await call('GET', `/api/reminders/${reminder}/hook`)).url;
  const event = await fetch(hook, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' });
  const { jobs } = await event.json();
  const path = `/api/jobs/${jobs[0].job_id}`;
  await expect
    .poll(async () => (await call('GET', path)).status, { timeout: 120_000, interval: 500 })
    .toBe('completed');
  expect((await call('GET', path)).recipients).toMatchObject({ total: people, sent: people });
  expect(received).toBe(people);

  const listed = new Set<string>();
  let lines = 0;
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: { data: { recipient: string; through: string | null }[]; next_cursor: string | null } = await call(
      'GET',
      `${path}/deliveries?limit=200${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
    );
    for (const { recipient, through } of page.data) {
      expect(through).toBe('group 12 Elm');
      listed.add(recipient);
      lines += 1;
    }
    cursor = page.next_cursor;
  }
  expect([lines, listed.size]).toEqual([people, people]);
  const { data } = await call('GET', `${path}/deliveries?search=tenant%201999`);
  expect(data).toMatchObject([{ recipient: '1999@example.com', recipient_name: 'Tenant 1999', status: 'accepted' }]);
  expect((await rowsScanned()) - before).toBe(0);
}, 180_000);

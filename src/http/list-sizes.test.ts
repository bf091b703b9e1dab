import { get as httpGet } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { groupLimits } from '#contract/contact-groups.ts';
import { reportLinesAtOnce } from '#contract/deliveries.ts';
import type { Route } from '#contract/route.ts';
import { routes } from '#contract/routes.ts';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { sample } from '#testing/sample.ts';
import { sampleReminder } from '#testing/samples.ts';

const count = 200;
/** The rows of 200 KB and more: three times what an answer may have, on pages of eight rows and fewer. The others are short. */
const largest = 60;
const mostBytes = 5_000_000;

/** Every route that answers with a list; `askReach`, a POST, answers as the other two about reach do. */
const lists = Object.entries<Route>(routes).filter(
  ([, { answer, method }]) =>
    method === 'get' && answer instanceof z.ZodObject && 'next_cursor' in answer.shape && 'data' in answer.shape,
);

const Ids = z.object({ data: z.array(z.object({ id: z.string().optional() })), next_cursor: z.string().nullable() });

/** The largest texts that a person can write: three bytes a character, and quotes that take two in JSON. */
const long = (characters: number) => '“"'.repeat(characters / 2);

describe('a list of the largest rows', { timeout: 180_000 }, () => {
  let cuebird: TestCuebird;
  let dana: TestPerson;
  let owner: Client;
  let workspace: string;
  let token: string;
  const ids: Record<string, string> = {};
  beforeAll(async () => {
    cuebird = await startTestCuebird();
    token = new URL(cuebird.links.accountMail ?? '').searchParams.get('token') ?? '';
    dana = await cuebird.signUp('Dana');
    workspace = await dana.createWorkspace('Elm Street');
    owner = cuebird.owner;
    await fill();
  });
  afterAll(() => cuebird.stop());

  async function fill() {
    const many = `generate_series(1, ${count}) n`;
    const either = (large: string, short: string) => `case when n <= ${largest} then ${large} else ${short} end`;
    const short = { type: 'email', subject: long(998), body: 'Hello' };
    await owner.query('update workspaces set settings = settings || \'{"allowPublicTemplates": true}\'');
    await owner.query(
      `insert into templates (workspace_id, name, description, is_public, content, variables)
       select $1, 'T' || n, $2, true, ${either('$3::json', '$5::json')}, ${either('$4::json', '$6::json')} from ${many}`,
      [
        workspace,
        long(500),
        JSON.stringify({ type: 'email', subject: long(998), body: long(100_000) }),
        JSON.stringify({
          variables: Array.from({ length: 100 }, (_, at) => ({
            name: `v${at}`,
            type: 'text',
            description: long(500),
            required: true,
            defaultValue: long(1_500),
          })),
        }),
        short,
        { variables: [] },
      ],
    );
    const template = await owner.query("select id from templates where name = 'T1'");
    ids.template = template.rows[0].id;
    await owner.query(
      `insert into template_versions (workspace_id, template_id, version, name, description, content, variables)
       select workspace_id, id, n, name, description, ${either('content', '$2::json')}, ${either('variables', '$3::json')}
         from templates, ${many} where id = $1`,
      [ids.template, short, { variables: [] }],
    );
    await owner.query(
      `insert into reminders (workspace_id, name, description, status, schedule_config, content, metadata)
       select $1, ${either(`'R' || n`, `'S' || n`)}, $2, 'active', $3, ${either('$4::json', '$6::json')}, $5 from ${many}`,
      [
        workspace,
        long(500),
        sampleReminder.schedule_config,
        {
          subject: long(998),
          message: long(100_000),
          recipients: Array.from({ length: 10_000 }, (_, at) => `${'recipient'.repeat(5)}${at}@example.com`),
        },
        { ...sampleReminder.metadata, template_id: ids.template },
        { subject: long(998), message: 'Hello', recipients: ['dana@example.com'] },
      ],
    );
    // Scheduled already, so that the scheduler does not move them within the list while it is read.
    await owner.query(
      `insert into jobs (workspace_id, reminder_id, name, type, scheduled_for, run_at)
       select workspace_id, id, name, 'reminder', '2099-01-01Z', '2099-01-01Z' from reminders`,
    );
    await owner.query(
      `insert into jobs (workspace_id, name, type, status, scheduled_for, run_at, completed_at, payload, error_message)
       select $1, 'J' || n, 'api_notification', 'failed', '2026-01-01Z', '2026-01-01Z', now(), ${either('$2::json', '$4::json')}, $3 from ${many}`,
      [workspace, { content: { message: long(300_000) } }, long(2_000), { content: { message: 'Hello' } }],
    );
    const reminder = await owner.query(
      `insert into jobs (workspace_id, reminder_id, name, type, status, scheduled_for, run_at, completed_at, error_message)
       select workspace_id, id, name, 'reminder', 'completed', now() - n * interval '1 day', now(), now(), $1
         from reminders, ${many} where name = 'R1' returning reminder_id`,
      [long(2_000)],
    );
    ids.reminder = reminder.rows[0].reminder_id;
    const pending = await owner.query(
      `insert into jobs (workspace_id, name, type, scheduled_for, run_at, payload)
       values ($1, 'Pending', 'api_notification', '2099-01-01Z', '2099-01-01Z', $2) returning id`,
      [
        workspace,
        {
          channels: ['email', 'sms'],
          recipients: Array.from({ length: count }, (_, at) => `${at} ${long(990)}`),
          content: { subject: 'Rent', message: 'Hello' },
        },
      ],
    );
    ids.pendingJob = pending.rows[0].id;
    const job = await owner.query("select id from jobs where name = 'J1'");
    ids.job = job.rows[0].id;
    await owner.query(
      `insert into deliveries (workspace_id, job_id, scheduled_for, channel, recipient, status, attempts, reason, provider_answer, attempt_history,
                               first_attempt_at, last_attempt_at, completed_at)
       select $1, $2, '2026-01-01Z', 'email', n || $3, 'failed', 9, $4, $4,
              (select jsonb_agg(jsonb_build_object('attempt', a, 'status', 'failed', 'began', now(), 'answered', now())) from generate_series(1, ${either('1000', '1')}) a),
              now(), now(), now()
         from ${many}`,
      [workspace, ids.job, 'r'.repeat(1_990), long(2_000)],
    );
    await owner.query(
      `insert into job_executions (workspace_id, job_id, status, started_at, completed_at, duration_ms, error_message, logs)
       select $1, $2, 'failed', now() - n * interval '1 second', now(), 1, $3, ${either('$4::json', `'{}'`)} from ${many}`,
      [workspace, ids.job, long(2_000), { lines: long(100_000) }],
    );
    await owner.query(
      `insert into events (workspace_id, key, event, request_hash, occurred_at, hint)
       select $1, n || $2, $3, 'h', now(), $4 from ${many}`,
      [workspace, long(190), long(100), long(300)],
    );
    await owner.query(`insert into contacts (workspace_id, name, variables) select $1, 'C' || n, $2 from ${many}`, [
      workspace,
      Object.fromEntries(Array.from({ length: 15 }, (_, at) => [`v${at}`, '€'.repeat(1_400)])),
    ]);
    const contact = await owner.query(
      "update deliveries set contact_id = c.id from contacts c where c.name = 'C1' returning c.id",
    );
    ids.contact = contact.rows[0].id;
    await owner.query("update contacts set phone = '+4915112345678' where id = $1", [ids.contact]);
    const condition = { test: 'contains', variable: 'v'.repeat(100), value: '€'.repeat(groupLimits.value) };
    await owner.query(
      `insert into contact_groups (workspace_id, name, rule)
       select $1, n || $2, $3 from generate_series(1, ${groupLimits.perWorkspace}) n`,
      [
        workspace,
        long(90),
        { match: 'all', conditions: Array.from({ length: groupLimits.conditions }, () => condition) },
      ],
    );
    await owner.query(
      `insert into suppressions (workspace_id, channel, recipient, reason)
       select $1, 'webhook', 'https://example.com/' || n || $2, 'manual' from ${many}`,
      [workspace, 'x'.repeat(1_950)],
    );
    await owner.query(
      `with texts as (
         insert into consent_texts (workspace_id, id, text)
         select $1, gen_random_uuid(), n || $2 from ${many} returning id
       )
       insert into consents (workspace_id, channel, recipient, kind, method, text_id, source, said_at)
       select $1, 'sms', '+4915112345678', 'given', 'api', texts.id, $3, now() from texts`,
      [workspace, '€'.repeat(3_900), { form: '€'.repeat(500) }],
    );
    await owner.query(
      `insert into sandbox_messages (workspace_id, channel, sender, recipient, subject, body_text, body_raw, headers, raw_size)
       select w, 'email', 'a@example.com', 'b@example.com', $2, text, text, '{}', 1
         from ${many} cross join lateral (select ${either('$3', `'Hello'`)} as text) t cross join unnest($1::uuid[]) w`,
      [[workspace, null], long(998), long(100_000)],
    );
    await owner.query(
      `insert into channels (workspace_id, name, type, configuration)
       select $1, 'Hook ' || n, 'webhook', $2 from ${many}`,
      [workspace, { url: 'https://example.com/', headers: long(10_000), body: long(50_000) }],
    );
    await owner.query(
      `insert into api_keys (workspace_id, name, role, scopes, prefix, token_hash, revoked_at)
       select $1, $2, 'member', '{send}', 'cb_' || n, 'hash ' || n, now() from ${many}`,
      [workspace, long(100)],
    );
    await owner.query(
      `insert into audit_log (workspace_id, action, details)
       select $1, 'contacts.deleted', jsonb_build_object('matching', $2::text) from ${many}`,
      [workspace, long(1_000)],
    );
    await owner.query(
      `insert into workspace_invitations (workspace_id, email, role, token_hash, expires_at)
       select $1, n || $2, 'member', 'hash ' || n, now() + interval '7 days' from ${many}`,
      [workspace, `${'i'.repeat(300)}@example.com`],
    );
    await owner.query(
      `insert into template_categories (workspace_id, name, description, color)
       select $1, n || $2, $3, '#0ea5e9' from ${many}`,
      [workspace, long(90), long(500)],
    );
    await owner.query(
      `with people as (
         insert into profiles (email, full_name, avatar_url)
         select n || 'p@example.com', $2, 'https://example.com/' || $2 from generate_series(1, ${count - 1}) n returning id)
       insert into workspace_members (workspace_id, user_id, role) select $1, id, 'member' from people`,
      [workspace, long(200)],
    );
    await owner.query(
      `with made as (
         insert into workspaces (name, slug, description)
         select n || $2, 's' || n, $3 from generate_series(1, ${count - 1}) n returning id)
       insert into workspace_members (workspace_id, user_id, role) select id, $1, 'owner' from made`,
      [dana.userId, long(90), long(500)],
    );
    await owner.query(
      // Node accepts 16 KiB of headers.
      `insert into auth_sessions (user_id, token, expires_at, user_agent)
       select $1, 'token ' || n, now() + interval '7 days', repeat('u', 16000) from generate_series(1, ${count - 1}) n`,
      [dana.userId],
    );
    await owner.query(
      `insert into support_requests (email, category, subject, message, created_at)
       select n || '@example.com', 'question', $1, $2, now() from ${many}`,
      [long(200), long(5_000)],
    );
    const webhook = await owner.query(
      `insert into webhooks (workspace_id, url, activity_types, created_at, updated_at)
       values ($1, 'https://example.com/', '{job.missed}', now(), now()) returning id`,
      [workspace],
    );
    ids.webhook = webhook.rows[0].id;
    await owner.query(
      `insert into webhook_activities (workspace_id, webhook_id, type, body, occurred_at, expires_at, status, answer, completed_at)
       select $1, $2, 'job.missed', $3, now(), now(), 'failed', $4, now() from ${many}`,
      [workspace, ids.webhook, long(10_000), long(500)],
    );
    await owner.query('update profiles set is_system_admin = true where id = $1', [dana.userId]);
    // Autovacuum would do so, and is off.
    await owner.query('analyze');
  }

  /** The path of each list, and its number of rows; none where the rows are the product's own. */
  const requests: Record<string, () => { path: string; rows?: number }> = {
    listReminders: () => ({ path: '/api/reminders?', rows: count }),
    listTemplates: () => ({ path: '/api/templates?', rows: count }),
    listGallery: () => ({ path: '/api/templates/gallery?', rows: count }),
    listTemplateUses: () => ({ path: `/api/templates/${ids.template}/uses?`, rows: count }),
    listTemplateVersions: () => ({ path: `/api/templates/${ids.template}/versions?`, rows: count }),
    listTemplateCategories: () => ({ path: '/api/template-categories?', rows: count }),
    listContactGroups: () => ({ path: '/api/contact-groups?', rows: groupLimits.perWorkspace }),
    listContacts: () => ({ path: '/api/contacts?', rows: count }),
    listContactDeliveries: () => ({ path: `/api/contacts/${ids.contact}/deliveries?`, rows: count }),
    listReminderRuns: () => ({ path: `/api/reminders/${ids.reminder}/runs?`, rows: count }),
    listSuppressions: () => ({ path: '/api/suppressions?', rows: count }),
    listConsents: () => ({ path: '/api/consents?', rows: count }),
    listContactConsents: () => ({ path: `/api/contacts/${ids.contact}/consents?`, rows: count }),
    listJobs: () => ({ path: '/api/jobs?', rows: count }),
    getReminderReach: () => ({ path: `/api/reminders/${ids.reminder}/reach?kind=unfit&` }),
    getJobReach: () => ({ path: `/api/jobs/${ids.pendingJob}/reach?kind=unfit&`, rows: count }),
    listDeliveries: () => ({ path: `/api/jobs/${ids.job}/deliveries?`, rows: count }),
    getReport: () => ({ path: `/api/jobs/${ids.job}/report?`, rows: count }),
    listEvents: () => ({ path: '/api/events?', rows: count }),
    listJobExecutions: () => ({ path: '/api/job-executions?', rows: count }),
    listChannels: () => ({ path: '/api/channels?', rows: count }),
    listChannelTypes: () => ({ path: '/api/channel-types?' }),
    listActs: () => ({ path: '/api/audit-log?kind=contacts&', rows: count }),
    listInstallationActs: () => ({ path: '/api/admin/audit-log?' }),
    listGoneWorkspaces: () => ({ path: '/api/admin/gone-workspaces?' }),
    listPeople: () => ({ path: '/api/admin/people?' }),
    listAdministeredWorkspaces: () => ({ path: '/api/admin/workspaces?' }),
    listAgendaDay: () => ({ path: `/api/agenda/entries?day=${Temporal.Now.plainDateISO('UTC').toString()}&` }),
    listSupportRequests: () => ({ path: '/api/admin/support-requests?', rows: count }),
    listLogEntries: () => ({ path: '/api/admin/log?' }),
    listActors: () => ({ path: '/api/audit-log/actors?' }),
    listApiKeys: () => ({ path: '/api/api-keys?', rows: count }),
    listErasures: () => ({ path: '/api/erasures?' }),
    listWebhookActivities: () => ({ path: `/api/webhooks/${ids.webhook}/activities?`, rows: count }),
    listInbox: () => ({ path: '/api/inbox?', rows: count }),
    listAccountInbox: () => ({ path: `/api/inbox/account?token=${token}&`, rows: count }),
    listSimulatedFailures: () => ({ path: '/api/inbox/simulated-failures?' }),
    listWorkspaces: () => ({ path: '/api/workspaces?', rows: count }),
    listInvitations: () => ({ path: `/api/workspaces/${workspace}/invitations?`, rows: count }),
    listDevices: () => ({ path: '/api/account/devices?', rows: count }),
    listMembers: () => ({ path: `/api/workspaces/${workspace}/members?`, rows: count }),
  };

  async function follow(path: string, isPaged: boolean) {
    const found: string[] = [];
    const sizes: number[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const limit = path.includes('/report?') ? reportLinesAtOnce : 200;
      const query: string = isPaged ? `limit=${limit}${cursor && `&cursor=${encodeURIComponent(cursor)}`}` : '';
      const { status, bytes } = await get(path + query);
      expect(status, bytes.toString('utf8', 0, 500)).toBe(200);
      sizes.push(bytes.length);
      const page: z.output<typeof Ids> = Ids.parse(JSON.parse(bytes.toString()));
      found.push(...page.data.map(({ id }) => id ?? ''));
      cursor = page.next_cursor;
    }
    return { found, largest: Math.max(...sizes), pages: sizes.length };
  }

  /** Not `fetch`, which copies a gigabyte of answers several times. */
  function get(path: string): Promise<{ status: number; bytes: Buffer }> {
    const { promise, resolve, reject } = Promise.withResolvers<{ status: number; bytes: Buffer }>();
    const headers = { cookie: dana.cookie, 'x-workspace-id': workspace };
    httpGet(cuebird.url + path, { headers }, (response) => {
      buffer(response).then((bytes) => resolve({ status: response.statusCode ?? 0, bytes }), reject);
    }).on('error', reject);
    return promise;
  }

  it('is known for every list of the contract', () => {
    expect(Object.keys(requests).sort()).toEqual(lists.map(([name]) => name).sort());
  });

  it.each(sample.draw(lists, { name: 'lists of the largest rows', count: 7 }))(
    'stays below 5 MB for each answer of %s, and every row is found by following the cursor',
    async (name, route) => {
      const { path, rows } = requests[name]?.() ?? { path: '' };
      const { found, largest } = await follow(path, route.query !== undefined && 'cursor' in route.query.shape);
      expect(largest).toBeLessThan(mostBytes);
      if (rows === undefined) return;
      // Rows that other code creates, such as the mail of signing up, do not count.
      expect(found.length).toBeGreaterThanOrEqual(rows);
      expect(new Set(found).size).toBe(found.length);
    },
  );

  it.each(sample.draw(['name', 'next_run'], { name: 'order of reminders', count: 1 }))(
    'finds every reminder by %s',
    async (sort) => {
      const { found } = await follow(`/api/reminders?view=summary&sort=${sort}&`, true);
      expect(new Set(found).size).toBe(count);
    },
  );

  it('is a list of summaries where those are asked for, in fewer pages', async () => {
    for (const path of ['/api/jobs?status=failed&', '/api/templates?']) {
      const { largest, pages } = await follow(`${path}view=summary&`, true);
      expect(pages).toBe(1);
      expect(largest).toBeLessThan(2_000_000);
    }
    const { json } = await dana.call('GET', '/api/reminders?view=summary&limit=12&search=R', { workspace });
    expect(json.data).toHaveLength(12);
    expect(json.data[0].content).toEqual({
      subject: long(998),
      recipients: [0, 1, 2].map((at) => `${'recipient'.repeat(5)}${at}@example.com`),
      recipient_count: 10_000,
    });
  });
});

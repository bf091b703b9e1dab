import type { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as exported from '#platform/exported-columns.ts';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { sampleReminder, sampleRule, sampleTemplate } from '#testing/samples.ts';

const lists: Record<string, exported.Columns> = {
  workspaces: exported.workspaceColumns,
  channels: exported.channelColumns,
  topics: exported.topicColumns,
  template_categories: exported.categoryColumns,
  templates: exported.templateColumns,
  template_versions: exported.versionColumns,
  contact_groups: exported.groupColumns,
  contacts: exported.contactColumns,
  suppressions: exported.suppressionColumns,
  reminders: exported.reminderColumns,
};

/** The tables of a workspace that its file does not have, and why. */
const leftOut: Record<string, string> = {
  api_keys: 'access to this workspace',
  audit_log: 'what was done here',
  calendar_feeds: 'its address gives access to this workspace',
  calendar_sources: 'its address is a secret; the import says that the calendar has to be added again',
  channel_rate_limits: 'the state of a channel',
  contact_import_changes: 'what an import did here',
  erasure_secrets: 'a secret',
  erasures: 'whom this workspace erased, by hashes of its own',
  contact_imports: 'what was done here',
  contact_words: 'what its contacts say',
  consents: 'what was said here; a file that anybody can write proves nothing',
  consent_texts: 'as consents',
  deliveries: 'what was sent, which leaves as CSV',
  event_payloads: 'what came in here',
  events: 'what came in here',
  hook_calls: 'what came in here',
  idempotency_keys: 'requests to this workspace',
  job_executions: 'what was sent',
  job_skips: 'it is about runs that are planned, and an import plans nothing',
  jobs: 'what was sent and what is planned: an import plans nothing',
  monthly_usage: 'what was sent',
  notice_days: 'what happened here',
  notices: 'what happened here',
  pictures: 'the file has no pictures',
  preferences: 'what recipients chose here by a link of this workspace, and choose again',
  push_browsers: 'browsers of members',
  queue: 'work that waits',
  received_reports: 'what came in here',
  reminder_hooks: 'an imported hook has an address of its own; the file says whether one was signed',
  reminder_texts: 'what was sent',
  monthly_reports: 'addresses to which this workspace sends its figures',
  request_counts: 'requests to this workspace',
  sandbox_messages: 'what was sent',
  sandbox_simulated_failures: 'a state of the sandbox',
  sent_counts: 'what was sent',
  signing_secrets: 'a secret',
  subscriptions: 'what is paid',
  totals_channels: 'what was sent',
  totals_marks: 'what was sent',
  totals_misses: 'what was sent',
  totals_people: 'what was sent',
  totals_progress: 'what was sent',
  totals_reasons: 'what was sent',
  webhook_activities: 'what happened here',
  webhooks: 'its receiver expects the signing secret and the events of this workspace alone',
  workspace_imports: 'what was done here',
  workspace_invitations: 'people',
  workspace_members: 'people',
};

/** A value other than the default for each exported column of what an import makes. */
const samples = {
  topics: { name: 'Notices', kind: 'required', why: 'law', archived_at: '2026-01-02T03:04:05+00:00' } satisfies Sample<
    typeof exported.topicColumns
  >,
  template_categories: { name: 'Rent', description: 'Every month', color: '#ef4444' } satisfies Sample<
    typeof exported.categoryColumns
  >,
  contact_groups: { name: 'Tenants', rule: sampleRule } satisfies Sample<typeof exported.groupColumns>,
  contacts: {
    name: 'Anna Smith-Jones',
    first_name: 'Anna',
    last_name: 'Smith',
    salutation: 'Ms',
    language: 'de-AT',
    preferred_channel: 'sms',
    paused_until: '2027-03-01',
    note: 'Rings twice',
    email: 'anna@example.com',
    phone: '+493012345678',
    timezone: 'Europe/Berlin',
    variables: { unit: '4b' },
    tags: ['tenant'],
  } satisfies Sample<typeof exported.contactColumns>,
  suppressions: {
    channel: 'email',
    recipient: 'carl@example.com',
    reason: 'unsubscribed',
    covers: 'topic',
    ends_at: null,
    created_at: '2026-01-02T03:04:05+00:00',
  } satisfies Omit<Sample<typeof exported.suppressionColumns>, 'topic_id'>,
  reminders: {
    name: 'Rent',
    description: 'Every first of the month',
    status: 'draft',
    schedule_config: sampleReminder.schedule_config,
    content: sampleReminder.content,
    metadata: { channels: ['email'], priority: 'high' },
  } satisfies Sample<typeof exported.reminderColumns>,
};
type Sample<Table extends exported.Columns> = Record<exported.ExportedColumn<Table>, unknown>;

const template = { ...sampleTemplate } satisfies Omit<Sample<typeof exported.templateColumns>, 'category_id'>;
const version = {
  ...template,
  version: 7,
  restored_from: 3,
  created_at: '2026-01-02T03:04:05+00:00',
} satisfies Sample<typeof exported.versionColumns>;

describe('the columns of what a workspace owns', () => {
  let cuebird: TestCuebird;
  let owner: Client;
  let dana: TestPerson;
  beforeAll(async () => {
    cuebird = await startTestCuebird();
    owner = cuebird.owner;
    dana = await cuebird.signUp('Dana');
  });
  afterAll(() => cuebird.stop());

  it('are exported, or are left out for a reason that is written down', async () => {
    const { rows } = await owner.query<{ table: string; columns: string[] }>(
      `select c.relname as table, array_agg(a.attname::text) as columns
         from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
        group by 1 having 'workspace_id' = any (array_agg(a.attname)) or c.relname = 'workspaces'`,
    );
    expect(rows.map(({ table }) => table).toSorted()).toEqual(
      [...Object.keys(lists), ...Object.keys(leftOut)].toSorted(),
    );
    for (const { table, columns } of rows)
      if (lists[table] !== undefined) expect(Object.keys(lists[table]).toSorted(), table).toEqual(columns.toSorted());
  });

  const insert = async (table: string, row: Record<string, unknown>): Promise<string> => {
    const columns = Object.keys(row).join(', ');
    const { rows } = await owner.query<{ id: string }>(
      `insert into ${table} (${columns}) select ${columns} from json_populate_record(null::${table}, $1) returning id`,
      [JSON.stringify(row)],
    );
    return rows[0]!.id;
  };
  /** The only row that the workspace has in the table. */
  const rowIn = async (table: string, workspace: string): Promise<Record<string, unknown>> => {
    const { rows } = await owner.query<{ row: Record<string, unknown> }>(
      `select to_jsonb(t) as row from ${table} t where ${table === 'workspaces' ? 'id' : 'workspace_id'} = $1`,
      [workspace],
    );
    expect(rows, table).toHaveLength(1);
    return rows[0]!.row;
  };
  /** What its exported columns have in a row that says nothing of them. */
  const defaultsOf = async (table: string): Promise<Record<string, unknown>> => {
    const { rows } = await owner.query<{ name: string; value: string }>(
      `select a.attname as name, pg_get_expr(d.adbin, d.adrelid) as value
         from pg_attribute a join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
        where a.attrelid = $1::regclass and a.attgenerated = ''`,
      [table],
    );
    const own = rows.filter(({ name }) => typeof lists[table]?.[name] === 'string');
    if (own.length === 0) return {};
    const values = own.map(({ name, value }) => `${value} as ${name}`).join(', ');
    const { rows: found } = await owner.query<{ row: Record<string, unknown> }>(
      `select to_jsonb(d) as row from (select ${values}) d`,
    );
    return found[0]!.row;
  };

  it('come back by an import with the values that were exported', async () => {
    const [from, to] = [await dana.createWorkspace('Elm Street'), await dana.createWorkspace('Oak Lane')];
    for (const [table, row] of Object.entries(samples)) {
      const email = table === 'contacts' && { email_key: samples.contacts.email };
      const topic = table === 'suppressions' && { topic_id: (await rowIn('topics', from))['id'] };
      await insert(table, { ...row, ...email, ...topic, workspace_id: from });
    }
    const category = (await rowIn('template_categories', from))['id'];
    const made = await insert('templates', {
      ...template,
      category_id: category,
      is_public: false,
      version: version.version,
      workspace_id: from,
    });
    await insert('template_versions', { ...version, template_id: made, workspace_id: from });
    for (const workspace of [from, to])
      await insert('channels', { name: 'Our mail', type: 'webhook', configuration: {}, workspace_id: workspace });
    await owner.query('update workspaces set settings = $2 where id = $1', [
      from,
      { companyName: 'Elm & Sons', retentionDays: 90 },
    ]);

    const response = await fetch(`${cuebird.url}/api/workspaces/${from}/export`, {
      headers: { cookie: dana.cookie, 'x-workspace-id': from },
    });
    const imported = await dana.call('POST', `/api/workspaces/${to}/import?mode=import&settings=true`, {
      workspace: to,
      body: await response.json(),
    });
    expect(imported.status, JSON.stringify(imported.json)).toBe(200);
    expect(imported.json.counts.channels).toEqual({ created: 0, existing: 1, refused: 0 });
    for (const [table, columns] of Object.entries(lists)) {
      const [before, after, defaults] = [await rowIn(table, from), await rowIn(table, to), await defaultsOf(table)];
      for (const column of exported.exportedColumns(columns)) {
        // Only a pause ends, and it covers no topic alone: below.
        if (table === 'suppressions' && column === 'ends_at') continue;
        expect(before[column], `${table}.${column}`).not.toBeNull();
        expect(before[column], `${table}.${column}`).not.toEqual(defaults[column]);
        // The reference leads to what was imported.
        const expected =
          column === 'category_id'
            ? (await rowIn('template_categories', to))['id']
            : column === 'topic_id'
              ? (await rowIn('topics', to))['id']
              : before[column];
        expect(after[column], `${table}.${column}`).toEqual(expected);
      }
    }
  });

  it('come back with the day on which the pause of a recipient ends, beside what they have left', async () => {
    const [from, to] = [await dana.createWorkspace('Elm Street'), await dana.createWorkspace('Oak Lane')];
    const entry = { channel: 'email', recipient: 'carl@example.com', covers: 'optional', workspace_id: from };
    await insert('suppressions', { ...entry, reason: 'paused', ends_at: '2099-01-02T03:04:05Z' });
    await insert('suppressions', { ...entry, reason: 'unsubscribed' });
    const response = await fetch(`${cuebird.url}/api/workspaces/${from}/export`, {
      headers: { cookie: dana.cookie, 'x-workspace-id': from },
    });
    const file = await response.json();
    const importInto = async () =>
      (await dana.call('POST', `/api/workspaces/${to}/import?mode=import`, { workspace: to, body: file })).json.counts
        .suppressions;
    expect(await importInto()).toEqual({ created: 2, existing: 0, refused: 0 });
    const { rows } = await owner.query(
      'select reason, ends_at, created_by from suppressions where workspace_id = $1 order by reason',
      [to],
    );
    expect(rows).toEqual([
      { reason: 'paused', ends_at: '2099-01-02 03:04:05+00', created_by: null },
      { reason: 'unsubscribed', ends_at: null, created_by: null },
    ]);
    expect(await importInto()).toEqual({ created: 0, existing: 2, refused: 0 });
    const [pause] = file.suppressions.filter(({ reason }: { reason: string }) => reason === 'paused');
    file.suppressions = [
      { ...pause, covers: 'everything' },
      { ...pause, ends_at: null },
      { ...pause, reason: 'manual' },
    ].map((one, at) => ({ ...one, recipient: `other${at}@example.com` }));
    expect(await importInto()).toEqual({ created: 0, existing: 0, refused: 3 });
  });
});

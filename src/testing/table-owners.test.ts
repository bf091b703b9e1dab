import { glob, readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { tablesOf } from '#commands/tables.ts';
import { personalData } from '#features/erasures/personal-data.ts';
import { createTestDatabase } from '#testing/database.ts';
import { connectOwner } from '#testing/owner.ts';

type Verb = 'insert' | 'update' | 'delete';
type Writers = Record<string, readonly Verb[]>;

const every: readonly Verb[] = ['insert', 'update', 'delete'];

/** The file of a workspace, which is written many rows at a time with what the file calls them. */
const imported: Writers = { 'features/workspace-file': ['insert'] };

/** The erasing of a person, as `personalData` says. */
const changedByErasure: Writers = { 'features/erasures': ['update'] };
const deletedByErasure: Writers = { 'features/erasures': ['delete'] };

/**
 * Who writes which table: its owner first, then whoever else may, and why. What triggers and functions of the database write is not
 * listed here; they stand beside their tables in db/migrations. Sign-in writes profiles and auth_* through better-auth.
 */
const owners: Record<string, Writers> = {
  alerts: { 'features/alerts': every },
  api_keys: { 'features/api-keys': ['insert', 'update'] },
  app_settings: {
    'platform/settings': ['insert', 'update'],
    // One transaction changes and logs them.
    'features/admin': ['insert', 'update'],
    // One statement uses the one-time link up and makes the administrator.
    'features/auth': ['insert', 'update', 'delete'],
    // A restore that has ended removes the mark that it is under way.
    commands: ['delete'],
  },
  audit_log: {
    'platform/audit': ['insert'],
    // Logged by the statement that does it, so that neither happens alone.
    engine: ['insert'],
    'features/auth': ['insert'],
    'features/admin': ['insert'],
  },
  auth_accounts: { 'features/auth': ['insert', 'update'] },
  auth_reauthentication_codes: { 'features/auth': every },
  auth_email_changes: { 'features/auth': every },
  auth_sessions: {
    'features/auth': ['update', 'delete'],
    // Nobody stays signed in after a restore.
    commands: ['delete'],
  },
  // better-auth inserts; a trigger deletes.
  auth_two_factors: { 'features/auth': ['update'] },
  auth_verifications: { 'features/auth': ['delete'], commands: ['delete'] },
  billing_customers: { 'features/billing': ['insert', 'update'] },
  billing_events: { 'features/billing': ['insert'] },
  calendar_feeds: { 'features/calendar-feeds': every },
  monthly_reports: { 'features/monthly-reports': every, ...deletedByErasure },
  calendar_sources: { 'features/calendar-sources': every },
  channel_rate_limits: { engine: ['insert', 'update'] },
  channels: {
    'features/channels': every,
    // The channels of a demo are verified, as they would be by now.
    'features/demo': ['update'],
  },
  claims: { engine: every },
  contact_groups: { 'features/contact-groups': every, ...imported },
  contact_import_changes: { 'features/contacts': ['insert', 'delete'], ...deletedByErasure },
  erasure_secrets: { 'features/erasures': ['insert'] },
  erasures: { 'features/erasures': ['insert', 'update'] },
  contact_imports: { 'features/contacts': every },
  contacts: {
    'features/contacts': every,
    ...imported,
    ...deletedByErasure,
  },
  deliveries: {
    engine: ['insert', 'update'],
    // Retry and cancel by a person.
    'features/jobs': ['insert', 'update'],
    // Reports of providers.
    'features/channels': ['update'],
    // What waits for a person who is erased, and what was sent to them.
    'features/erasures': ['update', 'delete'],
    // A cancelled event, an edited reminder: what waits ends as skipped (`endUnsent`).
    'features/events': ['update'],
    'features/reminders': ['update'],
    // The past of a demo.
    'features/demo': ['insert'],
  },
  delivery_days: { 'features/metrics': every },
  demo_requests: { 'features/demo-requests': ['insert', 'delete'] },
  event_payloads: { 'features/events': ['insert', 'update'], ...changedByErasure },
  events: { 'features/events': ['insert', 'update'], ...changedByErasure },
  health_days: { 'features/status': every },
  hook_calls: { 'features/events': ['insert', 'update'] },
  idempotency_keys: { http: every, ...deletedByErasure },
  job_executions: {
    engine: ['insert'],
    // The past of a demo.
    'features/demo': ['insert'],
    ...changedByErasure,
  },
  job_skips: {
    'features/exclusions': ['insert', 'delete'],
    // With the jobs of a reminder that is restored.
    'features/reminders': ['insert'],
  },
  jobs: {
    'platform/new-jobs': ['insert'],
    engine: every,
    // A message of the API or of a test; acts of a person on a job.
    'features/jobs': ['insert', 'update'],
    // Schedules and ends the occurrences of a reminder, in the transaction that saves it.
    'features/reminders': every,
    // An event makes jobs and cancels them, in the transaction that stores it.
    'features/events': ['insert', 'update'],
    // A provider's report changes the result of a job that has ended.
    'features/channels': ['update'],
    // The past of a demo.
    'features/demo': ['insert'],
    ...changedByErasure,
  },
  log_entries: { 'platform/log-ring': ['insert', 'delete'] },
  minute_figures: { 'features/metrics': every },
  monthly_usage: { engine: ['insert', 'update'] },
  notice_days: { 'features/notices': ['insert', 'update'] },
  notices: {
    'features/notices': ['update', 'delete'],
    // In the claim's transaction, which finds that an occurrence was missed.
    engine: ['insert'],
    ...changedByErasure,
  },
  pictures: { 'features/pictures': every },
  process_figures: { 'features/metrics': every },
  processes: { 'features/metrics': every },
  profiles: {
    'features/auth': ['insert', 'update'],
    // What people change of themselves, and the deletion of their own account.
    'features/profile': ['update', 'delete'],
    // What administrators of the installation decide about a person.
    'features/admin': ['update'],
    // Visitors, who have no password.
    'features/demo': ['insert', 'delete'],
  },
  push_browsers: { 'features/push': every },
  queue: { engine: ['insert', 'delete'] },
  received_reports: { 'features/channels': ['insert'], ...deletedByErasure },
  reminder_hooks: { 'features/events': ['insert', 'update'] },
  // A trigger inserts and deletes.
  reminder_texts: changedByErasure,
  reminders: { 'features/reminders': ['insert', 'update'], ...imported, ...changedByErasure },
  request_counts: { 'platform/rate-limit': every },
  sandbox_messages: {
    'features/inbox': every,
    // Retention.
    engine: ['delete'],
    ...deletedByErasure,
  },
  sandbox_payments: { 'features/billing': ['insert', 'update'] },
  sandbox_simulated_failures: { 'features/inbox': every },
  schema_migrations: { 'platform/migrate': ['insert', 'delete'] },
  signing_secrets: { 'features/signing-secret': ['insert', 'update'] },
  subscriptions: { 'features/billing': ['insert', 'update'] },
  support_answers: { 'features/support': ['insert'] },
  support_requests: { 'features/support': ['insert', 'update'] },
  // What people choose is written in one place, into the list and the record of consents at once.
  consent_texts: { 'features/consents': ['insert'] },
  consents: { 'features/consents': ['insert'], ...changedByErasure },
  preferences: { 'features/preferences': every, ...deletedByErasure },
  sent_counts: { engine: ['insert', 'update'], ...deletedByErasure },
  suppressions: {
    'features/consents': every,
    // What an entry covers gets narrower.
    'features/suppressions': ['update'],
    // What stands in place of erased addresses.
    'features/erasures': ['insert', 'delete'],
  },
  template_categories: { 'features/template-categories': every, ...imported },
  template_versions: { 'features/templates': ['insert', 'delete'], ...imported },
  templates: { 'features/templates': every, ...imported },
  topics: { 'features/topics': ['insert', 'update'], ...imported },
  totals_channels: { engine: ['insert', 'delete'] },
  totals_marks: { engine: ['delete'] },
  totals_misses: { engine: ['insert', 'delete'], ...changedByErasure },
  totals_people: { engine: ['insert', 'delete'] },
  totals_progress: { engine: ['insert', 'update'] },
  totals_reasons: { engine: ['insert', 'delete'] },
  unknown_paths: { 'features/unknown-paths': every },
  workspace_imports: { 'features/workspace-file': ['insert', 'update'] },
  webhook_activities: {
    'features/webhooks': ['insert', 'update'],
    // Attempts, and what the log no longer keeps.
    engine: ['update', 'delete'],
    ...deletedByErasure,
  },
  webhooks: {
    'features/webhooks': every,
    // What its receiver answered.
    engine: ['update'],
  },
  workspace_invitations: { 'features/invitations': every },
  workspace_members: {
    'features/workspaces': every,
    // A member wants to see the first steps no more.
    'features/dashboard': ['update'],
  },
  workspaces: {
    'features/workspaces': ['insert', 'update'],
    // The plan, by what the payment provider says.
    'features/billing': ['update'],
    // A claim spends the budget of a demo in its own transaction.
    engine: ['update'],
  },
};

/** In SQL, and as the query builder says it. */
const statement =
  /\b(insert) into (\w+)|\b(update) (\w+)(?: (?:as )?\w+)?\s+set\b|\b(delete) from (\w+)|\.(insert)Into\('(\w+)'\)|\.(update)Table\('(\w+)'\)|\.(delete)From\('(\w+)'\)|\b(insert)(Jobs)(?:Text)?\(/g;

function writesIn(text: string): { verb: string; table: string }[] {
  const found = [...text.matchAll(statement)].map(([whole, ...groups]) => {
    const [verb = '', table = ''] = groups.filter((group) => group !== undefined);
    return { verb, table: table.toLowerCase(), whole };
  });
  // An insert that updates what is there already, up to the end of its statement.
  const upserts = [
    ...text.matchAll(
      /\binsert into (\w+)[^`;]*?on conflict[^`;]*?do update\s+set|\.insertInto\('(\w+)'\)[^;]*?\.doUpdateSet/g,
    ),
  ];
  return [
    ...found.map(({ verb, table }) => ({ verb, table })),
    ...upserts.map(([, inSql, built]) => ({ verb: 'update', table: inSql ?? built ?? '' })),
  ];
}

/** `features/jobs`, `engine`, `platform/audit`: platform is many things, so there a file counts. */
function moduleOf(file: string): string {
  const [, first = '', second = ''] = file.split('/');
  if (first === 'features') return `${first}/${second}`;
  return first === 'platform' ? `${first}/${second.split('.')[0]}` : first;
}

type Source = { file: string; text: string };

/** What an erasure writes: its statements are put together from this table of tables. */
const statementsOfErasure = Object.entries(personalData)
  .map(([table, { isDeleted, set }]) =>
    isDeleted === true ? `delete from ${table} t` : set === undefined ? '' : `update ${table} t set`,
  )
  .join(';');

async function sources(): Promise<Source[]> {
  const found: Source[] = [{ file: 'src/features/erasures/personal-data.ts', text: statementsOfErasure }];
  for await (const file of glob('src/**/*.ts', {
    exclude: ['src/**/*.test.ts', 'src/testing/**', 'src/web/**', 'src/contract/**'],
  }))
    found.push({ file, text: await readFile(file, 'utf8') });
  return found;
}

function writersIn(files: readonly Source[]): Record<string, Record<string, string[]>> {
  const tables: Record<string, Record<string, Set<string>>> = {};
  for (const { file, text } of files) {
    for (const { verb, table } of writesIn(text)) ((tables[table] ??= {})[moduleOf(file)] ??= new Set()).add(verb);
  }
  return Object.fromEntries(
    Object.entries(tables).map(([table, writers]) => [
      table,
      Object.fromEntries(Object.entries(writers).map(([name, verbs]) => [name, [...verbs].toSorted()])),
    ]),
  );
}

const listed = Object.fromEntries(
  Object.entries(owners).map(([table, writers]) => [
    table,
    Object.fromEntries(Object.entries(writers).map(([name, verbs]) => [name, verbs.toSorted()])),
  ]),
);

it('each table is written by its owner, and by others only where the list says why', async () => {
  expect(writersIn(await sources())).toEqual(listed);
});

it.each([
  ['inserts by SQL', 'insert into suppressions (id) values ($1)', ['insert']],
  ['updates by SQL', 'update suppressions s set reason = $1', ['update']],
  ['updates by SQL over two lines', 'update suppressions\n   set reason = $1', ['update']],
  ['deletes by SQL', 'delete from suppressions where id = $1', ['delete']],
  [
    'upserts by SQL',
    'insert into suppressions (id) values ($1) on conflict (id) do update set id = $1',
    ['insert', 'update'],
  ],
  ['inserts by the query builder', "db.insertInto('suppressions').values(row)", ['insert']],
  ['updates by the query builder', "db.updateTable('suppressions').set(row)", ['update']],
  ['deletes by the query builder', "db.deleteFrom('suppressions')", ['delete']],
  [
    'upserts by the query builder',
    "db.insertInto('suppressions').onConflict((on) => on.doUpdateSet(row))",
    ['insert', 'update'],
  ],
])('a module that is not in the list and %s is found', async (_, text, verbs) => {
  const written = writersIn([...(await sources()), { file: 'src/features/templates/second.db.ts', text }]);
  expect(written).not.toEqual(listed);
  expect(written).toEqual({
    ...listed,
    suppressions: { ...listed.suppressions, 'features/templates': verbs },
  });
});

it('a listed module that writes in a way the list does not name is found', async () => {
  const file = { file: 'src/features/workspaces/second.db.ts', text: 'delete from workspaces' };
  expect(writersIn([...(await sources()), file])).not.toEqual(listed);
});

it('every table of the schema is in the list, apart from those that triggers alone write', async () => {
  const { url, drop } = await createTestDatabase();
  const owner = await connectOwner(url);
  const tables = (await tablesOf(owner)).map(({ name }) => name);
  await owner.end();
  await drop();
  expect(tables.filter((table) => owners[table] === undefined)).toEqual(['contact_words']);
});

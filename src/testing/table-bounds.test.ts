import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { tablesOf } from '#commands/tables.ts';
import { createTestDatabase } from '#testing/database.ts';
import { connectOwner } from '#testing/owner.ts';

/**
 * Who makes a table grow, and how far. Strangers are people without an account, and whoever calls an address that is known to others: for them a number
 * of rows is tested. What people with an account store is bounded where it says a number; how fast it grows, by the limits of usage.
 */
type Bound =
  | { by: 'strangers'; most: string; test: readonly [file: string, sentence: string] }
  | { by: 'accounts' | 'installation'; most: string };

const bounds: Readonly<Record<string, Bound>> = {
  alerts: { by: 'installation', most: 'one for each cause and day' },
  api_keys: { by: 'accounts', most: 'made by owners and admins, each an entry of the audit log' },
  app_settings: { by: 'installation', most: 'one for each setting' },
  audit_log: { by: 'accounts', most: 'an entry for each act, for 400 days' },
  auth_accounts: {
    by: 'strangers',
    most: 'as `profiles`, one for each way to sign in',
    test: [
      'src/features/auth/auth.limits.test.ts',
      'is answered five times an hour for one mailbox, for all callers together',
    ],
  },
  auth_email_changes: { by: 'accounts', most: '10 an hour of a person; a day' },
  auth_reauthentication_codes: { by: 'accounts', most: 'one for each session that asks' },
  auth_sessions: {
    by: 'strangers',
    most: 'one for each sign-in that was right, and each demo; 90 days at most',
    test: [
      'src/engine/maintenance/archiver.retention.test.ts',
      'deletes every expired session, verification and count, and no other, in small steps',
    ],
  },
  auth_two_factors: { by: 'accounts', most: 'one for each person' },
  auth_verifications: {
    by: 'strangers',
    most: 'sign-ups and mails: the limits above; until they expire',
    test: [
      'src/engine/maintenance/archiver.retention.test.ts',
      'deletes every expired session, verification and count, and no other, in small steps',
    ],
  },
  billing_customers: { by: 'accounts', most: 'one for each person who pays' },
  billing_events: { by: 'installation', most: 'what the payment provider signs; 60 days' },
  calendar_feeds: { by: 'accounts', most: 'one of each kind for a member' },
  calendar_sources: { by: 'accounts', most: '20 of a workspace' },
  channel_rate_limits: { by: 'accounts', most: 'one for each channel' },
  channels: { by: 'accounts', most: 'made by owners and admins, each an entry of the audit log' },
  claims: { by: 'installation', most: 'one for each batch under way' },
  consent_texts: { by: 'accounts', most: 'as `consents`: each text once, 4,000 characters' },
  consents: {
    by: 'strangers',
    most: 'a link of a message: 10 undone a day, each ended again at most once; replies, signed; else no number: what a workspace records',
    test: ['src/features/consents/choices.test.ts', 'is undone ten times a day by a link, and not an eleventh time'],
  },
  contact_groups: { by: 'accounts', most: '100 of a workspace' },
  contact_import_changes: { by: 'accounts', most: '10,000 of an import; 7 days' },
  contact_imports: { by: 'accounts', most: '100 of a workspace' },
  contact_words: { by: 'accounts', most: 'one for each tag and name of a value of a workspace' },
  contacts: { by: 'accounts', most: 'no number: what a workspace imports and saves, with the limits of rate above' },
  deliveries: {
    by: 'accounts',
    most: 'one for each recipient, channel and occurrence; `retentionDays` of the workspace',
  },
  delivery_days: { by: 'installation', most: 'one for each day, channel and outcome' },
  demo_requests: {
    by: 'strangers',
    most: 'the newest 1,000, for a year',
    test: [
      'src/features/demo-requests/demo-requests.test.ts',
      'is deleted after a year, and when there are many newer ones',
    ],
  },
  erasure_secrets: { by: 'accounts', most: 'one of a workspace' },
  erasures: {
    by: 'accounts',
    most: '20 of a workspace under way; made by owners and admins, each an entry of the audit log',
  },
  event_payloads: { by: 'accounts', most: 'as `events`, 64 KB each' },
  events: { by: 'accounts', most: '600 a minute of a workspace; as long as its jobs' },
  health_days: { by: 'installation', most: 'one for each component and day, for 90 days' },
  hook_calls: {
    by: 'strangers',
    most: 'the last ten of a reminder',
    test: ['src/features/events/hook-calls.test.ts', 'are ten, however many came and at once'],
  },
  idempotency_keys: {
    by: 'accounts',
    most: '1,000,000 a day of a workspace, 16,384 characters each and 64 million in all; 7 days',
  },
  job_executions: { by: 'accounts', most: 'one for each run that its job does not describe; as `jobs`' },
  job_skips: { by: 'accounts', most: 'one for each job and contact; as long as both' },
  jobs: { by: 'accounts', most: 'one for each occurrence, event, test and API send; `retentionDays` of the workspace' },
  log_entries: {
    by: 'strangers',
    most: 'the newest 20,000 lines, 4,000 characters each',
    test: [
      'src/features/admin/logs.test.ts',
      'holds a bounded number of lines, however many are written, and shortens long ones',
    ],
  },
  minute_figures: { by: 'installation', most: 'one for each minute and kind, for a day' },
  monthly_usage: { by: 'accounts', most: 'one for each workspace and month' },
  notice_days: { by: 'accounts', most: 'one for each workspace and day' },
  notices: {
    by: 'accounts',
    most: 'one for each occurrence that was missed or over the plan, until its owners have had a mail',
  },
  pictures: { by: 'accounts', most: 'one of a person and of a workspace, 256 KB each' },
  preferences: {
    by: 'strangers',
    most: 'one for each address that a message with a link was sent to',
    test: ['src/features/unsubscribe/quiet-hours.test.ts', 'are one row for an address, however often they are chosen'],
  },
  process_figures: { by: 'installation', most: 'one for each thread' },
  processes: { by: 'installation', most: 'one for each process' },
  profiles: {
    by: 'strangers',
    most: 'sign-ups: 100 an hour of an address, 5 of a mailbox; 200 visitors of the demo',
    test: ['src/features/demo/visitors.test.ts', 'Too many people are looking at the demo just now.'],
  },
  push_browsers: {
    by: 'accounts',
    most: '20 of a person in a workspace get messages; one that has expired is deleted',
  },
  queue: { by: 'accounts', most: 'one for each pending job' },
  received_reports: {
    by: 'strangers',
    most: 'one for each delivery that failed later and each reply to a message, signed; 400 days',
    test: ['src/features/channels/callbacks.test.ts', 'is refused without the provider’s signature'],
  },
  reminder_hooks: { by: 'accounts', most: 'one for each reminder' },
  reminder_texts: { by: 'accounts', most: 'as `reminders`, with the texts of occurrences under way' },
  reminders: { by: 'accounts', most: 'no number: what a workspace saves' },
  monthly_reports: { by: 'accounts', most: '50 of a workspace' },
  request_counts: {
    by: 'strangers',
    most: 'one for each limit and who is counted, until it expires: a day at most',
    test: [
      'src/engine/maintenance/archiver.retention.test.ts',
      'deletes every expired session, verification and count, and no other, in small steps',
    ],
  },
  sandbox_messages: { by: 'accounts', most: 'the newest 5,000 of a workspace and 64 MB of them, for 30 days' },
  sandbox_payments: { by: 'accounts', most: 'one for each payment that is tried out' },
  sandbox_simulated_failures: { by: 'accounts', most: 'one for each kind of channel of a workspace' },
  sent_counts: { by: 'accounts', most: 'one for each address, channel and week of a workspace with a cap; two weeks' },
  signing_secrets: { by: 'accounts', most: 'one of a workspace' },
  subscriptions: { by: 'accounts', most: 'one for each workspace that pays' },
  support_answers: { by: 'installation', most: 'written by administrators; as `support_requests`' },
  support_requests: {
    by: 'strangers',
    most: '300 an hour, for a year',
    test: [
      'src/features/support/support.test.ts',
      'is refused after three hundred of all together, for an hour at most',
    ],
  },
  suppressions: { by: 'accounts', most: 'one for each recipient that was written to and what it covers, or by hand' },
  template_categories: { by: 'accounts', most: '1,000 of a workspace' },
  template_versions: { by: 'accounts', most: 'the newest 50 of a template' },
  templates: { by: 'accounts', most: 'no number: what a workspace saves, 100,000 characters each' },
  topics: { by: 'accounts', most: '200 of a workspace' },
  totals_channels: {
    by: 'accounts',
    most: 'one for each quarter of an hour and channel with messages; as `deliveries`',
  },
  totals_marks: { by: 'accounts', most: 'one for each change of an old message until it is added up, minutes later' },
  totals_misses: {
    by: 'accounts',
    most: 'one for each person who missed messages of a quarter of an hour; as `deliveries`',
  },
  totals_people: { by: 'accounts', most: 'one for each quarter of an hour with messages; as `deliveries`' },
  totals_progress: { by: 'accounts', most: 'one of a workspace' },
  totals_reasons: { by: 'accounts', most: 'one for each reason of a quarter of an hour and channel; as `deliveries`' },
  unknown_paths: {
    by: 'strangers',
    most: 'the latest 500, for 90 days',
    test: [
      'src/features/unknown-paths/unknown-paths.test.ts',
      'is one of a bounded number: fifty at once, five hundred in all, for ninety days',
    ],
  },
  webhook_activities: { by: 'accounts', most: '20,000 that wait of a webhook, 10 webhooks of a workspace' },
  webhooks: { by: 'accounts', most: '10 of a workspace' },
  workspace_imports: { by: 'accounts', most: 'one of a workspace, the latest' },
  workspace_invitations: { by: 'accounts', most: '100 of a workspace that are open' },
  workspace_members: { by: 'accounts', most: '1,000 of a workspace' },
  workspaces: { by: 'accounts', most: '200 of a person; one of a visitor of the demo' },
};

it('each table says who makes it grow, and how far', async () => {
  const database = await createTestDatabase();
  const owner = await connectOwner(database.url);
  try {
    const tables = (await tablesOf(owner)).map(({ name }) => name);
    expect(Object.keys(bounds).toSorted()).toEqual(tables.toSorted());
  } finally {
    await owner.end();
    await database.drop();
  }
});

it('docs/operations.md says the same of each table', async () => {
  const page = await readFile('docs/operations.md', 'utf8');
  const rows = [...page.matchAll(/^\| `(\w+)` \| (strangers|accounts|installation) \| (.+) \|$/gm)];
  const inDocs = rows.map(([, name, by, most]) => ({ name, by, most }));
  expect(inDocs).toEqual(Object.entries(bounds).map(([name, { by, most }]) => ({ name, by, most })));
});

it.each(Object.entries(bounds).flatMap(([name, of]) => (of.by === 'strangers' ? [{ name, test: of.test }] : [])))(
  'the bound of $name is tested',
  async ({ test: [file, sentence] }) => {
    expect(await readFile(file, 'utf8')).toContain(sentence);
  },
);

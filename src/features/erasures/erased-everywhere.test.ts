import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { writeBackup } from '#commands/backup.ts';
import { examineBackup, restoreBackup } from '#commands/restore.ts';
import { personalData } from '#features/erasures/personal-data.ts';
import { createLog } from '#platform/log.ts';
import { startTestCuebird } from '#testing/cuebird.ts';
import { createBlankDatabase, TEST_ENCRYPTION_KEY as encryptionKey } from '#testing/database.ts';
import { openErasing, tablesWith } from '#testing/erasures.ts';
import { connectOwner } from '#testing/owner.ts';
import { insertThings } from '#testing/sample-rows.ts';
import { sampleReminder } from '#testing/samples.ts';

const address = 'annabell.abendrot@example.com';
const number = '+4915112345678';
const name = 'Annabell Abendrot';
const value = 'DE00-lilac-nine';

it('after an erasure no table, no backup of it, and no line of the log has an address, number, name or value of the person', async () => {
  const cuebird = await startTestCuebird({ erases: false });
  const lines: string[] = [];
  const erasing = openErasing(
    cuebird,
    createLog('trace', (line) => void lines.push(line)),
  );
  const folder = await mkdtemp(join(tmpdir(), 'cuebird-erased-'));
  onTestFinished(async () => {
    await erasing.close();
    await cuebird.stop();
    await rm(folder, { recursive: true });
  });
  const dana = await cuebird.signUp('Dana');
  const workspace = await dana.createWorkspace('Elm Street');
  const call = async (path: string, body: object) => {
    const answer = await dana.call('POST', path, { workspace, body });
    if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.json)}`);
    return answer.json;
  };
  const things = await insertThings(cuebird.owner, { workspace, userId: dana.userId });
  const contact = await call('/api/contacts', { name, email: address, phone: number, variables: { iban: value } });
  await call('/api/suppressions', { channel: 'sms', recipient: number });
  await call('/api/consents', {
    consents: [{ channel: 'email', recipient: address, kind: 'withdrawn', how: 'writing' }],
  });
  await call('/api/monthly-reports', { address, reminder_id: null, group_id: null });
  await call('/api/reminders', {
    ...sampleReminder,
    name: `To ${name}: Bank`,
    description: null,
    status: 'active',
    schedule_config: { type: 'scheduled', scheduleType: 'once', startDate: '2099-01-01T09:00:00', timezone: 'UTC' },
    content: { subject: 'Bank', message: value, recipients: [] },
    metadata: { channels: ['email'], audience: { contacts: [contact.id] }, one_off: true },
  });
  const payload = {
    channels: ['email'],
    recipients: [`${name} <${address}>`],
    content: { subject: name, message: value },
    values: { iban: value },
  };
  const { rows } = await cuebird.owner.query<{ id: string; job: string }>(
    `with e as (insert into events (workspace_id, key, event, request_hash, occurred_at, hint) values ($1, $2, 'custom_webhook', 'x', now(), 'no ' || $2) returning id),
          p as (insert into event_payloads (event_id, workspace_id, payload) select id, $1, $5 from e),
          j as (insert into jobs (workspace_id, name, type, status, scheduled_for, run_at, completed_at, payload, error_message)
                values ($1, 'Rent of ' || $4, 'api_notification', 'failed', now(), now(), now(), $3, 'refused: ' || $2) returning id, scheduled_for)
     select e.id, j.id as job from e, j`,
    [workspace, address, payload, name, { recipients: [address], data: { name, iban: value } }],
  );
  const job = rows[0]?.job;
  const statements: [string, ...unknown[]][] = [
    [
      `insert into deliveries (workspace_id, job_id, scheduled_for, channel, recipient, recipient_name, status, attempts, reason, provider_id, provider_answer, attempt_history, completed_at)
       select workspace_id, id, scheduled_for, 'email', $2, $3, 'failed', 1, 'no mailbox ' || $2, 'p1', '550 ' || $2, jsonb_build_array('550 ' || $2), now() from jobs where id = $1`,
      job,
      address,
      name,
    ],
    [
      `insert into job_executions (workspace_id, job_id, status, started_at, completed_at, error_message, logs) values ($1, $2, 'failed', now(), now(), 'refused: ' || $3, jsonb_build_object('to', $3::text))`,
      workspace,
      job,
      address,
    ],
    [
      `insert into notices (workspace_id, job_id, name, scheduled_for, timezone, reason, created_at) values ($1, $2, 'Rent of ' || $3, now(), 'UTC', 'missed', now())`,
      workspace,
      job,
      name,
    ],
    [
      `insert into contact_import_changes (workspace_id, import_id, contact_id, before, imported_at) values ($1, gen_random_uuid(), $2, $3, now())`,
      workspace,
      contact.id,
      { name, variables: { iban: value }, email_key: address },
    ],
    [
      `insert into totals_misses (workspace_id, quarter, channel, recipient, missed, others) values ($1, now(), 'sms', $2, 1, 0)`,
      workspace,
      number,
    ],
    [
      `insert into reminder_texts (workspace_id, reminder_id, revision, content, timezone) values ($1, $2, 7, jsonb_build_object('subject', 'S', 'message', $3::text), 'UTC')`,
      workspace,
      things.reminder,
      `Call ${number}`,
    ],
    [
      `update webhook_activities set body = $2 where id = $1`,
      things.webhookActivity,
      JSON.stringify({ data: { recipient: address, name } }),
    ],
    [
      `insert into idempotency_keys (workspace_id, user_id, key, request_hash, status, answer) values ($1, $2, 'k', 'h', 201, $3)`,
      workspace,
      dana.userId,
      JSON.stringify({ name, iban: value, email: address }),
    ],
    [
      `insert into sandbox_messages (workspace_id, channel, sender, recipient, subject, body_text, raw_size) values ($1, 'sms', 'x', $2, $3, $4, 1)`,
      workspace,
      number,
      name,
      value,
    ],
    [
      `insert into preferences (workspace_id, address, hours) values ($1, $2, '{"days":[1],"from":"08:00","to":"20:00","timezone":"UTC"}')`,
      workspace,
      address,
    ],
    [
      `insert into sent_counts (workspace_id, channel, recipient, week, days, newest) values ($1, 'email', $2, date_trunc('week', now()), '{1,0,0,0,0,0,0}', 1)`,
      workspace,
      address,
    ],
    [
      `insert into received_reports (workspace_id, channel, provider, name, kind, sender, sent_at, received_at) values ($1, 'sms', 'twilio', 'm1', 'stopped', $2, now(), now())`,
      workspace,
      number,
    ],
  ];
  for (const [text, ...values] of statements) await cuebird.owner.query(text, values);

  const searched = [address, number.slice(3), 'Abendrot', value];
  const changed = Object.entries(personalData).flatMap(([table, { isDeleted, set }]) =>
    isDeleted === true || set !== undefined ? [table] : [],
  );
  const before = new Set((await Promise.all(searched.map((text) => erasing.tablesWith(text)))).flat());
  expect(changed.filter((table) => !before.has(table))).toEqual([]);

  await call('/api/erasures', { addresses: [address, number], asked_how: 'By letter' });
  await erasing.pass();
  await erasing.pass();
  const list = (await dana.call('GET', '/api/erasures', { workspace })).json.data[0];
  expect(list.done_at).not.toBeNull();
  expect(Object.keys(list.counts).toSorted()).toEqual(changed.filter((table) => table !== 'suppressions').toSorted());

  const file = join(folder, 'all.backup');
  await writeBackup({ ownerUrl: cuebird.databaseUrl, encryptionKey, file, now: Temporal.Now.instant() });
  const blank = await createBlankDatabase();
  onTestFinished(() => blank.drop());
  const header = await examineBackup(file, { encryptionKey, withAnotherKey: false });
  await restoreBackup({ file, header, ownerUrl: blank.url, encryptionKey, now: Temporal.Now.instant() });
  const restored = await connectOwner(blank.url);
  onTestFinished(() => restored.end());
  for (const text of searched)
    for (const owner of [cuebird.owner, restored]) expect(await tablesWith(owner, text), text).toEqual([]);
  expect(lines.length).toBeGreaterThan(0);
  for (const text of searched) expect(lines.filter((line) => line.includes(text))).toEqual([]);
});

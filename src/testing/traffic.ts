import { expect } from 'vitest';
import { untilFound } from '#testing/changes.ts';
import type { TestCuebird, TestPerson } from '#testing/cuebird.ts';
import { addMember } from '#testing/owner.ts';

type EventReminder = { name: string; channels: string[]; recipients: string[] };

/**
 * Real deliveries of three workspaces through the sandbox: over several channels, refused ones, to somebody suppressed and to somebody who
 * unsubscribes, a test, and a reminder that waits. Resolves once all of it has ended.
 * @returns the ids of the workspaces by their names; Finn owns the last and is a member of the first
 */
export async function makeTraffic(
  cuebird: TestCuebird,
  { dana, finn }: { dana: TestPerson; finn: TestPerson },
): Promise<Record<'Elm Street' | 'Oak Lane' | 'Mill Road', string>> {
  const [elm, oak, mill] = [
    await dana.createWorkspace('Elm Street'),
    await dana.createWorkspace('Oak Lane'),
    await finn.createWorkspace('Mill Road'),
  ];
  await addMember(cuebird.owner, { workspace: elm, userId: finn.userId, role: 'member' });
  const [ofElm, ofOak, ofMill] = [clientOf(dana, elm), clientOf(dana, oak), clientOf(finn, mill)];
  await ofElm.post('/api/suppressions', { channel: 'email', recipient: 'left@example.com' });
  await ofElm.post('/api/contacts', { name: 'Erin', email: 'erin@example.com' });
  await ofElm.post('/api/templates', {
    name: 'Rent',
    content: { subject: 'Rent', body: 'Due', type: 'email' },
    variables: { variables: [] },
  });
  await ofElm.post('/api/reminders', {
    name: 'Next month',
    status: 'active',
    schedule_config: { type: 'scheduled', scheduleType: 'monthly', startDate: '2026-01-01T09:00:00', timezone: 'UTC' },
    content: { subject: 'Rent', message: 'Due', recipients: ['erin@example.com'] },
    metadata: { channels: ['email'] },
  });
  const [tenants, nobody, owners, guests] = [
    await ofElm.createEventReminder({
      name: 'To tenants',
      channels: ['email', 'sms'],
      recipients: [
        'Erin <erin@example.com>',
        'left@example.com',
        'no-such-user@cuebird.test',
        '+4915112345678',
        '+15005550001',
      ],
    }),
    await ofElm.createEventReminder({ name: 'To nobody', channels: ['email'], recipients: ['blocked@cuebird.test'] }),
    await ofOak.createEventReminder({
      name: 'To owners',
      channels: ['email'],
      recipients: ['kim@example.com', 'lee@example.com'],
    }),
    await ofMill.createEventReminder({
      name: 'To guests',
      channels: ['whatsapp', 'email'],
      recipients: ['+4915112345679', 'max@example.com'],
    }),
  ];
  await report(tenants.url, 12);
  // Load of one workspace beside the others.
  await Promise.all([report(nobody.url, 4), report(owners.url, 40), report(guests.url, 6)]);
  await ofElm.post(`/api/reminders/${tenants.id}/test`, {
    recipients: ['dana@example.com'],
    subject: 'Rent',
    message: 'Hello',
  });
  await allEnded(cuebird);
  await unsubscribe(cuebird, 'kim@example.com');
  await report(owners.url, 3);
  await allEnded(cuebird);
  return { 'Elm Street': elm, 'Oak Lane': oak, 'Mill Road': mill };
}

function clientOf(person: TestPerson, workspace: string) {
  const post = async (path: string, body: object) => {
    const { status, json } = await person.call('POST', path, { workspace, body });
    expect(status, `${path}: ${JSON.stringify(json)}`).toBeLessThan(300);
    return json;
  };
  return {
    post,
    /** Each event that its hook reports is a job that begins at once. */
    async createEventReminder({ name, channels, recipients }: EventReminder): Promise<{ id: string; url: string }> {
      const { id } = await post('/api/reminders', {
        name,
        status: 'active',
        schedule_config: {
          type: 'event-based',
          eventTrigger: 'custom_webhook',
          delayAmount: 0,
          delayUnit: 'minutes',
          timezone: 'UTC',
        },
        content: { subject: name, message: 'Number {{n}}', recipients },
        metadata: { channels },
      });
      const hook = await person.call('GET', `/api/reminders/${id}/hook`, { workspace });
      return { id, url: hook.json.url };
    },
  };
}

const report = (url: string, times: number) =>
  Promise.all(
    Array.from({ length: times }, async (_, n) => {
      const body = JSON.stringify({ n: String(n) });
      const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
      expect(answer.status).toBe(201);
    }),
  );

const allEnded = ({ databaseUrl, owner }: TestCuebird) =>
  untilFound(databaseUrl, async () => {
    const { rowCount } = await owner.query(
      "select from jobs where status = 'running' or (status = 'pending' and run_at < now() + interval '1 day')",
    );
    return rowCount === 0 ? true : null;
  });

/** By the one-click request of a mail program. */
async function unsubscribe({ owner, url }: TestCuebird, recipient: string): Promise<void> {
  const { rows } = await owner.query('select headers from sandbox_messages where recipient = $1 limit 1', [recipient]);
  const [, link = ''] = /<(http[^>]+)>/.exec(rows[0].headers['list-unsubscribe']) ?? [];
  const answer = await fetch(`${url}${new URL(link).pathname}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'List-Unsubscribe=One-Click',
  });
  expect(answer.ok).toBe(true);
}

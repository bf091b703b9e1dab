import type { Client } from 'pg';
import type { TestPerson } from '#testing/cuebird.ts';

const at = '2026-03-02T08:00:00Z';

/** Shown as well. */
const job = '019c9d52-a400-7c3e-9f41-6b8a0d2e7c15';

/** What is taken of each screen: of the landing page, and of the documentation. */
export const screens: readonly {
  name: string;
  path: string;
  /** Once it is there, the screen is complete. */
  shows: string | RegExp;
  /** The heading that is scrolled to. */
  from?: string;
  /** What is written in the line of the form. */
  line?: string;
}[] = [
  { name: 'deliveries', path: `/jobs?job=${job}`, shows: 'This address does not exist.', from: 'Recipients' },
  { name: 'templates', path: '/templates', shows: 'Rent is due' },
  {
    name: 'line',
    path: '/reminders/new',
    shows: /9 Mar 2026, 09:00/,
    line: 'Email team@example.com every Monday at 9am that the week begins',
  },
];

const people = [
  ['Maya Fischer', 'maya.fischer@example.com', 'email', 'delivered', '250 2.0.0 Ok: queued as 4Xk21'],
  ['Jonas Okafor', 'jonas.okafor@example.com', 'email', 'delivered', '250 2.0.0 Ok: queued as 4Xk22'],
  ['Lucía Romero', '+12025550118', 'sms', 'delivered', 'delivered'],
  ['Tomasz Zieliński', '+12025550163', 'whatsapp', 'delivered', 'read'],
  ['Amara Nwosu', 'amara.nwosu@example.com', 'email', 'failed', '550 5.1.1 User unknown'],
  ['Amara Nwosu', '+12025550190', 'sms', 'delivered', 'delivered'],
  ['Harbour Heating', 'https://harbour-heating.example.com/hooks/rent', 'webhook', 'accepted', 'HTTP 200'],
] as const;

const texts = [
  ['Rent is due', 'Sent on the 1st, with the amount and the flat', 'email', 418],
  ['Heating inspection', 'A week before somebody comes to the flat', 'email', 36],
  ['Water is off today', 'Short, for the phone', 'sms', 12],
  ['Lease ends in 90 days', 'With the date, and how to renew', 'email', 27],
  ['Payment failed', 'After a bounced debit, before anybody calls', 'push', 9],
  ['Keys are ready', 'For new tenants, on the day they move in', 'sms', 21],
] as const;

/** A workspace as a property manager has it, with everything at instants that never change. */
export async function installExample(owner: Client, person: TestPerson) {
  const workspace = await person.createWorkspace('Elm & Harbour Properties');
  await owner.query(
    `insert into jobs (id, workspace_id, name, type, status, scheduled_for, run_at, started_at, completed_at, attempts)
     values ($3, $1, 'Rent is due', 'api_notification', 'completed', $2, $2, $2, $2::timestamptz + interval '4 seconds', 1)`,
    [workspace, at, job],
  );
  for (const [index, [name, recipient, channel, status, answer]] of people.entries())
    await owner.query(
      `insert into deliveries (workspace_id, job_id, scheduled_for, channel, recipient, recipient_name, status, attempts, reason, reason_code, provider,
                               provider_answer, first_attempt_at, last_attempt_at, completed_at)
       values ($1, $2, $3, $4, $5, $6, $7, 1, $8, case when $7 = 'failed' then 'no_such_address' end, $9, $10, $3, $3, $3::timestamptz + $11 * interval '150 milliseconds')`,
      [
        workspace,
        job,
        at,
        channel,
        recipient,
        name,
        status,
        status === 'failed' ? answer : null,
        providers[channel],
        answer,
        index + 3,
      ],
    );
  for (const [index, [name, description, type, used]] of texts.entries())
    await owner.query(
      `insert into templates (workspace_id, name, description, content, variables, usage_count, created_at, updated_at)
       values ($1, $2, $3, $4, $5, $6, $7::timestamptz, $7::timestamptz - $8 * interval '1 day')`,
      [
        workspace,
        name,
        description,
        JSON.stringify({ type, subject: name, body: 'Dear {{recipient_name}}' }),
        JSON.stringify({
          variables: [{ name: 'recipient_name', type: 'text', description: '', required: false, defaultValue: '' }],
        }),
        used,
        at,
        index + 1,
      ],
    );
  return {
    workspace,
    /** What the clock of the browser says. */
    now: '2026-03-02T09:30:00Z',
  };
}

const providers = { email: 'smtp', sms: 'twilio', whatsapp: 'waha', webhook: 'http' };

import { expect } from 'vitest';
import type { TestCuebird } from '#testing/cuebird.ts';
import type { seedInstallation } from '#testing/installation.ts';
import { accepted, fellBack, insertRunOfPeople, lacksStreet, type Lines, onBoth } from '#testing/run-of-people.ts';
import { sampleReminder } from '#testing/samples.ts';

/** Of a group, one has no address and one is suppressed. */
export const tenants = ['Ada', 'Bea', 'Cid', 'Dan', 'Eve', 'Fay'];
export const suppressed = ['Ada'];
export const withoutAddress = ['Fay'];
export const reached = tenants.filter((name) => ![...suppressed, ...withoutAddress].includes(name)).length;

/** What was sent to each person of a run, who are contacts too. */
export const run: readonly Lines[] = [accepted, accepted, accepted, onBoth, fellBack, fellBack, lacksStreet];
export const messages = run.flatMap(({ email, sms }) => [
  ...(email === undefined ? [] : [{ channel: 'Email', ...email }]),
  ...(sms === undefined ? [] : [{ channel: 'SMS', ...sms }]),
]);
/** Who left the optional topic, or all optional messages: they get what is required. */
export const leftEvents = ['Bea', 'Cid'];
export const leftOptional = ['Dan'];
/** What the sandbox caught, an SMS, and how often its channel still fails. */
export const sms = { text: 'Rent is due. '.repeat(20).trim(), segments: 2, failures: 3 };

export type Ids = Record<'pine' | 'daily' | 'signedUp' | 'job' | 'twice' | 'bea' | 'events' | 'sms', string>;
/** A workspace with a group, a reminder for it that ran, and one that waits for an event. */
export async function furnishPine(
  { owner }: TestCuebird,
  { dana, at }: Awaited<ReturnType<typeof seedInstallation>>,
): Promise<Ids> {
  const pine = await dana.createWorkspace('Pine Road');
  const call = async (path: string, body: object) => {
    const { json, status } = await dana.call('POST', path, { workspace: pine, body });
    expect(status, JSON.stringify(json)).toBeLessThan(300);
    return json;
  };
  const addressOf = (name: string) =>
    withoutAddress.includes(name) ? { phone: '+4915112345678' } : { email: `${name.toLowerCase()}@example.com` };
  await call('/api/contacts/batch', {
    contacts: tenants.map((name) => ({ name, tags: ['tenant'], ...addressOf(name) })),
  });
  const notices = await call('/api/topics', { name: 'Notices', kind: 'required', why: 'contract' });
  const events = await call('/api/topics', { name: 'Events', is_default: true });
  const suppress = async (names: readonly string[], covered: object) => {
    for (const name of names)
      await call('/api/suppressions', { channel: 'email', recipient: `${name.toLowerCase()}@example.com`, ...covered });
  };
  await suppress(suppressed, {});
  await suppress(leftEvents, { covers: 'topic', topic_id: events.id });
  await suppress(leftOptional, { covers: 'optional' });
  const rule = { match: 'all', conditions: [{ test: 'has_tag', tag: 'tenant' }] };
  const group = await call('/api/contact-groups', { name: 'Tenants', rule });
  const { content, metadata, schedule_config: schedule, ...reminder } = sampleReminder;
  const daily = await call('/api/reminders', {
    ...reminder,
    status: 'active',
    schedule_config: { ...schedule, scheduleType: 'daily' },
    content: { ...content, recipients: [], topic_id: notices.id },
    metadata: { ...metadata, audience: { groups: [group.id] } },
  });
  // Beyond what the agenda shows.
  const event = {
    type: 'event-based',
    eventTrigger: 'user_signup',
    delayAmount: 100,
    delayUnit: 'days',
    timezone: 'UTC',
  };
  const signedUp = await call('/api/reminders', {
    ...reminder,
    name: 'Signed up',
    status: 'active',
    schedule_config: event,
    content: { ...content, topic_id: events.id },
    metadata: { ...metadata, audience: { groups: [group.id] } },
  });
  await call('/api/events', { event: 'user_signup', key: 'k', data: {} });
  const job = await insertRunOfPeople(owner, {
    workspaceId: pine,
    reminderId: daily.id,
    at,
    status: 'failed',
    people: run,
  });
  await owner.query(
    `insert into job_executions (workspace_id, job_id, status, started_at, completed_at, duration_ms, logs)
     values ($1, $2, 'failed', $3, $3, 2000, '{"attempt": 1, "accepted": 1}')`,
    [pine, job, at],
  );
  const { rows: found } = await owner.query<{ twice: string; bea: string }>(
    `select (select contact_id from deliveries d where job_id = $1 and channel = 'sms' and exists (
              select from deliveries where job_id = $1 and contact_id = d.contact_id and status = 'failed') limit 1) as twice,
            (select id from contacts where workspace_id = $2 and name = 'Bea') as bea`,
    [job, pine],
  );
  const { rows: caught } = await owner.query<{ id: string }>(
    `with failing as (
       insert into sandbox_simulated_failures (workspace_id, channel, failure, times) values ($1, 'sms', '{"kind": "hang"}', $4)
     )
     insert into sandbox_messages (workspace_id, channel, provider, sender, recipient, subject, body_text, raw_size, segments)
     values ($1, 'sms', 'twilio', '+15005550006', '+4915112345678', '', $2, 2, $3) returning id`,
    [pine, sms.text, sms.segments, sms.failures],
  );
  return {
    pine,
    daily: daily.id,
    signedUp: signedUp.id,
    job,
    twice: found[0]?.twice ?? '',
    bea: found[0]?.bea ?? '',
    events: events.id,
    sms: caught[0]?.id ?? '',
  };
}

import { expect } from 'vitest';
import { type ApiAnswer, startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { addMember } from '#testing/owner.ts';

export type HookFixture = Awaited<ReturnType<typeof openHookFixture>>;

/** A reminder that waits for a custom webhook, in a workspace of its own for each test. */
export async function openHookFixture() {
  const cuebird: TestCuebird = await startTestCuebird();
  const database = cuebird.owner;
  const dana: TestPerson = await cuebird.signUp('Dana');
  const member: TestPerson = await cuebird.signUp('Member');
  let workspace = '';
  let reminder = '';
  let url = '';

  const write = async ({ schedule = {}, ...changes }: { schedule?: object; [field: string]: unknown } = {}) => {
    const { status, json } = await dana.call('POST', '/api/reminders', {
      workspace,
      body: {
        name: 'Form was sent',
        schedule_config: {
          type: 'event-based',
          eventTrigger: 'custom_webhook',
          delayAmount: 1,
          delayUnit: 'hours',
          timezone: 'UTC',
          ...schedule,
        },
        content: { subject: 'Form', message: 'From {{from}}', recipients: ['erin@example.com'] },
        metadata: { channels: ['email'] },
        ...changes,
      },
    });
    expect(status).toBe(201);
    return String(json.id);
  };

  const hook = (of = reminder, as = dana) => as.call('GET', `/api/reminders/${of}/hook`, { workspace });
  const setSecret = (secret: string | null) =>
    dana.call('PUT', `/api/reminders/${reminder}/hook`, { workspace, body: { secret } });

  /** A request of another system: no cookie, no key, no workspace. */
  async function report(
    body: RequestInit['body'] = '{}',
    headers: Record<string, string> = {},
    to = url,
  ): Promise<ApiAnswer> {
    const response = await fetch(to, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    });
    return { status: response.status, headers: response.headers, json: await response.json() };
  }

  const dataOf = async (jobId: string) =>
    (await dana.call('GET', `/api/jobs/${jobId}`, { workspace })).json.payload.data;

  const jobCount = async () => (await dana.call('GET', '/api/jobs/counts', { workspace })).json.total;

  return {
    cuebird,
    database,
    dana,
    member,
    write,
    hook,
    setSecret,
    report,
    dataOf,
    jobCount,
    async renew() {
      workspace = await dana.createWorkspace('Elm Street');
      await addMember(database, { workspace, userId: member.userId, role: 'member' });
      reminder = await write();
      url = (await hook()).json.url;
      return { workspace, reminder, url };
    },
    async close() {
      await cuebird.stop();
    },
  };
}

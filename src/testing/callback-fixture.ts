import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { twilioSignature } from '#delivery/twilio/twilio.callback.ts';
import { startTestCuebird } from '#testing/cuebird.ts';

export const ann = '+4917012345678';
export const twilio = { provider: 'twilio', api_key: 'AC1', api_secret: 't0ken', from_number: '+4915112345678' };

export type CallbackFixture = Awaited<ReturnType<typeof openCallbackFixture>>;

type Row = { status: string; provider_id?: string | null; unknowns?: number; recipient?: string; reason?: string };

/** An SMS channel over Twilio, in a workspace of its own for each test. */
export async function openCallbackFixture() {
  const cuebird = await startTestCuebird();
  const database = cuebird.owner;
  const dana = await cuebird.signUp('Dana');
  let workspace = '';
  let channel = { id: '', callback_url: '' };

  async function create(type: string, configuration: object): Promise<typeof channel> {
    const { json } = await dana.call('POST', '/api/channels', {
      workspace,
      body: { name: 'Phone', type, configuration },
    });
    expect(json.error).toBeUndefined();
    return json;
  }

  /** A job that has ended, with its ledger. */
  async function ended(job: string, rows: readonly Row[], of = workspace) {
    const [jobId, scheduledFor] = [randomUUID(), '2026-03-02T08:00:00Z'];
    await database.query(
      `insert into jobs (id, workspace_id, name, type, status, scheduled_for, run_at)
       values ($1, $2, 'Rent', 'test_reminder', $3, $4, $4)`,
      [jobId, of, job, scheduledFor],
    );
    const ids = rows.map(() => randomUUID());
    for (const [at, row] of rows.entries())
      await database.query(
        `insert into deliveries (id, workspace_id, job_id, scheduled_for, channel, recipient, status, provider, provider_id,
                                 channel_id, attempts, unknowns, reason, next_attempt_at)
         values ($1, $2, $3, $4, 'sms', $5, $6, 'twilio', $7, $8, 1, $9, $10, case $6 when 'waiting' then '2099-01-01Z'::timestamptz end)`,
        [
          ids[at],
          of,
          jobId,
          scheduledFor,
          row.recipient ?? ann,
          row.status,
          row.provider_id ?? null,
          channel.id,
          row.unknowns ?? 0,
          row.reason ?? null,
        ],
      );
    return { jobId, ids };
  }

  function post(url: string, form: Record<string, string>, token = twilio.api_secret) {
    const body = new URLSearchParams(form);
    const signature = twilioSignature(token, { url, parameters: body });
    return fetch(url, { method: 'POST', body, headers: { 'x-twilio-signature': signature } });
  }

  return {
    cuebird,
    database,
    dana,
    create,
    ended,
    post,
    async renew() {
      workspace = await dana.createWorkspace('Elm Street');
      channel = await create('sms', twilio);
      return { workspace, channel };
    },
    async close() {
      await cuebird.stop();
    },
  };
}

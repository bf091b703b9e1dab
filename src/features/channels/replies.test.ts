import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ann, type CallbackFixture, openCallbackFixture } from '#testing/callback-fixture.ts';

describe('a callback with a reply', () => {
  let fixture: CallbackFixture;
  let database: CallbackFixture['database'];
  let dana: CallbackFixture['dana'];
  let workspace: string;
  let channel: { id: string; callback_url: string };
  let post: CallbackFixture['post'];
  beforeAll(async () => {
    fixture = await openCallbackFixture();
    ({ database, dana, post } = fixture);
  });
  beforeEach(async () => {
    ({ workspace, channel } = await fixture.renew());
  });
  afterAll(() => fixture.close());

  const reply = (Body: string, From = ann) =>
    post(channel.callback_url, {
      MessageSid: `SM${randomUUID().replaceAll('-', '')}`,
      SmsStatus: 'received',
      From,
      Body,
    });

  async function suppressions(of = workspace) {
    const { rows } = await database.query(
      'select channel, recipient, reason from suppressions where workspace_id = $1 order by recipient',
      [of],
    );
    return rows;
  }

  it('of STOP suppresses the number, however a reminder spells it', async () => {
    expect((await reply('Stop')).status).toBe(200);
    await reply('STOP');
    expect(await suppressions()).toEqual([{ channel: 'sms', recipient: '+4917012345678', reason: 'stopped' }]);
    const other = await dana.createWorkspace('Oak Street');
    expect(await suppressions(other)).toEqual([]);
  });

  it('of STOP reads nothing of the ledger, which may have millions of messages', async () => {
    await database.query('begin');
    await database.query('lock table deliveries in access exclusive mode');
    const { status } = await reply('STOP');
    await database.query('rollback');
    expect([status, await suppressions()]).toEqual([200, [{ channel: 'sms', recipient: ann, reason: 'stopped' }]]);
  });

  it('of START removes only the suppression by STOP', async () => {
    const bea = '+4917012345999';
    await database.query(
      `insert into suppressions (workspace_id, channel, recipient, reason) values ($1, 'sms', $2, 'manual')`,
      [workspace, bea],
    );
    await reply('STOP');
    await reply('START');
    await reply('START', bea);
    expect(await suppressions()).toEqual([{ channel: 'sms', recipient: bea, reason: 'manual' }]);
  });

  it('with any other text is ignored', async () => {
    await reply('Please stop by at noon');
    await reply('STOP', 'Cuebird');
    expect(await suppressions()).toEqual([]);
  });
});

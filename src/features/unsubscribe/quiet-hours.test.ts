import type { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { isWithin } from '#features/preferences/preferences.service.ts';
import { createUnsubscribeTokens } from '#features/unsubscribe/unsubscribe-token.ts';
import { createSecretBox } from '#platform/secrets.ts';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { TEST_ENCRYPTION_KEY } from '#testing/database.ts';

const tokens = createUnsubscribeTokens(createSecretBox(TEST_ENCRYPTION_KEY));

describe('the hours that a recipient chooses on the page of a link', () => {
  let cuebird: TestCuebird;
  let database: Client;
  let dana: TestPerson;
  let workspace: string;
  let link: string;
  let fresh: string;
  beforeAll(async () => {
    cuebird = await startTestCuebird();
    database = cuebird.owner;
    dana = await cuebird.signUp('Dana');
  });
  beforeEach(async () => {
    workspace = await dana.createWorkspace('Elm Street');
    link = linkTo({});
    fresh = linkTo({ freshUntil: Temporal.Now.instant().add({ minutes: 30 }) });
  });
  afterAll(() => cuebird.stop());

  const linkTo = (more: object) =>
    tokens.seal({ stops: 'messages', workspaceId: workspace, channel: 'email', recipient: 'Ann@Example.com', ...more });
  const pageAt = (token: string, init: RequestInit = {}) =>
    fetch(`${cuebird.url}/unsubscribe/${token}`, { redirect: 'manual', ...init });
  const press = async (token: string, fields: Record<string, string>) =>
    (await pageAt(token, { method: 'POST', body: new URLSearchParams(fields) })).status;
  const read = async (token: string) =>
    (await (await pageAt(token)).text()).replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
  const workdays = { day_1: 'on', day_2: 'on', day_3: 'on', day_4: 'on', day_5: 'on' };
  const evening = { hours: 'chosen', from: '18:00', to: '20:00', timezone: 'Europe/Berlin', ...workdays };
  const stored = async () =>
    (await database.query('select address, hours from preferences where workspace_id = $1', [workspace])).rows;
  const age = () =>
    database.query("update preferences set created_at = now() - interval '25 hours' where workspace_id = $1", [
      workspace,
    ]);

  it('are stored for the address, shown, changed and given up within a day', async () => {
    expect(await read(link)).toContain('Messages from Elm Street come at any time that Elm Street sends.');
    expect(await press(link, evening)).toBe(303);
    expect(await stored()).toEqual([
      {
        address: 'ann@example.com',
        hours: { days: [1, 2, 3, 4, 5], from: '18:00', to: '20:00', timezone: 'Europe/Berlin' },
      },
    ]);
    expect(await read(link)).toContain('Messages come Mon–Fri 18:00–20:00, Europe/Berlin time.');
    expect(await press(link, { ...evening, from: '08:00' })).toBe(303);
    expect(await press(link, { hours: 'any' })).toBe(303);
    expect(await stored()).toEqual([]);
  });

  it('concern optional messages alone, where a topic is required', async () => {
    const notices = { name: 'Notices', kind: 'required', why: 'law' };
    await dana.call('POST', '/api/topics', { workspace, body: notices });
    expect(await read(link)).toContain(
      'outside of these, optional messages wait, and those that Elm Street has to send do not.',
    );
    await press(link, evening);
    expect(await read(link)).toContain('Those that Elm Street has to send do not wait.');
  });

  it('are changed by no visit of the page', async () => {
    await press(link, evening);
    for (const method of ['GET', 'HEAD'])
      for (const query of ['hours=any', new URLSearchParams({ ...evening, to: '23:00' }).toString()])
        await pageAt(`${link}?${query}`, { method });
    expect(await stored()).toMatchObject([{ hours: { to: '20:00' } }]);
  });

  it('get narrower by any link, and wider only within a day or by a link that was asked for', async () => {
    await press(link, evening);
    await age();
    expect(await read(link)).toContain('this page makes them shorter alone');
    expect(await press(link, { ...evening, from: '08:00' })).toBe(400);
    expect(await press(link, { ...evening, timezone: 'America/New_York' })).toBe(400);
    await press(link, { hours: 'any' });
    expect(await stored()).toMatchObject([{ hours: { from: '18:00' } }]);
    expect(await press(link, { ...evening, from: '19:00' })).toBe(303);
    // They got no younger by that.
    expect(await press(link, evening)).toBe(400);
    expect(await press(fresh, { ...evening, from: '06:00' })).toBe(303);
    expect(await stored()).toMatchObject([{ hours: { from: '06:00' } }]);
    expect(await press(fresh, { hours: 'any' })).toBe(303);
    expect(await stored()).toEqual([]);
  });

  it('are one row for an address, however often they are chosen', async () => {
    const spelled = ['Ann@Example.com', 'ann@example.com', 'ANN@EXAMPLE.COM'];
    for (const recipient of spelled)
      for (let n = 10; n < 20; n++)
        await press(linkTo({ recipient }), { ...evening, to: `${n + 4}:00`, from: `${n}:00` });
    expect(await stored()).toHaveLength(1);
  });

  it.each([
    ['no day', { hours: 'chosen', from: '18:00', to: '20:00', timezone: 'UTC' }, 'Choose at least one day'],
    ['half an hour', { ...evening, to: '18:30' }, 'Choose at least one hour'],
    ['no time', { ...evening, from: '' }, 'must be a time of day'],
    ['a zone that is none', { ...evening, timezone: 'Nowhere/Land' }, 'imezone'],
    ['an eighth day', { ...evening, day_8: 'off' }, 'press a button of its page'],
  ])('are refused with %s', async (_, fields, words) => {
    const answer = await pageAt(link, { method: 'POST', body: new URLSearchParams(Object.entries(fields)) });
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining(words)]);
    expect(await stored()).toEqual([]);
  });

  it('are nothing for a webhook', async () => {
    const hook = linkTo({ channel: 'webhook', recipient: 'https://hooks.example.com/' });
    expect(await read(hook)).not.toContain('Quiet hours');
    expect(await press(hook, evening)).toBe(400);
  });

  it('say where they never meet those of the workspace', async () => {
    const hours = {
      enabled: true,
      days: [6, 7],
      from: '08:00',
      to: '20:00',
      zone: 'recipient',
      timezone: 'Europe/Berlin',
      channels: ['email'],
    };
    await database.query(
      "update workspaces set settings = jsonb_build_object('sendingHours', $2::jsonb) where id = $1",
      [workspace, hours],
    );
    await press(link, evening);
    expect(await read(link)).toContain('Elm Street sends nothing in these hours');
    await press(link, { ...evening, day_7: 'on' });
    expect(await read(link)).not.toContain('sends nothing in these hours');
  });

  it('concern one address of one workspace', async () => {
    const elsewhere = await dana.createWorkspace('Oak Street');
    await press(link, evening);
    const { rows } = await database.query('select from preferences where workspace_id = $1', [elsewhere]);
    expect(rows).toEqual([]);
    expect(await read(linkTo({ recipient: 'bea@example.com' }))).toContain('Choose the hours');
  });
});

it('hours are narrower where each of their minutes is one of the others', () => {
  const hours = { days: [1, 2], from: '08:00', to: '20:00', timezone: 'UTC' };
  const night = { days: [7], from: '22:00', to: '06:00', timezone: 'UTC' };
  expect([
    isWithin(hours, hours),
    isWithin({ ...hours, days: [2], from: '09:00' }, hours),
    isWithin({ ...hours, days: [2, 3] }, hours),
    isWithin({ ...hours, to: '20:01' }, hours),
    isWithin({ ...hours, timezone: 'Europe/Berlin' }, hours),
    // Monday before six belongs to the night of Sunday.
    isWithin({ ...night, days: [1], from: '01:00', to: '05:00' }, night),
    isWithin({ ...night, days: [1] }, night),
  ]).toEqual([true, true, false, false, false, true, false]);
});

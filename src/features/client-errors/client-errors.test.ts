import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reportableMessage } from '#contract/client-errors.ts';
import { createClientErrorLog } from '#features/client-errors/client-errors.service.ts';
import { createLog } from '#platform/log.ts';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { sampleClientError } from '#testing/samples.ts';
import { createVirtualClock } from '#testing/virtual-clock.ts';

describe('an error that a browser reports', () => {
  function openLog() {
    const clock = createVirtualClock('2026-03-02T08:00:00Z');
    const lines: Record<string, unknown>[] = [];
    const write = createClientErrorLog({
      log: createLog('warn', (line) => void lines.push(JSON.parse(line))),
      now: clock.now,
    });
    return { clock, lines, write: () => write(sampleClientError, { userId: 'ann' }) };
  }

  it('is a line of the log, with the id that its screen shows', () => {
    const { lines, write } = openLog();
    const id = write();
    const { kind: _, ...written } = sampleClientError;
    expect(lines).toMatchObject([{ reportId: id, caller: 'ann', msg: 'a screen broke in a browser', ...written }]);
  });

  it('is only counted after sixty in a minute', () => {
    const { clock, lines, write } = openLog();
    const ids = Array.from({ length: 63 }, write);
    expect(ids.filter((id) => id !== null)).toHaveLength(60);
    expect(lines).toHaveLength(60);
    clock.advance({ minutes: 1 });
    expect(write()).not.toBeNull();
    expect(lines.slice(60)).toMatchObject([{ errors: 3 }, { screen: '/contacts/$id' }]);
  });

  it.each([
    ["Cannot read properties of undefined (reading 'secretName')", 'Cannot read properties of undefined'],
    ['e.items.map is not a function', 'e.items.map is not a function'],
    ['Minified React error #418; visit https://react.dev/errors/418?args[]=Dana', 'Minified React error #418'],
    [
      'Failed to fetch dynamically imported module: https://x/assets/a.js',
      'Failed to fetch dynamically imported module',
    ],
    [`Unexpected token 'D', "Dana's rent" is not valid JSON`, null],
    ['The reminder Rent of Dana is broken', null],
  ])('says of %s no more than %s', (message, reported) => expect(reportableMessage(message)).toBe(reported));

  describe('is taken', () => {
    let cuebird: TestCuebird;
    let dana: TestPerson;
    beforeAll(async () => {
      cuebird = await startTestCuebird({ hasLimits: true });
      dana = await cuebird.signUp('Dana');
    });
    afterAll(() => cuebird.stop());

    const report = (changes: object = {}) =>
      dana.call('POST', '/api/client-errors', { body: { ...sampleClientError, ...changes } });

    it('without what people have typed: names and places of code alone', async () => {
      expect(await report()).toMatchObject({ status: 200, json: { id: expect.any(String) } });
      for (const typed of [
        { message: 'The reminder Rent of Dana is broken' },
        { name: 'Rent of Dana' },
        { screen: '/contacts/0192' },
        { frames: ['at Rent of Dana'] },
        { frames: ['render https://example.com/a.js:1:2'] },
        { frames: Array.from({ length: 21 }, () => '/assets/a.js:1:2') },
        { note: 'Rent of Dana' },
      ])
        expect((await report(typed)).status, JSON.stringify(typed)).toBe(400);
    });

    it('sixty times an hour from one person, of one who is signed in', async () => {
      const answers = await Promise.all(Array.from({ length: 60 }, () => report()));
      expect(answers.map(({ status }) => status)).toContain(429);
      const stranger = await fetch(`${cuebird.url}/api/client-errors`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: cuebird.url },
        body: JSON.stringify(sampleClientError),
      });
      expect(stranger.status).toBe(401);
    });
  });
});

import { expect, it } from 'vitest';
import { defaultLimits } from '#engine/claiming/dispatcher.ts';
import { openScene } from './scene.ts';
import { cutOff, expectAllServed, promisedMs, workerOf } from './served.ts';

it('a worker that is killed leaves everything to its successor, with the limits that the product has', async (test) => {
  const scene = await openScene(test, { answerAfterMs: 1_000 });
  await scene.writeDue(300);
  const at = Temporal.Now.instant().subtract({ seconds: 10 }).round('second');
  const mails = Array.from({ length: 300 }, (_, index) => ({
    at,
    recipients: [`tenant.${index}@example.com`],
    channel: 'email' as const,
  }));
  await scene.write(mails);
  const killed = scene.start({ limits: {} });
  await scene.sink.received(100);
  await scene.mail.received(20);
  killed.signal('SIGKILL');
  await killed.ended;
  const killedAt = Date.now();
  const inFlight = cutOff(await scene.look(), killed);
  const nextOccurrence = scene.start({ limits: {} });
  await scene.none('select from claims where worker like $1', [`%${workerOf(killed)}`]);
  const takenUpAt = Date.now();
  await scene.allJobsEnded();
  const scenario = 'kill -9, default limits, webhooks and mail';
  await expectAllServed(scene, { scenario, inFlight, at: killedAt, takenUpAt });
  expect(takenUpAt - killedAt).toBeLessThan(promisedMs(defaultLimits));
  nextOccurrence.signal('SIGTERM');
  expect(await nextOccurrence.ended).toMatchObject({ code: 0 });
}, 300_000);

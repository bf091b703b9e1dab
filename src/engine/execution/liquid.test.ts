import { afterEach, beforeEach, expect, it } from 'vitest';
import { createRenderingPool, deliveryLimits, type RenderingPool } from '#rendering/pool.ts';
import { createRenderer } from '#rendering/renderer.ts';
import { type EngineFixture, openEngineFixture, writeReminder } from '#testing/engine.ts';

let fixture: EngineFixture;
let pool: RenderingPool;
beforeEach(async () => {
  fixture = await openEngineFixture('2026-03-02T08:00:00Z');
  pool = createRenderingPool(deliveryLimits);
});
afterEach(async () => {
  await pool.close();
  await fixture.close();
});

const recipients = ['https://hooks.example.com/a', 'https://hooks.example.com/b'];
const loop = (name: string, body: string) => `{% for ${name} in (1..1000) %}${body}{% endfor %}`;

it('a message of Liquid is rendered in another thread and sent; one that never ends fails, and others go on', async () => {
  const [hostile, other] = [await fixture.createWorkspace(), await fixture.createWorkspace()];
  const endless = loop('a', loop('b', loop('c', '')));
  await writeReminder(fixture, { workspace: hostile, content: { subject: 'Rent', message: endless, recipients } });
  const message = '{% if recipient_name %}{{ recipient_name | upcase }}{% endif %}';
  await writeReminder(fixture, { workspace: other, content: { subject: 'Rent', message, recipients } });
  await fixture.start({ renderer: createRenderer(pool) });
  fixture.clock.advance({ hours: 1 });

  await fixture.jobsWhere(other, (all) => all.some((job) => job.status === 'completed'));
  expect(fixture.messages().map((sent) => sent.message)).toEqual(
    expect.arrayContaining(recipients.map((recipient) => recipient.toUpperCase())),
  );
  const [failed] = await fixture.jobsWhere(hostile, (all) => all.some((job) => job.status === 'failed'));
  expect(failed?.error_message).toContain('The message cannot be rendered: it takes longer than 100 ms to fill in');
  expect((await fixture.deliveries(hostile)).map(({ status }) => status)).toEqual(['failed', 'failed']);
});

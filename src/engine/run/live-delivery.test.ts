import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mailNameIn, mailNameOf } from '#delivery/email/message-names.ts';
import { deliveryIdOf } from '#engine/run/live-delivery.ts';

const job = { id: '019a9d3e-0000-7000-8000-000000000001', scheduledForMs: Date.parse('2026-03-02T09:00:00Z') };
const row = { channel: 'email', recipient: 'ann@example.com' };

describe('the id of a delivery', () => {
  it('is a UUIDv8 of its planned time, job, channel and recipient, the same in every version', () => {
    expect(deliveryIdOf(job, row)).toBe('019cadc6-9a80-8170-a33d-bb5e128100c5');
  });

  it('is the same however the address is spelled', () => {
    expect(deliveryIdOf(job, { ...row, recipient: 'Ann <ANN@example.com>' })).toBe(deliveryIdOf(job, row));
  });

  it('is another one for another job, channel, recipient or time', () => {
    const ids = [
      deliveryIdOf(job, row),
      deliveryIdOf({ ...job, id: '019a9d3e-0000-7000-8000-000000000002' }, row),
      deliveryIdOf({ ...job, scheduledForMs: job.scheduledForMs + 1 }, row),
      deliveryIdOf(job, { ...row, channel: 'sms' }),
      deliveryIdOf(job, { ...row, recipient: 'ben@example.com' }),
    ];
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('is found again in a report about its mail', () => {
    const name = { deliveryId: deliveryIdOf(job, row), jobId: job.id };
    expect(mailNameIn(`Message-ID: <${mailNameOf(name)}@example.com>`)).toEqual(name);
  });

  it('rises with the planned time, whoever the recipient is', () => {
    const time = fc.integer({ min: 0, max: 2 ** 42 });
    fc.assert(
      fc.property(time, time, fc.string(), fc.string(), (a, b, one, other) => {
        const [early, late] = [Math.min(a, b), Math.max(a, b) + 1];
        const id = (scheduledForMs: number, recipient: string) =>
          deliveryIdOf({ ...job, scheduledForMs }, { channel: 'webhook', recipient });
        expect(id(early, one) < id(late, other)).toBe(true);
        expect(id(early, one)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      }),
    );
  });
});

import { expect, it } from 'vitest';
import { deliveryText } from '#terminal.ts';

it('says of each delivery whether it was delivered, and where to read it only then', () => {
  const delivery = { channel: 'webhook', recipient: 'https://hooks.example.com/rent', recipient_name: null } as const;
  const textOf = (status: 'accepted' | 'failed' | 'waiting' | 'unknown', reason: string | null) =>
    deliveryText(
      { job: { name: 'Rent' }, delivery, settled: { status, answer: null, reason } },
      { inbox: 'http://localhost:3000/inbox', now: Temporal.Instant.from('2026-03-02T09:00:00Z') },
    ).slice('09:00:00  '.length);
  const to = '“Rent” by webhook to https://hooks.example.com/rent';
  expect(textOf('accepted', null)).toBe(`Delivered ${to}: accepted. Read it at http://localhost:3000/inbox`);
  expect(textOf('failed', 'HTTP 404')).toBe(`Not delivered: ${to}: failed (HTTP 404).`);
  expect(textOf('waiting', 'The server was stopped')).toBe(
    `Not delivered yet: ${to}: waiting (The server was stopped).`,
  );
  expect(textOf('unknown', 'Sent, but not answered')).toBe(
    `Perhaps delivered: ${to}: unknown (Sent, but not answered).`,
  );
});

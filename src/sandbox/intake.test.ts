import { describe, expect, it } from 'vitest';
import { createIntake, type SandboxMessage } from './intake.ts';

describe('the intake of the sandbox', () => {
  it('stores what arrives during one batch as the next ones, in order and 500 at most', async () => {
    const first = Promise.withResolvers<void>();
    const batches: string[][] = [];
    const intake = createIntake(async (messages) => {
      batches.push(messages.map(({ subject }) => subject));
      if (batches.length === 1) await first.promise;
    });
    const all = Array.from({ length: 1_200 }, (_, number) => intake.keep(message(String(number))));
    first.resolve();
    await Promise.all(all);
    expect(batches.map(({ length }) => length)).toEqual([1, 500, 500, 199]);
    expect(batches.flat()).toEqual(all.map((_, number) => String(number)));
  });

  it('fails only the messages that cannot be stored', async () => {
    const stored: string[] = [];
    const intake = createIntake(async (messages) => {
      if (messages.some(({ subject }) => subject === 'bad')) throw new Error('refused');
      stored.push(...messages.map(({ subject }) => subject));
    });
    const results = await Promise.allSettled(['a', 'b', 'bad', 'c'].map((subject) => intake.keep(message(subject))));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    expect(stored).toEqual(['a', 'b', 'c']);
  });

  it('settles once everything is stored, and continues after that', async () => {
    const stored: string[] = [];
    const intake = createIntake(async (messages) => void stored.push(...messages.map(({ subject }) => subject)));
    void intake.keep(message('one'));
    void intake.keep(message('two'));
    await intake.settled();
    expect(stored).toEqual(['one', 'two']);
    for (let n = 0; n < 100; n++) await intake.keep(message(String(n)));
    expect(stored).toHaveLength(102);
  });
});

function message(subject: string): SandboxMessage {
  return {
    id: subject,
    workspace_id: null,
    channel: 'email',
    provider: null,
    sender: '',
    recipient: '',
    subject,
    text: '',
    html: null,
    headers: {},
    raw: null,
    segments: null,
    callback_url: null,
    reply_to: null,
    raw_size: 0,
    received_at: '2026-11-20T08:00:00Z',
  };
}

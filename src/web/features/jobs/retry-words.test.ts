import { describe, expect, it } from 'vitest';
import { retryText } from './retry-words.ts';

describe('what a retry does', () => {
  const report = { kind: 'report' as const, at: '2026-03-02T09:00:01.000Z', status: 'failed' as const };
  const said = { words: 'Twilio 30005', reason_code: 'no_such_number' as const, reason_params: null };
  const line = { channel: 'sms' as const, contact_id: null, recipient: '+4915112345678', reason_params: null };
  const late = { ...line, status: 'failed' as const, timeline: [{ ...report, ...said }] };
  const inOrder = { channels: ['sms' as const, 'email' as const], channel_mode: 'in_order' as const };

  it('is said where a message was reported as failed and a channel was not tried', () => {
    expect(retryText([late], inOrder)).toBe(
      'Retry tries email before sms for people whose message was reported as failed, if they can be reached there.',
    );
  });

  it('is not said where all channels send, were tried, or follow anyhow', () => {
    expect(retryText([late], { ...inOrder, channel_mode: 'every' })).toBeNull();
    expect(retryText([late, { ...late, channel: 'email' }], inOrder)).toBeNull();
    expect(retryText([{ ...late, reason_params: { next: 'email' } }], inOrder)).toBeNull();
    expect(retryText([{ ...late, timeline: [] }], inOrder)).toBeNull();
  });

  it('counts the lines of a contact as those of one person', () => {
    const own = { ...late, contact_id: '019a9d3e-0000-7000-8000-000000000101' };
    expect(retryText([own, { ...own, channel: 'email', recipient: 'erin@example.com' }], inOrder)).toBeNull();
  });
});

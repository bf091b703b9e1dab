import { onlineManager } from '@tanstack/react-query';
import { afterEach, describe, expect, it } from 'vitest';
import { ApiError, refusalOf } from './client.ts';
import { createQueryClient, mayHelpToRetry, waitMs } from './query-client.ts';

afterEach(() => onlineManager.setOnline(true));

const refused = (status: number, retryAfter?: string) =>
  refusalOf(new Response(null, { status, headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter } }), {
    error: { code: 'unavailable', message: 'Try again later.', request_id: 'r-1' },
  });

describe('a question that the server refuses', () => {
  it('is asked again, twice, when the server failed or could not be reached', () => {
    for (const error of [refused(500), refused(503), new TypeError('no network')]) {
      expect([0, 1, 2].map((failures) => mayHelpToRetry(failures, error))).toEqual([true, true, false]);
      expect([0, 1].map((failures) => waitMs(failures, error))).toEqual([1_000, 2_000]);
    }
  });

  it('is asked again after the time that the server asks for', () => {
    for (const status of [429, 503]) {
      expect(mayHelpToRetry(0, refused(status, '5'))).toBe(true);
      expect(waitMs(0, refused(status, '5'))).toBe(5_000);
    }
  });

  it('is not asked again by itself when that is long, or would be refused again', () => {
    for (const error of [refused(503, '60'), refused(429, '3600'), refused(429), refused(422), refused(404)])
      expect(mayHelpToRetry(0, error)).toBe(false);
  });

  it('keeps its words', () => {
    expect(refused(503, '60')).toBeInstanceOf(ApiError);
    expect(refused(503, '60').message).toBe('Try again later.');
  });
});

describe('where the browser believes that it is offline', () => {
  it('questions are asked, as the server may be this machine', async () => {
    onlineManager.setOnline(false);
    const client = createQueryClient({ onSignedOut: () => {} });
    await expect(client.fetchQuery({ queryKey: ['question'], queryFn: () => 'answer' })).resolves.toBe('answer');
  });

  it('what somebody does fails at once, and is not done later behind their back', async () => {
    onlineManager.setOnline(false);
    const client = createQueryClient({ onSignedOut: () => {} });
    const unreachable = () => Promise.reject(new Error('Cuebird cannot be reached'));
    const act = client.getMutationCache().build(client, { mutationFn: unreachable });
    await expect(act.execute(undefined)).rejects.toThrow('Cuebird cannot be reached');
  });
});

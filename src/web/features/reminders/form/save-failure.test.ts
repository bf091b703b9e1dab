import { expect, it } from 'vitest';
import { ApiError } from '#web/api/client.ts';
import { NotFound, Unauthenticated } from '#platform/errors.ts';
import { saveFailure } from './save-failure.ts';

const refusal = (status: number, { message, resource }: { message: string; resource?: string }) =>
  new ApiError({ status, code: 'any', message, resource });

it('a failed save shows the missing user or workspace, the server’s message, or a general error', () => {
  expect(saveFailure(refusal(401, new Unauthenticated()))).toBe('User not authenticated');
  expect(saveFailure(refusal(404, new NotFound('workspace')))).toBe('No workspace selected');
  expect(saveFailure(refusal(404, new NotFound('reminder')))).toBe('There is no such reminder');
  expect(saveFailure(new Error('Full'))).toBe('Full');
  expect(saveFailure('thrown')).toBe('Failed to save reminder. Please try again.');
});

import { expect, it } from 'vitest';
import { ApiError } from '#web/api/client.ts';
import { loadFailureOf } from './load-failure.ts';

const refusal = (status: number) => new ApiError({ status, code: 'x', message: 'Why' });

it.each([
  [refusal(401), 'Authentication Required'],
  [refusal(404), 'No Workspace Selected'],
  [refusal(500), 'Error loading templates'],
  [new Error('Why'), 'Error loading templates'],
])('a failure to load the list after %s has the title %s', (error, title) => {
  expect(loadFailureOf(error).title).toBe(title);
});

it('a missing workspace is named in the error', () => {
  expect(loadFailureOf(refusal(404)).message).toBe('No workspace selected. Please select a workspace first.');
});

import { expect, it } from 'vitest';
import { isPartlySentExecution } from './run-outcome.ts';

it('an execution that failed is partly sent where its logs say that somebody was reached', () => {
  expect(isPartlySentExecution({ status: 'failed', logs: { accepted: 0, delivered: 2, failed: 1 } })).toBe(true);
  expect(isPartlySentExecution({ status: 'failed', logs: { accepted: 1 } })).toBe(true);
  expect(isPartlySentExecution({ status: 'failed', logs: { accepted: 0, failed: 3 } })).toBe(false);
  expect(isPartlySentExecution({ status: 'failed', logs: { accepted: 'many' } })).toBe(false);
  expect(isPartlySentExecution({ status: 'completed', logs: { accepted: 3 } })).toBe(false);
});

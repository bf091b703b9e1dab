import { expect, it } from 'vitest';
import { isCancelledExecution, isPartlySentExecution, unreachedTexts } from './run-outcome.ts';

it('an execution that failed is partly sent where its logs say that somebody was reached', () => {
  expect(isPartlySentExecution({ status: 'failed', logs: { accepted: 0, delivered: 2, failed: 1 } })).toBe(true);
  expect(isPartlySentExecution({ status: 'failed', logs: { accepted: 1 } })).toBe(true);
  expect(isPartlySentExecution({ status: 'failed', logs: { accepted: 0, failed: 3 } })).toBe(false);
  expect(isPartlySentExecution({ status: 'failed', logs: { accepted: 'many' } })).toBe(false);
  expect(isPartlySentExecution({ status: 'completed', logs: { accepted: 3 } })).toBe(false);
});

it('an execution that had nobody to send to is cancelled, and not one that failed or reached somebody', () => {
  expect(isCancelledExecution({ status: 'failed', logs: { attempted: 0, skipped: 1 } })).toBe(true);
  expect(isCancelledExecution({ status: 'failed', logs: { skipped: 1, failed: 1 } })).toBe(false);
  expect(isCancelledExecution({ status: 'failed', logs: { skipped: 1, unknown: 1 } })).toBe(false);
  expect(isCancelledExecution({ status: 'failed', logs: { skipped: 1, accepted: 1 } })).toBe(false);
  expect(isCancelledExecution({ status: 'failed', logs: {} })).toBe(false);
  expect(isCancelledExecution({ status: 'completed', logs: { skipped: 1 } })).toBe(false);
});

it('whom a message that nobody can leave does not reach is told apart from who was skipped', () => {
  const suppressed = { outcome: 'skipped', reason_code: 'suppressed' } as const;
  const unreached = [
    { ...suppressed, reason_params: { required: true }, people: 2 },
    { ...suppressed, reason_params: null, people: 1 },
  ] as const;
  const people = { total: 9, reached: 6, waiting: 0, failed: 0, skipped: 3, excluded: 0, unreached: [...unreached] };
  expect(unreachedTexts(people)).toEqual(['2 cannot be reached', '1 skipped']);
});

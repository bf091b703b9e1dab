import { expect, it } from 'vitest';
import type { LastRun } from '#contract/reminders.ts';
import { lastRunText, lastRunTone } from './last-run.ts';

it('the last run of a reminder says how many people it has reached, and that it is partly sent', () => {
  const people = { total: 184, reached: 173, waiting: 0, failed: 11, skipped: 0, excluded: 0, unreached: [] };
  const run = { id: '019a9d3e-0000-7000-8000-000000000001', scheduled_for: '2026-11-20T08:00:00Z', recipients: null };
  const partly: LastRun = { ...run, status: 'failed', people };
  expect([lastRunText(partly), lastRunTone(partly)]).toEqual(['partly sent, 173 of 184 people', 'waiting']);
  const none: LastRun = { ...run, status: 'failed', people: { ...people, reached: 0, failed: 184 } };
  expect([lastRunText(none), lastRunTone(none)]).toEqual(['failed, 0 of 184 people', 'bad']);
  const all: LastRun = { ...run, status: 'completed', people: { ...people, reached: 184, failed: 0 } };
  expect([lastRunText(all), lastRunTone(all)]).toEqual(['sent, 184 of 184 people', 'quiet']);
  expect(lastRunText({ ...run, status: 'running', people: null })).toBe('running');
});

import { describe, expect, it } from 'vitest';
import { logLines } from './log-lines.ts';

describe('the logs of a run', () => {
  it('are shown as sentences, with problems marked', () => {
    expect(logLines({ attempt: 2, attempted: 3, late_seconds: 125, accepted: 1, skipped: 4, failed: 2 })).toEqual([
      { level: 'Info', text: 'Run 2 of this job' },
      { level: 'Warning', text: 'Started 2m 05s late' },
      { level: 'Info', text: '3 recipients attempted in this run' },
      { level: 'Info', text: '1 recipient accepted so far' },
      { level: 'Warning', text: '4 recipients skipped so far' },
      { level: 'Error', text: '2 recipients failed so far' },
    ]);
  });

  it('of another version skip unknown entries', () => {
    expect(logLines({ attempt: 'two', steps: ['a'] })).toEqual([]);
  });
});

import { expect, it } from 'vitest';
import { actText } from './act-text.ts';

it('an act says an instant as a person reads it, and leaves every other text as it is', () => {
  expect(actText('workspace.deletion_requested', { until: '2026-11-30T01:32:12.27Z' })).toBe(
    'Deleted the workspace, for good on 2026-11-30 01:32 UTC',
  );
  expect(actText('workspace.renamed', { from: '2026-11-30', to: 'T01:32:12Z' })).toBe(
    'Renamed the workspace from 2026-11-30 to T01:32:12Z',
  );
});

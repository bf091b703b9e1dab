import { expect, it } from 'vitest';
import { tabsWithErrors } from './form-tabs.ts';

it('every field with an error marks its tab, in the order of the tabs', () => {
  expect(tabsWithErrors(['content.subject', 'content.recipients', 'schedule_config.customCron', 'name'])).toEqual([
    'basic',
    'schedule',
    'channels',
    'content',
  ]);
  expect(tabsWithErrors(['schedule_config.type'])).toEqual(['basic']);
  expect(tabsWithErrors(['metadata.channels'])).toEqual(['channels']);
  expect(tabsWithErrors(['content.values.amount'])).toEqual(['content']);
});

it('an error that no field shows marks no tab', () => {
  expect(tabsWithErrors(['workspace_id'])).toEqual([]);
});

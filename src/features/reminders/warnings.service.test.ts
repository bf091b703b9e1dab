import { expect, it } from 'vitest';
import { createWarnings } from '#features/reminders/warnings.service.ts';
import { sliceSize } from '#platform/in-slices.ts';
import { sampleReminder } from '#testing/samples.ts';

it('other requests are served between slices while the recipients of a page are checked', async () => {
  let checked = 0;
  const isOpen = () => {
    checked += 1;
    return false;
  };
  const page = [
    reminderOf(urls(20 * sliceSize)),
    ...Array.from({ length: 50 }, (_, at) => reminderOf(urls(100, `of-${at}/`))),
  ];
  const seen = [0];
  let isDone = false;
  const watch = () => {
    seen.push(checked);
    if (!isDone) setImmediate(watch);
  };
  setImmediate(watch);
  const warned = await createWarnings({ isOpen })(page, []);
  isDone = true;
  expect(checked).toBe(20 * sliceSize + 50 * 100);
  expect(Math.max(...seen.map((at, index) => at - (seen[index - 1] ?? 0)))).toBe(sliceSize);
  expect(warned.map(({ warnings }) => warnings.at(-1))).toEqual(
    page.map(
      ({ content: { recipients } }) =>
        `${recipients.length} recipients lead to private addresses and may be refused when they are sent, the first: ${recipients[0]}`,
    ),
  );
});

it('a long list of recipients is checked again only when it or the channels have changed', async () => {
  let checked = 0;
  const addWarnings = createWarnings({
    isOpen: () => {
      checked += 1;
      return false;
    },
  });
  const reminder = reminderOf(urls(1_000));
  const first = await addWarnings([reminder], []);
  const again = await addWarnings([{ ...reminder, name: 'Another name' }], [['Of the message.']]);
  expect(checked).toBe(1_000);
  expect(again[0]?.warnings).toEqual(['Of the message.', ...(first[0]?.warnings ?? [])]);
  const [changed] = await addWarnings([reminderOf([...urls(999), 'https://example.com/'])], []);
  expect(changed?.warnings).not.toEqual(first[0]?.warnings);
  await addWarnings([{ ...reminder, metadata: { ...reminder.metadata, channels: ['sms'] } }], []);
  expect(checked).toBe(1_000 + 999 + 1_000);
});

const reminderOf = (recipients: string[]) => ({
  ...sampleReminder,
  id: crypto.randomUUID(),
  workspace_id: crypto.randomUUID(),
  created_by: null,
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-01T00:00:00Z',
  is_done: false,
  paused_until: null,
  next_run_at: null,
  content: { ...sampleReminder.content, recipients },
});

const urls = (count: number, path = '') => Array.from({ length: count }, (_, at) => `https://localhost/${path}${at}`);

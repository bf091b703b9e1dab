import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { CodeOfRow, reasonCodes } from '#contract/reason-codes.ts';

it('documents every reason code, and no other', () => {
  const [, section = ''] = readFileSync('docs/jobs.md', 'utf8').split('## Reason codes\n');
  const [table = ''] = section.slice(section.indexOf('| code |')).split('\n\n');
  const named = [...table.matchAll(/`([a-z_]+)`/g)].map(([, code]) => code);
  expect(new Set(named)).toEqual(new Set<string | undefined>(reasonCodes));
  expect(named).toHaveLength(reasonCodes.length);
});

it('is read as none where only a newer version knows it, and described without that', () => {
  expect(['expired', 'not_yet_known', null].map((code) => CodeOfRow.parse(code))).toEqual(['expired', null, null]);
  expect(z.toJSONSchema(CodeOfRow)).not.toHaveProperty('default');
});

/** They show words. */
const readers = [
  'src/domain/ledger-reasons.ts',
  'src/web/features/reminders/RecipientNotices.tsx',
  // Of a template's field.
  'src/web/features/templates/form/show-refusal.ts',
];
const reading =
  /\breason\??\.(?:startsWith|endsWith|includes|match|search)\(|\.(?:test|exec)\((?:\w+\.)?reason\b|\breason (?:===|!==) ['"`][A-Z]/;

it('is what code decides by: no other file reads the words of a reason', () => {
  const files = ['src', 'simulation'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
  );
  const found = files.filter(
    (name) => /(?<!\.test)\.tsx?$/.test(name) && !readers.includes(name) && reading.test(readFileSync(name, 'utf8')),
  );
  expect(files.length).toBeGreaterThan(500);
  expect(found).toEqual([]);
});

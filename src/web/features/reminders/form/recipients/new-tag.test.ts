import { expect, it } from 'vitest';
import { newTag } from './new-tag.ts';

it('the tag of an imported table is one that nobody has yet, whatever the file is called', () => {
  expect(newTag('Mieter', ['tenants'])).toBe('Mieter');
  expect(newTag('Mieter', ['mieter', 'Mieter 2'])).toBe('Mieter 3');
  expect(newTag('Elm Street, 12;  new', [])).toBe('Elm Street 12 new');
  expect(newTag(' ', [])).toBe('imported');
  expect(newTag('\u00ad', ['imported'])).toBe('imported 2');
  expect(newTag('W'.repeat(255), ['W'.repeat(44)])).toBe(`${'W'.repeat(44)} 2`);
});

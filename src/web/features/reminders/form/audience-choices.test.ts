import { describe, expect, it } from 'vitest';
import { audienceOf, choicesOf, matching, valuesOf } from './audience-choices.ts';

const known = {
  groups: [{ id: 'g1', name: '12 Elm' }],
  tags: ['VIP', 'tenant'],
  found: [{ id: 'c1', name: null, email: 'anna@example.com', phone: null }],
  picked: [],
};

describe('the choices of people', () => {
  it('are everyone, groups, tags, and the contacts that were found', () => {
    expect(choicesOf(undefined, known).map(({ group, items }) => [group, items.map(({ label }) => label)])).toEqual([
      ['All contacts', ['Everyone']],
      ['Groups', ['12 Elm']],
      ['Tags', ['VIP', 'tenant']],
      ['Contacts', ['anna@example.com']],
    ]);
  });

  it('have what was chosen before, also when it is gone, in the spelling of the reminder', () => {
    const audience = { groups: ['g1', 'g2'], tags: ['vip', 'old'], contacts: ['c2', 'c3'] };
    const choices = choicesOf(audience, { ...known, picked: [{ id: 'c2', name: 'Ben' }] });
    expect(choices.flatMap(({ items }) => items.map(({ value, label }) => `${value} ${label}`))).toEqual([
      'everyone Everyone',
      'group:g1 12 Elm',
      'group:g2 A deleted group',
      'tag:vip vip',
      'tag:old old',
      'tag:tenant tenant',
      'contact:c1 anna@example.com',
      'contact:c2 Ben',
      'contact:c3 A contact',
    ]);
    expect(choicesOf({ groups: ['g1'] }, { ...known, groups: undefined })[1]?.items[0]?.label).toBe('A group');
  });

  it('become an audience and come back from it', () => {
    const audience = { everyone: true, groups: ['g1'], tags: ['a:b'], contacts: ['c1'] };
    expect(audienceOf(valuesOf(audience))).toEqual(audience);
    expect(audienceOf(['tag:vip'])).toEqual({ tags: ['vip'] });
    expect(audienceOf([])).toBeUndefined();
  });

  it('are one choice for many contacts, which can be added to and removed', () => {
    const contacts = Array.from({ length: 188 }, (_, at) => `p${at}`);
    const audience = { groups: ['g1'], contacts };
    const found = [...known.found, { id: 'p7', name: 'Paul', email: null, phone: null }];
    expect(choicesOf(audience, { ...known, found }).at(-1)?.items).toEqual([
      { value: 'contacts', label: '188 contacts' },
      { value: 'contact:c1', label: 'anna@example.com' },
    ]);
    expect(valuesOf(audience)).toEqual(['group:g1', 'contacts']);
    expect(audienceOf(['group:g1', 'contacts'], audience)).toEqual(audience);
    expect(audienceOf(['contacts', 'contact:c1'], audience)).toEqual({ contacts: [...contacts, 'c1'] });
    expect(audienceOf(['group:g1'], audience)).toEqual({ groups: ['g1'] });
  });

  it('are narrowed by their names, whatever case and accents; contacts were narrowed by the server', () => {
    const options = choicesOf(undefined, known);
    const labels = (text: string) =>
      matching(options, text).flatMap((option) =>
        'items' in option ? option.items.map((item) => (typeof item === 'string' ? item : item.label)) : [],
      );
    expect(labels('ELM')).toEqual(['12 Elm', 'anna@example.com']);
    expect(labels('víp')).toEqual(['VIP', 'anna@example.com']);
  });
});

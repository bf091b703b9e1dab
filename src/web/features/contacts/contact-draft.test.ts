import { describe, expect, it } from 'vitest';
import { bodyOf, draftOf } from './contact-draft.ts';

const row = (name: string, value: string) => ({ name, value, key: name });

describe('the contact form', () => {
  it('has a row for each value that a message lacks, which counts only once it is filled in', () => {
    const draft = draftOf(null, ['Amount']);
    expect(draft.values).toMatchObject([{ name: 'Amount', value: '' }]);
    expect(bodyOf(draft).body.variables).toEqual({});
    const filled = draft.values.map((each) => ({ ...each, value: '950 €' }));
    expect(bodyOf({ ...draft, values: filled }).body.variables).toEqual({ Amount: '950 €' });
  });

  it('sends its values by name, without blank rows', () => {
    const draft = { ...draftOf(null), name: 'Anna', values: [row(' amount ', '950 €'), row('', ' ')] };
    expect(bodyOf(draft)).toEqual({
      body: {
        name: 'Anna',
        first_name: '',
        last_name: '',
        salutation: '',
        language: null,
        preferred_channel: null,
        note: '',
        email: '',
        phone: '',
        timezone: null,
        tags: [],
        variables: { amount: '950 €' },
      },
      errors: {},
    });
  });

  it('shows which value has an invalid name', () => {
    const values = [row('amount', '1'), row('amount', '2'), row('the rent', '3'), row('', '4')];
    expect(bodyOf({ ...draftOf(null), values }).errors).toEqual({
      'values.1.name': 'Another value has this name',
      'values.2.name': 'Use only letters, digits, _ and -, starting with a letter',
      'values.3.name': 'Enter a name',
    });
  });
});

import { describe, expect, it } from 'vitest';
import { bodyOf, draftOf } from './contact-draft.ts';

const row = (name: string, value: string) => ({ name, value, key: name });

describe('a contact while it is written', () => {
  it('is sent with its values by their names, without the rows that were left blank', () => {
    const draft = { ...draftOf(null), name: 'Anna', values: [row(' amount ', '950 €'), row('', ' ')] };
    expect(bodyOf(draft)).toEqual({
      body: { name: 'Anna', email: '', phone: '', timezone: null, variables: { amount: '950 €' } },
      errors: {},
    });
  });

  it('says which value has a name that no message can use', () => {
    const values = [row('amount', '1'), row('amount', '2'), row('the rent', '3'), row('', '4')];
    expect(bodyOf({ ...draftOf(null), values }).errors).toEqual({
      'values.1.name': 'There is one of this name',
      'values.2.name': 'Letters, digits, _ and - only, a letter first',
      'values.3.name': 'Name this value',
    });
  });
});

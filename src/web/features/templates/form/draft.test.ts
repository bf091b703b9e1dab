import { describe, expect, it } from 'vitest';
import { newDraft, problemsOf, withVariable } from './draft.ts';

describe('the template form', () => {
  it('has its errors under the paths of its fields', () => {
    const draft = newDraft(null);
    expect(problemsOf(draft)).toEqual({ name: 'Please provide a template name' });
    const variable = { name: 'a', type: 'text' as const, description: '', required: true, defaultValue: '' };
    const twice = { ...draft, name: 'Rent', variables: { variables: [variable, variable] } };
    expect(problemsOf(twice)).toEqual({ 'variables.variables.1.name': 'A variable with this name already exists' });
  });

  it('adds a variable with its trimmed name, and clears the fields', () => {
    const added = withVariable(
      { ...newDraft(null), entry: { name: 'x', type: 'date' } },
      { name: ' due ', type: 'date' },
    );
    expect(added).toMatchObject({
      outcome: 'added',
      draft: {
        variables: {
          variables: [{ name: 'due', type: 'date', description: '', required: true, defaultValue: '' }],
        },
        entry: { name: '', type: 'text' },
      },
    });
  });

  it('refuses a variable with a blank, invalid or duplicate name', () => {
    const added = withVariable(newDraft(null), { name: 'due', type: 'text' });
    if (added.outcome !== 'added') throw new Error(added.outcome);
    const again = (name: string) => withVariable(added.draft, { name, type: 'text' });
    expect(again('  ')).toEqual({ outcome: 'refused', reason: 'Please provide a variable name' });
    expect(again('due date')).toEqual({
      outcome: 'refused',
      reason: expect.stringMatching(/^must begin with a letter/),
    });
    expect(again('due')).toEqual({ outcome: 'twice' });
    expect(again('Due').outcome).toBe('added');
  });
});

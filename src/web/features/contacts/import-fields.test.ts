import { expect, it } from 'vitest';
import { withField } from './import-fields.ts';

it('a field is that of one column, and several may be values', () => {
  const columns = [
    { header: 'A', field: 'email', variable: null, samples: [] },
    { header: 'B', field: 'variable', variable: 'b', samples: [] },
    { header: 'C', field: 'ignored', variable: null, samples: [] },
  ] as const;
  const fieldsOf = (at: number, field: 'email' | 'variable') =>
    withField(
      columns.map((column) => ({ ...column, samples: [] })),
      { at, field },
    ).map((one) => one.variable ?? one.field);
  expect(fieldsOf(2, 'email')).toEqual(['ignored', 'b', 'email']);
  expect(fieldsOf(2, 'variable')).toEqual(['email', 'b', 'variable']);
});

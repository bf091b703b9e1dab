import { describe, expect, it } from 'vitest';
import { parseSearch, stringifySearch } from './search-params.ts';

describe('the parameters of an address', () => {
  it.each(['2026', '12e34567', '007', '1.0', 'true', 'null', '[1]', '"quoted"', 'a b+c&d=e', 'Ünal €', ''])(
    'stay the text %j',
    (search) => {
      const address = stringifySearch({ search, tab: undefined });
      expect([parseSearch(address), address.startsWith('?search=')]).toEqual([{ search }, true]);
    },
  );

  it('leave nothing behind where none is given', () => {
    expect([stringifySearch({}), stringifySearch({ tab: undefined }), parseSearch('')]).toEqual(['', '', {}]);
  });

  it('are no way to a prototype', () => {
    const parsed = parseSearch('?__proto__=x&constructor=y');
    expect([Object.getPrototypeOf(parsed), Object.keys(parsed)]).toEqual([
      Object.prototype,
      ['__proto__', 'constructor'],
    ]);
  });
});

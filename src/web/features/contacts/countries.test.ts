import { getCountries } from 'libphonenumber-js';
import { expect, it } from 'vitest';
import { countryChoices, countryCodes } from './countries.ts';

it('the listed countries are those whose numbers the server accepts', () => {
  expect(countryCodes).toEqual(getCountries().toSorted());
  expect(countryChoices().find(({ value }) => value === 'DE')).toEqual({ value: 'DE', label: 'Germany (DE)' });
});

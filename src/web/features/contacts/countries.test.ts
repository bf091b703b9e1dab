import { getCountries } from 'libphonenumber-js';
import { expect, it } from 'vitest';
import { countryChoices, countryCodes } from './countries.ts';

it('the countries to choose from are those that the server can dial', () => {
  expect(countryCodes).toEqual(getCountries().toSorted());
  expect(countryChoices().find(({ value }) => value === 'DE')).toEqual({ value: 'DE', label: 'Germany (DE)' });
});

import { Select } from '@mantine/core';
import { useState } from 'react';
import { countryChoices } from './countries.ts';

type CountryFieldProps = { country: string | null; onChoose: (country: string | null) => void };

/** The country to which the numbers of an import belong that have no country code. */
export function CountryField({ country, onChoose }: CountryFieldProps) {
  const [countries] = useState(countryChoices);
  return (
    <Select
      label="Country of numbers without a country code"
      description="Leave it blank to use the country of your phone channel."
      placeholder="None"
      data={countries}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': 'Clear the country' }}
      nothingFoundMessage="No country found"
      maxDropdownHeight={220}
      value={country}
      onChange={onChoose}
    />
  );
}

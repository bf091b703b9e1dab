import { Select } from '@mantine/core';
import type { ComponentProps, ReactNode } from 'react';
import classes from './FilterBar.module.css';
import { SearchBox } from './SearchBox.tsx';

type Choice = {
  /** For screen readers: `Filter by channel`. */
  label: string;
  /** What it says while nothing is chosen: `All channels`. */
  all: string;
  of: readonly { value: string; label: string }[];
  value: string | undefined;
  onChoose: (value: string | undefined) => void;
  /** In px. */
  width?: number;
  /** The name of a button that ends the choice; without one, `all` is the first of the choices. */
  clear?: string;
  /** What typing that fits no choice finds; without it there is nothing to type. */
  none?: string;
};

type FilterBarProps = {
  search?: Pick<ComponentProps<typeof SearchBox>, 'label' | 'value' | 'onSearch'>;
  choices?: readonly Choice[];
  /** Other filters, at the end. */
  children?: ReactNode;
};

/** What filters a list, above it. */
export const FilterBar = ({ search, choices = [], children }: FilterBarProps) => (
  <search className={classes.bar}>
    {search && <SearchBox className={classes.search ?? ''} {...search} />}
    {choices.map(({ label, all, of, value, onChoose, width = 200, clear, none }) => (
      <Select
        key={label}
        className={classes.choice}
        style={{ '--choice-width': `${width}px` }}
        aria-label={label}
        {...(clear === undefined
          ? { data: [{ value: 'all', label: all }, ...of], allowDeselect: false, value: value ?? 'all' }
          : {
              data: [...of],
              placeholder: all,
              clearable: true,
              clearButtonProps: { 'aria-label': clear },
              value: value ?? null,
            })}
        {...(none !== undefined && { searchable: true, nothingFoundMessage: none, maxDropdownHeight: 280 })}
        onChange={(chosen) =>
          onChoose(chosen === null || (clear === undefined && chosen === 'all') ? undefined : chosen)
        }
      />
    ))}
    {children}
  </search>
);

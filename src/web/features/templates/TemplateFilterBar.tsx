import { Group, Select } from '@mantine/core';
import type { TemplateCategory } from '#contract/template-categories.ts';
import { SearchBox } from '#web/ui/SearchBox.tsx';
import classes from './TemplateFilterBar.module.css';
import type { TemplateFilter } from './template-filter.ts';

type TemplateFilterBarProps = { filter: TemplateFilter; categories: readonly TemplateCategory[] | undefined };

/** Search box and category filter; both are kept in the URL. */
export function TemplateFilterBar({ filter: { search, category, change }, categories }: TemplateFilterBarProps) {
  const choices = [
    { value: 'all', label: 'All Categories' },
    ...(categories ?? []).map(({ id, name }) => ({ value: id, label: name })),
  ];
  // A deleted category, or one that is not loaded yet, has no name to show.
  const known = choices.some(({ value }) => value === category);
  const shown = category === undefined || known ? choices : [...choices, { value: category, label: 'Other category' }];
  return (
    <Group component="search" mb={16} gap={8} wrap="nowrap">
      <SearchBox
        className={classes.search}
        label="Search templates..."
        value={search}
        onSearch={(text) => change({ search: text || undefined })}
      />
      <Select
        className={classes.category}
        aria-label="Filter by category"
        data={shown}
        allowDeselect={false}
        value={category ?? 'all'}
        onChange={(value) => change({ category: value === null || value === 'all' ? undefined : value })}
      />
    </Group>
  );
}

import { Select } from '@mantine/core';
import { matchKey } from '#contract/audience.ts';
import { useContactGroups, useContactTags } from '#web/api/contact-groups.ts';
import { SearchBox } from '#web/ui/SearchBox.tsx';
import { useContactsSearch } from './contacts-search.ts';
import classes from './contacts.module.css';

/** The search, a tag and a group; all are kept in the URL. */
export function ContactFilters() {
  const { search, tag, group, change } = useContactsSearch();
  const { data: tags = [] } = useContactTags();
  const { data: groups = [] } = useContactGroups();
  const key = tag === undefined ? null : matchKey(tag);
  const known = tags.find((one) => matchKey(one.tag) === key);
  const tagChoices = [
    ...tags.map((one) => ({ value: one.tag, label: `${one.tag} · ${one.contacts.toLocaleString('en')}` })),
    // A link may name a tag that nobody has.
    ...(tag === undefined || known !== undefined ? [] : [{ value: tag, label: tag }]),
  ];
  const groupChoices = [
    ...groups.map(({ id, name }) => ({ value: id, label: name })),
    ...(group === undefined || groups.some(({ id }) => id === group)
      ? []
      : [{ value: group, label: groups.length === 0 ? 'A group' : 'A deleted group' }]),
  ];
  return (
    <search className={classes.filters}>
      <SearchBox
        className={classes.search}
        label="Search by name, address or number"
        value={search ?? ''}
        onSearch={(text) => change({ search: text || undefined })}
      />
      <Select
        className={classes.choice}
        aria-label="Filter by tag"
        placeholder="All tags"
        data={tagChoices}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': 'Show all tags' }}
        nothingFoundMessage={tags.length === 0 ? 'No contact has a tag' : 'No such tag'}
        maxDropdownHeight={280}
        value={known?.tag ?? tag ?? null}
        onChange={(value) => change({ tag: value ?? undefined })}
      />
      <Select
        className={classes.choice}
        aria-label="Filter by group"
        placeholder="All groups"
        data={groupChoices}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': 'Show all groups' }}
        nothingFoundMessage={groups.length === 0 ? 'There are no groups' : 'No such group'}
        maxDropdownHeight={280}
        value={group ?? null}
        onChange={(value) => change({ group: value ?? undefined })}
      />
    </search>
  );
}

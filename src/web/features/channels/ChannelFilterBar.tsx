import { Group, Select } from '@mantine/core';
import { configurableTypes } from '#contract/channels.ts';
import { channelLooks } from '#web/ui/channel-looks.ts';
import { SearchBox } from '#web/ui/SearchBox.tsx';
import classes from './ChannelFilterBar.module.css';
import type { ChannelFilter } from './channel-filter.ts';

const typeChoices = [
  { value: 'all', label: 'All Types' },
  ...configurableTypes.map((type) => ({ value: type, label: channelLooks[type].name })),
];

/** Search box and type filter; both are kept in the URL. */
export function ChannelFilterBar({ filter: { search, type, change } }: { filter: ChannelFilter }) {
  return (
    <Group component="search" mb={16} gap={8} wrap="nowrap">
      <SearchBox
        className={classes.search}
        label="Search channels..."
        value={search}
        onSearch={(text) => change({ search: text || undefined })}
      />
      <Select
        w={140}
        aria-label="Filter by type"
        data={typeChoices}
        allowDeselect={false}
        value={type ?? 'all'}
        onChange={(value) => change({ type: configurableTypes.find((known) => known === value) })}
      />
    </Group>
  );
}

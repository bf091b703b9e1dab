import { Select } from '@mantine/core';
import { useState } from 'react';
import { viewerZone } from '#web/api/viewer-zone.ts';
import { useReminderFormContext } from './form-context.ts';
import { zoneChoices } from './zones.ts';

export function ZoneField() {
  const form = useReminderFormContext();
  const [choices] = useState(() =>
    zoneChoices(new Date(), [viewerZone(), form.getInitialValues().schedule_config.timezone]),
  );
  return (
    <Select
      label="Timezone"
      data={choices}
      searchable
      allowDeselect={false}
      nothingFoundMessage="No timezone found"
      maxDropdownHeight={280}
      {...form.getInputProps('schedule_config.timezone')}
      onChange={(zone) => {
        if (zone !== null) form.setFieldValue('schedule_config.timezone', zone);
      }}
    />
  );
}

import '@mantine/core/styles/Checkbox.layer.css';
import { Checkbox, Stack } from '@mantine/core';
import type { ChannelType } from '#contract/channel-types.ts';

type TestAudienceProps = {
  channels: readonly ChannelType[];
  slack: boolean;
  push: boolean;
  onChange: (change: { slack?: boolean; push?: boolean }) => void;
};

/** The reminder's channels without recipients; the test includes only the selected ones. */
export function TestAudience({ channels, slack, push, onChange }: TestAudienceProps) {
  if (!channels.includes('slack') && !channels.includes('push')) return null;
  return (
    <Stack gap={12} role="group" aria-label="Channels without recipients">
      {channels.includes('slack') && (
        <Checkbox
          label="Post to Slack"
          description="Everybody in the Slack channel of this reminder sees it."
          checked={slack}
          onChange={(event) => onChange({ slack: event.currentTarget.checked })}
        />
      )}
      {channels.includes('push') && (
        <Checkbox
          label="Push to my browsers"
          description="Nobody else in the workspace gets it."
          checked={push}
          onChange={(event) => onChange({ push: event.currentTarget.checked })}
        />
      )}
    </Stack>
  );
}

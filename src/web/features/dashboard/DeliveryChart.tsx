import { Card, Flex, Skeleton, Title } from '@mantine/core';
import { channelTypes } from '#contract/channel-types.ts';
import { useDeliveryDays } from '#web/api/day.ts';
import { viewerZone } from '#web/api/viewer-zone.ts';
import { Loaded } from '#web/ui/Record.tsx';
import { ChannelLine } from './ChannelLine.tsx';
import { filledDays } from './filled-days.ts';
import prose from '#web/ui/prose.module.css';
import list from '#web/ui/list.module.css';

/** Bars per channel in use: deliveries on each of the last 30 days. */
export function DeliveryChart() {
  const days = useDeliveryDays(viewerZone());
  return (
    <Card padding={0} component="section" aria-labelledby="deliveries" aria-busy={days.isPending}>
      <Flex gap={8} align="baseline" p="16px var(--gutter) 12px">
        <Title order={2} id="deliveries">
          Deliveries
        </Title>
        <span className={prose.dim}>the last 30 days</span>
      </Flex>
      <Loaded
        of={days}
        failed="The deliveries could not be loaded"
        skeleton={<Skeleton height={40} mx={20} mb={20} width="auto" />}
      >
        {({ from, to, data }) => {
          const used = channelTypes.filter((channel) => data.some((day) => day.channel === channel));
          if (used.length === 0)
            return <p className={list.none}>Nothing has been sent yet. This chart shows the messages of each day.</p>;
          return used.map((channel) => (
            <ChannelLine key={channel} channel={channel} days={filledDays(data, { channel, from, to })} />
          ));
        }}
      </Loaded>
    </Card>
  );
}

import { Card } from '@mantine/core';
import type { Channel } from '#contract/channels.ts';
import { type useChannels, useChannelTypes } from '#web/api/channels.ts';
import { CardGrid, LoadingCards } from '#web/ui/CardGrid.tsx';
import { ErrorState } from '#web/ui/ErrorState.tsx';
import { NoneFound } from '#web/ui/NoneFound.tsx';
import { ChannelCard } from './ChannelCard.tsx';
import { ChannelCardSkeleton } from './ChannelCardSkeleton.tsx';
import type { Asked } from './ChannelDialogs.tsx';
import { type ChannelFilter, passes } from './channel-filter.ts';
import { QuickStart } from './QuickStart.tsx';

type ChannelListProps = {
  channels: ReturnType<typeof useChannels>;
  filter: ChannelFilter;
  onAdd: (type: Channel['type']) => void;
  onAsk: (asked: Asked) => void;
};

/** The cards, or the loading, empty or error state. */
export function ChannelList({ channels, filter, onAdd, onAsk }: ChannelListProps) {
  const types = useChannelTypes().data;
  if (channels.isPending)
    return <LoadingCards columns={3} label="Loading channels" count={3} skeleton={ChannelCardSkeleton} />;
  if (!channels.data) {
    return (
      <Card>
        <ErrorState
          title="Error loading channels"
          error={channels.error}
          onRetry={() => void channels.refetch()}
          isRetrying={channels.isFetching}
        />
      </Card>
    );
  }
  if (channels.data.length === 0) return <QuickStart onChoose={onAdd} />;
  const shown = channels.data.filter((channel) => passes(channel, filter));
  if (shown.length === 0)
    return <NoneFound what="channels" onShowAll={() => filter.change({ search: undefined, type: undefined })} />;
  return (
    <CardGrid columns={3}>
      {shown.map((channel) => (
        <ChannelCard key={channel.id} channel={channel} types={types} onAsk={(to) => onAsk({ to, channel })} />
      ))}
    </CardGrid>
  );
}

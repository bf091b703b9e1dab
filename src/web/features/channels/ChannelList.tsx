import { Button, Card, SimpleGrid } from '@mantine/core';
import { IconFilterOff } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Channel } from '#contract/channels.ts';
import { type useChannels, useChannelTypes } from '#web/api/channels.ts';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { ErrorState } from '#web/ui/ErrorState.tsx';
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

/** The cards, or what stands in their place while there are none. */
export function ChannelList({ channels, filter, onAdd, onAsk }: ChannelListProps) {
  const types = useChannelTypes().data;
  if (channels.isPending) return <LoadingCards />;
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
  if (shown.length === 0) return <NoneFound onShowAll={() => filter.change({ search: undefined, type: undefined })} />;
  return (
    <CardGrid>
      {shown.map((channel) => (
        <ChannelCard key={channel.id} channel={channel} types={types} onAsk={(to) => onAsk({ to, channel })} />
      ))}
    </CardGrid>
  );
}

function NoneFound({ onShowAll }: { onShowAll: () => void }) {
  return (
    <Card>
      <EmptyState
        icon={IconFilterOff}
        title="No channels found"
        sentence="Try adjusting your search or filters"
        action={
          <Button variant="default" onClick={onShowAll}>
            Show all channels
          </Button>
        }
      />
    </Card>
  );
}

function LoadingCards() {
  return (
    <div aria-busy aria-label="Loading channels" role="status">
      <CardGrid>
        {[1, 2, 3].map((card) => (
          <ChannelCardSkeleton key={card} />
        ))}
      </CardGrid>
    </div>
  );
}

const CardGrid = ({ children }: { children: ReactNode }) => (
  <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing={16}>
    {children}
  </SimpleGrid>
);

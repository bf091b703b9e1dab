import type { Channel } from '#contract/channels.ts';
import { type useChannels, useChannelTypes } from '#web/api/channels.ts';
import { List } from '#web/ui/List.tsx';
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
  if (channels.data?.length === 0) return <QuickStart onChoose={onAdd} />;
  return (
    <List
      noun="channels"
      of={{ ...channels, data: channels.data?.filter((channel) => passes(channel, filter)) }}
      grid={{ columns: 3, count: 3, skeleton: ChannelCardSkeleton }}
      card={(channel) => <ChannelCard channel={channel} types={types} onAsk={(to) => onAsk({ to, channel })} />}
      noMatch={{
        title: 'No channels found',
        sentence: 'Try adjusting your search or filters',
        all: 'Show all channels',
        onShowAll: () => filter.change({ search: undefined, type: undefined }),
      }}
    />
  );
}

import { getRouteApi } from '@tanstack/react-router';
import { type Channel, configurableTypes } from '#contract/channels.ts';
import { channelLooks } from '#web/ui/channel-looks.ts';
import { destinationOf } from './channel-words.ts';

const route = getRouteApi('/themed/signed-in/channels');

export type ChannelFilter = {
  search: string;
  type: Channel['type'] | undefined;
  isOn: boolean;
  change: (part: { search?: string; type?: Channel['type'] }) => void;
};

/** The filters of the list, from the URL. */
export function useChannelFilter(): ChannelFilter {
  const { search = '', type: named } = route.useSearch();
  const navigate = route.useNavigate();
  const type = configurableTypes.find((known) => known === named);
  return {
    search,
    type,
    isOn: search !== '' || type !== undefined,
    change: (part) =>
      void navigate({ search: (before) => ({ ...before, ...part }), replace: true, resetScroll: false }),
  };
}

/** The dialog that a command of the palette asked for, and a function that forgets it. */
export function useChannelCommand() {
  const { open: asked } = route.useSearch();
  const navigate = route.useNavigate();
  const forget = () =>
    void navigate({ search: (before) => ({ ...before, open: undefined }), replace: true, resetScroll: false });
  return { asked, forget };
}

/** Whether a channel matches the type, and the search in its name, type or destination, ignoring case. */
export function passes(channel: Channel, { search, type }: Pick<ChannelFilter, 'search' | 'type'>): boolean {
  if (type !== undefined && channel.type !== type) return false;
  const words = [channel.name, channelLooks[channel.type].name, destinationOf(channel)];
  return words.join('\n').toLowerCase().includes(search.toLowerCase());
}

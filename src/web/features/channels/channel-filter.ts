import { getRouteApi } from '@tanstack/react-router';
import { type Channel, configurableTypes } from '#contract/channels.ts';
import { useScreenSearch } from '#web/app/use-screen-search.ts';
import { channelLooks } from '#web/ui/channel-looks.ts';
import { destinationOf } from './channel-words.ts';

const route = getRouteApi('/themed/signed-in/channels');

/** The filters of the list, from the URL, and the dialog that a command of the palette asked for. */
export function useChannelFilter() {
  const { search = '', type: named, open: asked, change } = useScreenSearch(route);
  const type = configurableTypes.find((known) => known === named);
  return { search, type, isOn: search !== '' || type !== undefined, asked, change };
}

export type ChannelFilter = ReturnType<typeof useChannelFilter>;

/** Whether a channel matches the type, and the search in its name, type or destination, ignoring case. */
export function passes(channel: Channel, { search, type }: Pick<ChannelFilter, 'search' | 'type'>): boolean {
  if (type !== undefined && channel.type !== type) return false;
  const words = [channel.name, channelLooks[channel.type].name, destinationOf(channel)];
  return words.join('\n').toLowerCase().includes(search.toLowerCase());
}

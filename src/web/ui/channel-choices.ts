import { type ChannelType, channelTypes } from '#contract/channel-types.ts';
import { channelLooks } from './channel-looks.ts';

/** The channels as a select offers them. */
export const choicesOf = <Type extends ChannelType>(types: readonly Type[]) =>
  types.map((value) => ({ value, label: channelLooks[value].name }));

export const channelChoices = choicesOf(channelTypes);

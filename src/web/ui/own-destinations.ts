import type { ChannelType } from '#contract/channel-types.ts';

const slack = 'Slack posts to its own channel';
const push = 'push goes to the members who subscribed';

/** Where messages over Slack and push go, and that nobody has to be named. */
export function ownDestinationsText(channels: readonly ChannelType[]): string {
  const where = [...(channels.includes('slack') ? [slack] : []), ...(channels.includes('push') ? [push] : [])];
  return `No recipient is needed: ${where.join(', and ')}.`;
}

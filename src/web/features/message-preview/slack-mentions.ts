/** Whom a mention in Slack's notation pings (slack.com/help, "Use the @channel and @here mentions"). */
export function whomItPings(mention: string): string {
  switch (mention) {
    case '<!here>':
      return 'everybody in the channel who is online';
    case '<!channel>':
      return 'everybody in the channel, online or not';
    case '<!everyone>':
      return 'everybody in the Slack workspace, where the channel is its general one';
    default:
      return mention.startsWith('<@') ? `the person ${idIn(mention)}` : `the user group ${idIn(mention)}`;
  }
}

/** A mention as people type it; that of a person or a group has no other form. */
export const writtenMention = (mention: string): string => mention.replace(/^<!(here|channel|everyone)>$/, '@$1');

const idIn = (mention: string) => mention.replaceAll(/^<(?:@|!subteam\^)|>$/g, '');

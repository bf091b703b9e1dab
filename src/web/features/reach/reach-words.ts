import type { Reach, ReachCount, ReachSequence } from '#contract/reach.ts';
import { type ChannelType, channelTypes } from '#contract/channel-types.ts';
import { listed } from '#domain/in-words.ts';
import { dayInWords } from '#domain/day-in-words.ts';
import { addressLackingWords } from '#domain/reason-values.ts';
import { channelLooks } from '#web/ui/channel-looks.ts';

/** `188 get it`, `3 lack Amount`, `2 have no phone, reached by email`. */
export function countText(count: ReachCount): string {
  const { reached_by: otherwise } = count;
  if (otherwise === undefined) return shortText(count);
  const by = listed(otherwise.channels.map(inSentence), 'or');
  return areReachedOtherwise(count)
    ? `${shortText(count)}, reached by ${by}`
    : `${shortText(count)}, ${otherwise.people.toLocaleString('en')} of them reached by ${by}`;
}

/** Whether all of them get it, over another channel than the one that is counted. */
export const areReachedOtherwise = ({ people, reached_by: otherwise }: ReachCount): boolean =>
  people > 0 && otherwise?.people === people;

function shortText({ kind, of, people }: ReachCount): string {
  const number = people.toLocaleString('en');
  const isOne = people === 1;
  switch (kind) {
    case 'reached':
      return people === 0 ? 'Nobody gets it' : `${number} ${isOne ? 'gets' : 'get'} it`;
    case 'skipped':
      return `${number} ${isOne ? 'skips' : 'skip'} this one`;
    case 'paused':
      return `${number} paused`;
    case 'unsubscribed':
      return `${number} unsubscribed${from(of)}`;
    case 'suppressed':
      return `${number} suppressed${of === 'email' ? '' : ` for ${channelName(of)}`}`;
    case 'no_consent':
      return `${number} ${isOne ? 'has' : 'have'} not agreed to ${channelName(of)}`;
    case 'left_topic':
      return `${number} opted out of this${from(of) && ` for ${channelName(of)}`}`;
    case 'paused_by_recipient':
      return `${number} paused optional messages${from(of) && ` for ${channelName(of)}`}`;
    case 'never_in_hours':
      return `${number} ${isOne ? 'wants' : 'want'} messages at other hours${from(of) && ` by ${channelName(of)}`}`;
    case 'lacks_value':
      return `${number} ${isOne ? 'lacks' : 'lack'} ${of}`;
    case 'no_address':
      return `${number} ${isOne ? 'has' : 'have'} ${lackText(of)}`;
    case 'no_channel':
      return `${number} ${isOne ? 'needs' : 'need'} a channel for ${channelName(of)}`;
    case 'unfit':
      return `${number} ${isOne ? 'fits' : 'fit'} no channel`;
    case 'not_rendered':
      return `${number} cannot be filled in`;
    default:
      return kind satisfies never;
  }
}

/** Why a person of this kind is listed: `Unsubscribed from SMS`. */
export function factText({ kind, of }: Pick<ReachCount, 'kind' | 'of'>): string {
  switch (kind) {
    case 'reached':
      return 'Gets it';
    case 'skipped':
      return 'Skips this one';
    case 'paused':
      return of === null ? 'Reminders to them are paused' : `Reminders to them are paused until ${dayInWords(of)}`;
    case 'unsubscribed':
      return `Unsubscribed from ${channelName(of)}`;
    case 'suppressed':
      return `On the suppression list for ${channelName(of)}`;
    case 'no_consent':
      return `No consent to ${channelName(of)} is on record`;
    case 'left_topic':
      return `Opted out of this, or of all optional messages, for ${channelName(of)}`;
    case 'paused_by_recipient':
      return `Has paused optional messages for ${channelName(of)}`;
    case 'never_in_hours':
      return `Wants messages by ${channelName(of)} at hours that never meet the sending hours`;
    case 'lacks_value':
      return `Has no value for ${of}`;
    case 'no_address':
      return `Has ${lackText(of)}`;
    case 'no_channel':
      return `The workspace has no active channel for ${channelName(of)}`;
    case 'unfit':
      return 'Fits no chosen channel';
    case 'not_rendered':
      return 'The message cannot be filled in';
    default:
      return kind satisfies never;
  }
}

/** How many get it only because nobody can leave its topic. */
export const leftButRequiredText = (people: number): string =>
  people === 1
    ? '1 of them has left optional messages, and gets it because its topic is required.'
    : `${people.toLocaleString('en')} of them have left optional messages, and get it because its topic is required.`;

const mostSequences = 5;

/** Over which channels people are tried in order, and for whom none takes over; null where all channels send. */
export function sequencesText(sequences: readonly ReachSequence[]): string | null {
  const [first, ...others] = sequences;
  if (first === undefined) return null;
  if (others.length === 0 && first.channels.length > 1) return `In order: ${thenText(first)}.`;
  const parts = sequences
    .slice(0, mostSequences)
    .map((one) => `${one.people.toLocaleString('en')} by ${thenText(one)}${one.channels.length === 1 ? ' only' : ''}`);
  const more = sequences.length - mostSequences;
  const said = `${parts.join('; ')}${more > 0 ? ` and ${more} other orders` : ''}`;
  if (sequences.every(({ channels }) => channels.length === 1)) return `No channel takes over if one fails: ${said}.`;
  return sequences.every(({ channels }) => channels.length > 1)
    ? `In order: ${said}.`
    : `In order: ${said}. For those with one channel, none takes over if it fails.`;
}

const thenText = ({ channels }: Pick<ReachSequence, 'channels'>) => channels.map(inSentence).join(', then ');

const inSentence = (channel: ChannelType) =>
  channel === 'email' || channel === 'webhook' || channel === 'push' ? channel : channelLooks[channel].name;

/** The counts in one line. */
export const reachText = ({ counts }: Pick<Reach, 'counts'>): string => counts.map(countText).join(' · ');

export const reachesNobody = ({ counts }: Pick<Reach, 'counts'>): boolean => counts[0]?.people === 0;

const from = (of: string | null) => (of === 'email' ? '' : ` from ${channelName(of)}`);

const lackText = (of: string | null) => addressLackingWords[of === 'either' || of === 'phone' ? of : 'email'];

const isChannel = (text: string): text is ChannelType => channelTypes.some((type) => type === text);

const channelName = (of: string | null) => (of !== null && isChannel(of) ? channelLooks[of].name : (of ?? ''));

import type { ChannelType } from '#contract/channel-types.ts';
import type { ScheduleConfig } from '#contract/schedules.ts';
import type { Remark, Span } from './line.ts';
import type { Message } from './message.ts';
import type { NamedAudience } from './named-audience.ts';
import type { Person } from './recipients.ts';

/** An understood part of the text, with its meaning. */
export type Part = Span & { wording: string } & (
    | { kind: 'channel'; channel: ChannelType }
    | { kind: 'recipient'; recipient: string }
    | {
        kind: 'audience';
        audience: string;
        people: Person[];
        named: NamedAudience | null;
        /** Whether a problem explains why nobody is meant. */
        isExplained: boolean;
      }
    | { kind: 'rhythm' | 'date' | 'time' | 'zone' | 'start' | 'end' | 'event' | 'message' }
  );

export type Understood = {
  /**
   * Whether every word was understood or belongs to the message, and nothing about time is impossible. Only then is anything filled in: half a
   * schedule would be a wrong one.
   */
  isWhole: boolean;
  /** The understood parts, in the order of the text. */
  parts: Part[];
  channels: ChannelType[];
  /** Whether each channel is tried only if the one before fails. */
  isInOrder: boolean;
  /** The addresses, numbers and URLs in the text. People who are named are among the parts. */
  recipients: string[];
  /** The schedule; null when the line has none, or `isWhole` is false. */
  schedule: { config: ScheduleConfig; wording: string } | null;
  message: Message | null;
  /** Ambiguous parts, with the chosen meaning. */
  notes: Remark[];
  /** Impossible parts, and what to do about them. */
  problems: Remark[];
  /** Words that were not understood. */
  leftOver: (Span & { words: string })[];
};

import type { ChannelType } from '#contract/channel-types.ts';
import type { ScheduleConfig } from '#contract/schedules.ts';
import type { Remark, Span } from './line.ts';
import type { Message } from './message.ts';
import type { NamedAudience } from './named-audience.ts';
import type { Person } from './recipients.ts';

/** A part of the text that was understood, with its meaning. */
export type Part = Span & { wording: string } & (
    | { kind: 'channel'; channel: ChannelType }
    | { kind: 'recipient'; recipient: string }
    | {
        kind: 'audience';
        audience: string;
        people: Person[];
        named: NamedAudience | null;
        /** Whether a problem says why nobody is meant. */
        isExplained: boolean;
      }
    | { kind: 'rhythm' | 'date' | 'time' | 'zone' | 'start' | 'end' | 'event' | 'message' }
  );

export type Understood = {
  /**
   * Whether every word is understood or part of the message, and nothing about time is impossible. Only then may
   * anything be filled in: half a schedule is a wrong one.
   */
  isWhole: boolean;
  /** In the order of the text. */
  parts: Part[];
  channels: ChannelType[];
  /** The addresses, numbers and URLs in the text. People who are only named are among the parts. */
  recipients: string[];
  /** Null when the line names none, and when it is not whole. */
  schedule: { config: ScheduleConfig; wording: string } | null;
  message: Message | null;
  /** Ambiguous parts, and how they were read. */
  notes: Remark[];
  /** Impossible parts, and what to do about them. */
  problems: Remark[];
  /** Words that were not understood. */
  leftOver: (Span & { words: string })[];
};

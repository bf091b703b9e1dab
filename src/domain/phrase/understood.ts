import type { ChannelType } from '#contract/reminders.ts';
import type { ScheduleConfig } from '#contract/schedules.ts';
import type { Remark, Span } from './line.ts';
import type { Message } from './message.ts';
import type { Person } from './recipients.ts';

/** A piece of the text that was understood, and as what. */
export type Part = Span & { wording: string } & (
    | { kind: 'channel'; channel: ChannelType }
    | { kind: 'recipient'; recipient: string }
    | { kind: 'audience'; audience: string; people: Person[] }
    | { kind: 'rhythm' | 'date' | 'time' | 'zone' | 'start' | 'end' | 'event' | 'message' }
  );

export type Understood = {
  /** In the order of the text. */
  parts: Part[];
  channels: ChannelType[];
  /** The addresses, numbers and URLs that are written there; who is only named is among the parts. */
  recipients: string[];
  schedule: { config: ScheduleConfig; wording: string } | null;
  message: Message | null;
  /** What could have been meant otherwise, and how it was read. */
  notes: Remark[];
  /** What cannot be, and what to do about it. */
  problems: Remark[];
  /** Words that nothing was made of. */
  leftOver: (Span & { words: string })[];
};

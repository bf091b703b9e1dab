import type { Topic } from '#contract/topics.ts';
import { counted } from '#domain/in-words.ts';

type Kind = Pick<Topic, 'kind' | 'why'>;

/** Whether people can leave a topic, and why not: `Required by law`. */
export const kindText = ({ why }: Kind): string => (why === null ? 'Optional' : reasonWords[why].kind);

/** For each reason for which people cannot leave a topic: what it is called, and what a topic with it is. */
export const reasonWords = {
  contract: { label: 'A contract with them', kind: 'Required by contract' },
  law: { label: 'The law', kind: 'Required by law' },
  safety: { label: 'Their safety', kind: 'Required for safety' },
} as const satisfies Record<NonNullable<Topic['why']>, { label: string; kind: string }>;

/** `12 reminders · 3 have left it`. */
export const usesText = ({ kind, reminders, left }: Topic): string =>
  `${counted(reminders, 'reminder')} · ${kind === 'required' ? 'nobody can leave it' : leftText(left)}`;

const leftText = (left: number) =>
  left === 0 ? 'nobody has left it' : `${left.toLocaleString('en')} ${left === 1 ? 'has' : 'have'} left it`;

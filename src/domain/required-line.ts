import type { TopicReason } from '#contract/topics.ts';

/** The line of a mail that cannot be left: who sends it, and why. */
export function requiredLine({ company, why }: { company: string; why: TopicReason }): string {
  const sender = company.trim() === '' ? 'The sender' : company.trim();
  return `${sender} sends you this ${because[why]}.`;
}

const because: Record<TopicReason, string> = {
  contract: 'because of a contract with you',
  law: 'because the law requires it',
  safety: 'for your safety',
};

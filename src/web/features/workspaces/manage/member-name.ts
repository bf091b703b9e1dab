import type { Member } from '#contract/members.ts';

export const memberName = ({ full_name: name }: Pick<Member, 'full_name'>): string => name || 'Unknown';

/** Why an occurrence was not sent at its time. Each person chooses which of these they get mails about. */
export const noticeKinds = ['missed', 'over_plan'] as const;
export type NoticeKind = (typeof noticeKinds)[number];

/** What could not be sent; each person chooses which of these they are mailed about. */
export const noticeKinds = ['missed', 'over_plan'] as const;
export type NoticeKind = (typeof noticeKinds)[number];

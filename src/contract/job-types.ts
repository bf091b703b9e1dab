export const jobTypes = ['reminder', 'event_reminder', 'test_reminder', 'api_notification'] as const;
export type JobType = (typeof jobTypes)[number];

export const jobTypes = [
  'reminder',
  'event_reminder',
  'test_reminder',
  'api_notification',
  'preferences_link',
] as const;
export type JobType = (typeof jobTypes)[number];

/** What neither figures nor plans count: a test, and a link to their preferences that a recipient asked for. */
export const uncountedTypes = ['test_reminder', 'preferences_link'] as const satisfies readonly JobType[];

export const isCounted = (type: JobType): boolean => !uncountedTypes.some((uncounted) => uncounted === type);

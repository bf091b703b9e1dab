/**
 * How occurrences are handled that were missed while the service was down: `latest` (the default) sends the newest, `skip` none, `all`
 * each of them, at most 100.
 */
export const misfirePolicies = ['latest', 'skip', 'all'] as const;
export type MisfirePolicy = (typeof misfirePolicies)[number];

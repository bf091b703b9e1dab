/** The first day of the instant's month in UTC, the key of the monthly usage. */
export const monthOf = (now: Temporal.Instant) => `${now.toString().slice(0, 7)}-01`;

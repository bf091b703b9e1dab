/** The first day of the instant's month in UTC, as the usage counts. */
export const monthOf = (now: Temporal.Instant) => `${now.toString().slice(0, 7)}-01`;

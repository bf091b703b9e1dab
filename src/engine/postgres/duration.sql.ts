/**
 * SQL of a run's milliseconds between two non-null instants, limited to what an integer holds: after a correction of the clock, the batch must not be
 * refused.
 */
export const durationMs = ({ from, to }: { from: string; to: string }) =>
  `least(greatest(extract(epoch from ${to} - ${from}) * 1000, -2147483648), 2147483647)::integer`;

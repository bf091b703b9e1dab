/**
 * The milliseconds of a run, as many as their column has room for: a clock that is corrected meanwhile must not refuse the
 * batch. SQL of two instants, neither of them null, and of an integer.
 */
export const durationMs = ({ from, to }: { from: string; to: string }) =>
  `least(greatest(extract(epoch from ${to} - ${from}) * 1000, -2147483648), 2147483647)::integer`;

import { z } from 'zod';
import { channelTypes } from '#contract/channel-types.ts';

/**
 * What a code is about: `missing_value` has `name`, that of the value, and `person_paused` has `until`, the day on which the pause ends. Where channels are tried
 * in order, a failure has `next`, the channel over which the message continues.
 */
export const ReasonParams = z.union([
  z.object({ name: z.string() }),
  z.object({ until: z.iso.date() }),
  z.object({ next: z.enum(channelTypes) }),
]);
export type ReasonParams = z.output<typeof ReasonParams>;

/** The parameters of a row's code, or null. Those that only a newer version knows are read as null. */
export const ParamsOfRow = z.preprocess(
  (params: ReasonParams | null) => ReasonParams.safeParse(params).data ?? null,
  ReasonParams.nullable(),
);

import { z } from 'zod';
import { channelTypes } from '#contract/channel-types.ts';

/**
 * What a code is about: `missing_value` has `name`, that of the value, `person_paused` has `until`, the day on which the pause ends, and `no_address` has `lacks`,
 * what the person has not: an email address, a phone number, or either. Where channels are tried in order, a failure has `next`, the channel over which the
 * message continues. Somebody whom a message that nobody can leave does not reach, because the suppression list forbids what is left, has `required`.
 */
export const ReasonParams = z.union([
  z.object({ name: z.string() }),
  z.object({ until: z.iso.date() }),
  z.object({ lacks: z.enum(['email', 'phone', 'either']) }),
  z.object({ next: z.enum(channelTypes) }),
  z.object({ required: z.literal(true) }),
]);
export type ReasonParams = z.output<typeof ReasonParams>;

/** The parameters of a row's code, or null. Those that only a newer version knows are read as null. */
export const ParamsOfRow = z.preprocess(
  (params: ReasonParams | null) => ReasonParams.safeParse(params).data ?? null,
  ReasonParams.nullable(),
);

import { z } from 'zod';

/** What a code is about: `missing_value` has `name`, that of the value, and `person_paused` has `until`, the day on which the pause ends. */
export const ReasonParams = z.union([z.object({ name: z.string() }), z.object({ until: z.iso.date() })]);
export type ReasonParams = z.output<typeof ReasonParams>;

/** The parameters of a row's code, or null. Those that only a newer version knows are read as null. */
export const ParamsOfRow = z.preprocess(
  (params: ReasonParams | null) => ReasonParams.safeParse(params).data ?? null,
  ReasonParams.nullable(),
);

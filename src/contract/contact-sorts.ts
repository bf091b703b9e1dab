/** The orders of a list of contacts; a `-` reverses one. `created` is when they were added. */
export const contactSorts = [
  'name',
  '-name',
  'last_name',
  '-last_name',
  'language',
  '-language',
  'created',
  '-created',
] as const;
export type ContactSort = (typeof contactSorts)[number];

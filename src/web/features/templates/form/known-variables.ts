import { personVariables } from '#domain/variables.ts';

/** The variables that every message can use without a value of their own. */
export const knownVariables: readonly string[] = [
  'recipient_name',
  'recipient_email',
  ...personVariables,
  'current_date',
  'current_month',
  'current_year',
  'company_name',
];

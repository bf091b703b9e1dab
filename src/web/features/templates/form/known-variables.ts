/** The variables that every message can use without a value of their own. */
export const knownVariables: readonly string[] = [
  'recipient_name',
  'recipient_email',
  'first_name',
  'last_name',
  'salutation',
  'current_date',
  'current_month',
  'current_year',
  'company_name',
];

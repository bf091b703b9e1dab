/** What every message can name without being told its value. */
export const knownVariables: readonly string[] = [
  'recipient_name',
  'recipient_email',
  'current_date',
  'current_month',
  'current_year',
  'company_name',
];

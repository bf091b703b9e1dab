import type { Analytics } from '#contract/analytics.ts';

/** A percentage with one decimal, such as `99.9%`. */
export const rateText = (rate: number): string => `${rate.toFixed(1)}%`;

/** Of what the success rate is a share. */
export function peopleText({ reached, missed }: Analytics['people']): string {
  const due = reached + missed;
  if (due === 0) return 'nobody was written to yet';
  return `${reached.toLocaleString('en')} of ${due.toLocaleString('en')} ${due === 1 ? 'person' : 'people'} reached`;
}

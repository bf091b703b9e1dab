import type { JobExecution } from '#contract/executions.ts';
import type { ReasonParams } from '#contract/reason-params.ts';
import type { JobStatus, PeopleCounts, RecipientCounts } from '#contract/job-states.ts';
import { addressLackingIn, addressLackingWords, isUnreachedIn, missingNameIn } from '#domain/reason-values.ts';
import { capitalized, counted } from '#domain/in-words.ts';

/** What of a job tells how it went. `people` and `recipients` are null where they are not counted. */
export type Run = { status: JobStatus; people: PeopleCounts | null; recipients: RecipientCounts | null };

/** Whether a run that failed reached somebody: it is partly sent. */
export const isPartlySent = ({ status, people, recipients }: Run): boolean =>
  status === 'failed' && (people?.reached ?? recipients?.sent ?? 0) > 0;

/** Whether an execution that failed had reached somebody by its end, as its logs say. */
export const isPartlySentExecution = ({ status, logs }: Pick<JobExecution, 'status' | 'logs'>): boolean =>
  status === 'failed' && [logs.accepted, logs.delivered].some(isSome);

/** Whether an execution ended without an attempt and had nobody to send to: its job is cancelled. */
export const isCancelledExecution = ({ status, logs }: Pick<JobExecution, 'status' | 'logs'>): boolean =>
  status === 'failed' &&
  isSome(logs.skipped) &&
  ![logs.accepted, logs.delivered, logs.failed, logs.unknown].some(isSome);

const isSome = (count: unknown) => typeof count === 'number' && count > 0;

export const partlySent = 'Partly sent';

const figure = (count: number) => count.toLocaleString('en');

/** `173 of 184 people`. */
export const reachedText = ({ reached, total }: PeopleCounts): string =>
  `${figure(reached)} of ${counted(total, 'person', 'people')}`;

/** How many people a run that has ended did not reach, of those who were to get it. */
export const missedOf = ({ failed, skipped }: PeopleCounts): number => failed + skipped;

/** Whether a run is completed, and yet somebody who was to get it got nothing: they have no address, or are suppressed. */
export const hasMissedSomebody = ({ status, people }: Run): boolean =>
  status === 'completed' && people !== null && missedOf(people) > 0;

/** Whom a run has not reached: `11 lack Street`, `7 have no phone`, `1 failed`, `2 waiting`; and last who was not to get it: `1 left out`. Of a missing value or address which it is, of other reasons how many there are. */
export function unreachedTexts({ failed, skipped, waiting, excluded, unreached }: PeopleCounts): string[] {
  const left = { failed, skipped };
  const texts: string[] = [];
  for (const { outcome, reason_params: params, people } of unreached) {
    const text = lackText(params, people);
    if (text === null) continue;
    left[outcome] -= people;
    texts.push(`${figure(people)} ${text}`);
  }
  if (left.failed > 0) texts.push(`${figure(left.failed)} failed`);
  if (waiting > 0) texts.push(`${figure(waiting)} waiting`);
  if (left.skipped > 0) texts.push(`${figure(left.skipped)} skipped`);
  if (excluded > 0) texts.push(`${figure(excluded)} left out`);
  return texts;
}

function lackText(params: ReasonParams | null, people: number): string | null {
  const name = missingNameIn(params);
  if (name !== null) return `${people === 1 ? 'lacks' : 'lack'} ${valueLabel(name)}`;
  if (isUnreachedIn(params)) return 'cannot be reached';
  const lacking = addressLackingIn(params);
  return lacking === null ? null : `${people === 1 ? 'has' : 'have'} ${addressLackingWords[lacking]}`;
}

/** `monthly_rent` as people read it, `Monthly rent`; a name that is not made of words stays as it is. */
const valueLabel = (name: string): string =>
  /^[a-z]{2,40}(?:_[a-z]{2,40}){0,9}$/.test(name) ? capitalized(name.replaceAll('_', ' ')) : name;

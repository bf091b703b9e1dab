import type { Event } from '#simulation/history.ts';
import type { JobView } from '#simulation/people.ts';
import type { Simulated } from '#simulation/simulate.ts';
import { isoOf, type Rows } from '#simulation/tables.ts';

/** All events, line by line, with the final state: for a person who debugs a seed. */
export function traceOf({ scenario, events, rows, faults }: Simulated): string {
  const { limits, workers, faultRate, workerFaults, gaps } = scenario;
  return [
    `seed ${scenario.seed}: ${workers} workers, ${limits.slots} slots, ${limits.perDestination} per destination, fault rate ${faultRate}`,
    `worker faults ${JSON.stringify(workerFaults)}, ${gaps.length} gaps`,
    ...events.map((event) => `${clockOf(event.atMs)} ${wordsOf(event)}`),
    'Final state:',
    ...rows.jobs.map((job) => `  ${jobLine(job)}`),
    ...rows.claims.map(
      (claim) => `  claim ${short(claim.id)} of ${claim.job_ids.join(', ')}, until ${claim.lease_until}`,
    ),
    ...faults.map((fault) => `FAULT: ${fault}`),
  ].join('\n');

  function jobLine(job: Rows['jobs'][number]): string {
    const lines = rows.deliveries
      .filter((row) => row.job_id === job.id)
      .map((row) => `${row.channel} ${row.recipient} ${row.status} ${row.attempts}/${row.unknowns}`);
    const reported = job.error_message === null ? '' : ` "${job.error_message}"`;
    return `${job.id} ${job.name} ${job.scheduled_for} ${job.status}${reported} run_at ${job.run_at} [${lines.join('; ')}]`;
  }
}

const clockOf = (ms: number) => isoOf(Temporal.Instant.fromEpochMilliseconds(ms)).slice(11, 23);

/** The end of a random id. */
const short = (id: string) => id.slice(-4);

function wordsOf(event: Event): string {
  switch (event.kind) {
    case 'act': {
      const { before, after, answer } = event.done;
      const outcome = answer.kind === 'done' ? changesBetween(before, after) : `refused: ${answer.code}`;
      return `people: ${JSON.stringify(event.act, hideLong)} -> ${outcome}`;
    }
    case 'claim': {
      const jobs = event.claim.started.map(({ run, begun }) => {
        const refusal = run.lastSkip === null ? '' : ` (${run.lastSkip.reason})`;
        return `${run.job.id}#${run.job.attempts}${refusal} begins ${begun.map(({ recipient }) => recipient).join(' ')}`;
      });
      const next = event.claim.nextOccurrences.map(({ at }) => at).join(' ');
      return `${heading(event)} claim ${short(event.claim.id)}: ${jobs.join('; ')}${next === '' ? '' : `; schedules ${next}`}`;
    }
    case 'begin':
      return `${heading(event)} begins of ${event.job.id} (${short(event.job.claimId)}): ${event.begun.map((one) => `${one.recipient}#${one.attempts}`).join(' ')}`;
    case 'owned':
      return `${heading(event)} still owns (${short(event.claimId)}): ${[...event.jobIds].join(' ')}`;
    case 'record': {
      const outcomes = event.batch.outcomes.map(
        ({ job, delivery, settled }) =>
          `${job.id} ${delivery.recipient}#${delivery.attempts} ${settled.status}${settled.isUnknown ? ' unknown' : ''}`,
      );
      const ends = event.batch.finishes.map((one) => `${one.jobId} ${one.status} (${short(one.claimId)})`);
      return `${heading(event)} records ${[...outcomes, ...ends, ...event.batch.endedClaims.map((id) => `ends ${short(id)}`)].join('; ')}`;
    }
    case 'rescue': {
      const lost = event.lost.map(
        ({ attempt, settled }) => `${attempt.job_id} ${attempt.recipient}#${attempt.attempts} ${settled.status}`,
      );
      return `${heading(event)} rescues ${event.jobs} jobs: ${lost.join('; ')}`;
    }
    case 'schedule':
      return `${heading(event)} schedules ${event.nextOccurrences.map(({ name, at }) => `${name} ${at}`).join(' ')}`;
    case 'request':
      return `${event.worker} sends ${event.request.recipient}#${event.request.attempt} (${short(event.request.deliveryId)}): ${event.result.mode}${event.result.isAccepted ? ', accepted' : ''}`;
    case 'worker':
    case 'log':
      return `${event.worker} ${event.what}`;
    case 'gap':
      return event.what;
    default:
      return event satisfies never;
  }
}

function heading({ call }: Extract<Event, { call: unknown }>): string {
  return `${call.worker}${call.answered === null ? ' (unheard)' : ''}`;
}

const hideLong = (key: string, value: unknown) => (key === 'workspaceId' || key === 'metadata' ? undefined : value);

function changesBetween(before: readonly JobView[], after: readonly JobView[]): string {
  const known = new Map(before.map((job) => [job.id, say(job)]));
  const changed = after.filter((job) => known.get(job.id) !== say(job)).map((job) => `${job.id} ${say(job)}`);
  const gone = before.filter(({ id }) => !after.some((job) => job.id === id)).map(({ id }) => `${id} is gone`);
  return [...changed, ...gone].join(', ') || 'no job changes';
}

const say = (job: JobView) =>
  `${job.status}${job.stop_reason === null ? '' : ` (stop requested: ${job.stop_reason})`} ${job.scheduled_for.slice(5, 16)}`;

import type { Kysely } from 'kysely';
import type { PeopleCounts } from '#contract/job-states.ts';
import { monthlyReportLimits } from '#contract/monthly-reports.ts';
import { addPeople } from '#domain/people-sum.ts';
import * as rows from '#features/monthly-reports/month-summary.db.ts';
import { inTenant } from '#platform/database.ts';
import type { Schema } from '#platform/schema.ts';

export type MonthSummary = {
  /** The name of the reminder or group; null for the whole workspace. */
  about: string | null;
  /** How many runs had people. */
  runs: number;
  /** The first of them. */
  first: rows.SummarizedRun[];
  /** All runs together: people are counted once in each. */
  people: PeopleCounts;
};

/** Few, because all of a page are one statement, which is ended after half a minute: a run of 10,000 people takes half a second where much else runs. */
const runsAtOnce = 10;

/** What was sent in a month: read page by page, each in its own transaction, so that a large month blocks nobody. */
export async function summarizeMonth(db: Kysely<Schema>, of: rows.SummaryOf): Promise<MonthSummary> {
  const read = <T>(work: Parameters<typeof inTenant<T>>[2]) =>
    inTenant(db, { workspaceId: of.workspaceId, userId: null, isReadOnly: true }, work);
  const { groupId } = of;
  const about = await read((tx) => rows.findAbout(tx, of));
  const among =
    groupId === null ? null : await read((tx) => rows.findPeopleOfGroup(tx, { workspaceId: of.workspaceId, groupId }));
  const first: rows.SummarizedRun[] = [];
  let people: PeopleCounts = { total: 0, reached: 0, waiting: 0, failed: 0, skipped: 0, excluded: 0, unreached: [] };
  let count = 0;
  let after: { scheduled_for: string; id: string } | null = null;
  do {
    const from: typeof after = after;
    const page: Awaited<ReturnType<typeof rows.findCountedRuns>> = await read((tx) =>
      rows.findCountedRuns(tx, { ...of, among, after: from, limit: runsAtOnce }),
    );
    for (const run of page.runs) {
      people = addPeople(people, run.people);
      if (first.length < monthlyReportLimits.runs) first.push(run);
    }
    count += page.runs.length;
    after = page.last;
  } while (after !== null);
  return { about, runs: count, first, people };
}

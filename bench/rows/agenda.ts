import { Client } from 'pg';
import { migrate } from '../../src/platform/migrate.ts';
import { askOnce } from '../api/requests.ts';
import { type Session, signUp } from '../api/session.ts';
import type { BenchContext } from '../context.ts';
import { startProduct } from '../product.ts';
import { type Findings, median, percentile, plainRow } from '../report.ts';
import { writeAgenda } from '../seeds/agenda.ts';
import { encryptionKey } from '../seeds/workspace.ts';

const reminders = 600;
const messages = 15_000;
const rounds = 25;
const warmUps = 5;

/** How long the agenda of 50,000 messages takes at the server: the month, the list of days, one day, and what one person gets. */
export async function agenda(context: BenchContext): Promise<Findings> {
  return context.inDatabase({}, async (databaseUrl) => {
    await migrate(databaseUrl, { encryptionKey });
    const owner = new Client({ connectionString: databaseUrl });
    await owner.connect();
    const product = await startProduct(databaseUrl);
    try {
      const session = await signUp(product.url);
      const person = await writeAgenda(owner, { workspaceId: session.workspaceId, reminders, messages });
      return await measure(product.url, { session, person });
    } finally {
      await product.kill();
      await owner.end();
    }
  });
}

async function measure(url: string, { session, person }: { session: Session; person: string }): Promise<Findings> {
  const zone = 'timezone=Europe/Berlin';
  const month = `/api/agenda?${zone}&entries=0`;
  const { data, is_complete: isComplete }: Agenda = JSON.parse(await askOnce(url, { ...session, path: month }));
  const counted = data.reduce((sum, { occurrences }) => sum + occurrences, 0);
  const day = data[20]?.day ?? '';
  const took: Record<string, number[]> = {};
  const paths = {
    month,
    days: `/api/agenda?${zone}`,
    'one day': `/api/agenda/entries?${zone}&day=${day}&limit=100`,
    'one person': `/api/agenda?${zone}&contact=${person}`,
  };
  // In turn, so that a slow moment of the machine falls on all of them.
  for (let round = 0; round < rounds; round += 1)
    for (const [name, path] of Object.entries(paths)) {
      const askedAt = performance.now();
      await askOnce(url, { ...session, path });
      if (round >= warmUps) (took[name] ??= []).push(performance.now() - askedAt);
    }
  const rows = Object.entries(took).flatMap(([name, ms]) => [
    {
      ...plainRow(`agenda of ${counted}, ${name}, median`, Math.round(median(ms)), 'ms'),
      goal: name === 'month' ? { is: 'below' as const, bound: 300 } : null,
    },
    plainRow(`agenda of ${counted}, ${name}, p95`, Math.round(percentile(ms, 95)), 'ms'),
  ]);
  const problems = isComplete ? [] : [`The agenda of ${counted} is not complete`];
  return { rows, problems, text: `${counted} messages of ${reminders} reminders and ${messages} of the API` };
}

type Agenda = { data: { day: string; occurrences: number }[]; is_complete: boolean };

import { Client } from 'pg';
import { parseArgs } from 'node:util';
import { buildWebIfStale } from '../scripts/web-build.ts';
import { migrate } from '../src/platform/migrate.ts';
import { launchBrowser } from '../src/testing/browser.ts';
import { signUp } from './api/session.ts';
import { openBenchContext } from './context.ts';
import { startProduct } from './product.ts';
import { isMet, jsonLine, machineText, median, type Row, tableText } from './report.ts';
import { encryptionKey } from './seeds/workspace.ts';
import { type LargeRun, writeLargeRun } from './seeds/large-run.ts';
import { writeWorkday } from './seeds/workday.ts';
import { firstContentMs, interactionsOf, newcomer, type Visited } from './web/visits.ts';

const { values: options } = parseArgs({
  options: {
    reminders: { type: 'string', default: '10000' },
    jobs: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '5' },
    json: { type: 'boolean', default: false },
  },
});
const [reminders, jobs, rounds] = [options.reminders, options.jobs, options.rounds].map(Number);

const screensOf = ({ reminderId, jobId, contactId }: LargeRun) => [
  { name: 'dashboard', path: '/dashboard', content: { text: 'Rent of' } },
  { name: 'reminders', path: '/reminders', content: { text: 'Rent of' } },
  { name: 'jobs', path: '/jobs', content: { text: 'Rent of' } },
  { name: 'a run of 10,000 people', path: `/jobs?job=${jobId}`, content: { text: 'Tenant', within: '[role=dialog]' } },
  {
    name: 'the page of a reminder to 10,000 people',
    path: `/reminders/${reminderId}`,
    content: { text: 'To all tenants' },
  },
  { name: 'the page of one of 10,000 contacts', path: `/contacts/${contactId}`, content: { text: 'Tenant 1' } },
  { name: 'the groups of 10,000 contacts', path: '/contacts?tab=groups', content: { text: '10,000 people' } },
];

/** How soon a user with many reminders and jobs sees the first of them, and how soon the page reacts to input. */
async function measure(visited: Visited, largeRun: LargeRun): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { name, path, content } of screensOf(largeRun)) {
    const times: number[] = [];
    for (let round = 0; round < (rounds ?? 1); round += 1) {
      const context = await newcomer(visited);
      times.push(await firstContentMs(await context.newPage(), { path, content }));
      await context.close();
    }
    const goal = name === 'dashboard' ? null : ({ is: 'below', bound: 1_000 } as const);
    rows.push(row(`first content of ${name}, nothing cached`, Math.round(median(times)), goal));
  }
  const context = await newcomer(visited);
  const page = await context.newPage();
  const below = { is: 'below', bound: 200 } as const;
  await firstContentMs(page, { path: '/reminders', content: { text: 'Rent of' } });
  const onReminders = await interactionsOf(page, async () => {
    await page.getByRole('searchbox').pressSequentially('flat 77', { delay: 60 });
    await page.getByText('flat 77', { exact: false }).first().waitFor();
    await page.getByRole('searchbox').press('Control+a');
    await page.getByRole('searchbox').press('Delete');
    await page
      .getByText('flat 2,', { exact: false })
      .or(page.getByText(/flat 2$/))
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Load more' }).click();
    await page
      .getByText(/flat 40$/)
      .first()
      .waitFor();
  });
  rows.push(row('interaction to next paint, reminders: searching, next page', Math.max(...onReminders), below));
  await firstContentMs(page, { path: '/jobs', content: { text: 'Rent of' } });
  const onJobs = await interactionsOf(page, async () => {
    for (const counter of ['Failed', 'Pending', 'Completed', 'Total']) {
      await page.getByRole('group', { name: 'Filter jobs by status' }).getByRole('button', { name: counter }).click();
      await page
        .getByRole('link', { name: /^Rent of/ })
        .first()
        .waitFor();
    }
    await page.getByRole('button', { name: 'Load more' }).click();
    await page
      .getByText(/^100 of|100 of/)
      .first()
      .waitFor();
    await page
      .getByRole('link', { name: /^Rent of/ })
      .first()
      .click();
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
  });
  rows.push(row('interaction to next paint, jobs: counters, next page, details', Math.max(...onJobs), below));
  await context.close();
  return rows;
}

const row = (name: string, value: number, goal: Row['goal']): Row => ({
  name,
  value,
  unit: 'ms',
  against: null,
  ratio: null,
  goal,
});

async function bench(): Promise<number> {
  await buildWebIfStale((line) => console.error(line));
  const context = await openBenchContext({ sizes: { n: 0, future: 0, rounds: 1 }, say: (line) => console.error(line) });
  const browser = await launchBrowser();
  try {
    return await context.inDatabase({}, async (databaseUrl) => {
      await migrate(databaseUrl, { encryptionKey });
      const product = await startProduct(databaseUrl);
      const owner = new Client({ connectionString: databaseUrl });
      await owner.connect();
      try {
        const session = await signUp(product.url);
        await writeWorkday(owner, { workspaceId: session.workspaceId, reminders: reminders ?? 1, jobs: jobs ?? 1 });
        const largeRun = await writeLargeRun(owner, { workspaceId: session.workspaceId, people: 10_000 });
        const rows = await measure({ browser, url: product.url, session }, largeRun);
        if (options.json) for (const one of rows) console.log(jsonLine(one));
        else
          console.log(
            `${await machineText(context.ownerUrl)}\n${reminders} reminders, ${jobs} jobs\n\n${tableText(rows)}`,
          );
        return rows.every((one) => isMet(one) !== false) ? 0 : 1;
      } finally {
        await owner.end();
        await product.kill();
      }
    });
  } finally {
    await browser.close();
    await context.close();
  }
}

process.exitCode = await bench();

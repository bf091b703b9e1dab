import { Client } from 'pg';
import { parseArgs } from 'node:util';
import { buildWebIfStale } from '../scripts/web-build.ts';
import { migrate } from '../src/platform/migrate.ts';
import { launchBrowser } from '../src/testing/browser.ts';
import { largeSize, writeInstallation } from '../src/testing/large-installation.ts';
import { signUp } from './api/session.ts';
import { openBenchContext } from './context.ts';
import { startProduct } from './product.ts';
import { isMet, jsonLine, machineText, median, type Row, tableText } from './report.ts';
import { encryptionKey } from './seeds/workspace.ts';
import { type LargeRun, writeLargeRun } from './seeds/large-run.ts';
import { writeWorkday } from './seeds/workday.ts';
import { type Content, firstContentMs, interactionsOf, newcomer, type Visited } from './web/visits.ts';

const { values: options } = parseArgs({
  options: {
    reminders: { type: 'string', default: '10000' },
    jobs: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '5' },
    console: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});
const [reminders, jobs, rounds] = [options.reminders, options.jobs, options.rounds].map(Number);

type Screen = { name: string; path: string; content: Content; isWithoutGoal?: boolean };

const workspaceScreens = ({ reminderId, jobId, contactId }: LargeRun): Screen[] => [
  { name: 'dashboard', path: '/dashboard', content: { text: 'Rent of' }, isWithoutGoal: true },
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

/** Every tab of the console, and the analytics of the workspace that has the most jobs. */
function consoleScreens(largest: string): Screen[] {
  const analytics = `/admin/workspace/${largest}/analytics`;
  const year = `from=${dayAgo(364)}&to=${dayAgo(0)}`;
  return [
    { name: 'users', path: '/admin', content: { text: '@example.org' } },
    { name: 'users, a rare name', path: '/admin?search=person4711', content: { text: 'person4711@' } },
    { name: 'workspaces', path: '/admin?tab=workspaces', content: { text: 'Office 1' } },
    { name: 'analytics', path: '/admin?tab=analytics', content: { text: 'New Workspaces' } },
    { name: 'system', path: '/admin?tab=system', content: { text: 'Processes' } },
    { name: 'logs', path: '/admin?tab=logs', content: { text: 'Rent of' } },
    { name: 'settings', path: '/admin?tab=settings', content: { text: 'Maintenance' } },
    { name: 'workspace analytics', path: analytics, content: { text: 'Job status' } },
    { name: 'deliveries of 30 days', path: `${analytics}?tab=deliveries`, content: { text: 'Reasons of failure' } },
    {
      name: 'deliveries of a year',
      path: `${analytics}?tab=deliveries&${year}`,
      content: { text: 'Reasons of failure' },
    },
  ];
}

const dayAgo = (days: number) => Temporal.Now.plainDateISO().subtract({ days }).toString();

/** How soon somebody sees the content of each screen. */
async function measureFirstContent(visited: Visited, screens: readonly Screen[]): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { name, path, content, isWithoutGoal } of screens) {
    const times: number[] = [];
    for (let round = 0; round < (rounds ?? 1); round += 1) {
      const context = await newcomer(visited);
      times.push(await firstContentMs(await context.newPage(), { path, content }));
      await context.close();
    }
    const goal = isWithoutGoal === true ? null : ({ is: 'below', bound: 1_000 } as const);
    rows.push(row(`first content of ${name}, nothing cached`, Math.round(median(times)), goal));
  }
  return rows;
}

/** How soon the page of a user with many reminders and jobs reacts to input. */
async function measureInteractions(visited: Visited): Promise<Row[]> {
  const rows: Row[] = [];
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

async function benchWorkspace(owner: Client, visited: Visited): Promise<Row[]> {
  const { workspaceId } = visited.session;
  await writeWorkday(owner, { workspaceId, reminders: reminders ?? 1, jobs: jobs ?? 1 });
  const largeRun = await writeLargeRun(owner, { workspaceId, people: 10_000 });
  return [...(await measureFirstContent(visited, workspaceScreens(largeRun))), ...(await measureInteractions(visited))];
}

/** The only person who is signed in administers the installation, and its largest workspace. */
async function benchConsole(owner: Client, visited: Visited): Promise<Row[]> {
  const largest = await writeInstallation(owner, largeSize);
  const { workspaceId } = visited.session;
  await owner.query(
    "insert into workspace_members (workspace_id, user_id, role) select $1, user_id, 'admin' from workspace_members where workspace_id = $2",
    [largest, workspaceId],
  );
  await owner.query(
    'update profiles set is_system_admin = true where id in (select user_id from workspace_members where workspace_id = $1)',
    [workspaceId],
  );
  return measureFirstContent(visited, consoleScreens(largest));
}

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
        const visited = { browser, url: product.url, session };
        const rows = await (options.console ? benchConsole : benchWorkspace)(owner, visited);
        if (options.json) for (const one of rows) console.log(jsonLine(one));
        else console.log(`${await machineText(context.ownerUrl)}\n\n${tableText(rows)}`);
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

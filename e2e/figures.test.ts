import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestCuebird, type TestCuebird } from '#testing/cuebird.ts';
import {
  counted,
  inState,
  insertJobs,
  isArchived,
  isTest,
  jobs,
  seedInstallation,
  sum,
} from '#testing/installation.ts';
import { type Lease, openOwnPage } from './pages.ts';
import { cookiesOf } from './screens.fixture.ts';

/** The jobs of the first workspace stand there three times: of today, of 20 and of 60 days ago. */
const batches = [0, 20, 60];
const ofStatus = (status: string) => counted((job) => !isTest(job) && job.status === status);
const [completed, failed, cancelled, paused] = ['completed', 'failed', 'cancelled', 'paused'].map(ofStatus) as [
  number,
  number,
  number,
  number,
];
const ran = completed + failed;
const everyJob = counted((job) => !isTest(job));
const archived = counted(isArchived);
const people = { reached: 2, failed: 1, skipped: 1 };
const all = sum(Object.values(people));
const states = ['active', 'paused', 'draft', 'done'];
const today = Temporal.Now.plainDateISO('UTC');
const dayText = (daysAgo: number) =>
  today.subtract({ days: daysAgo }).toLocaleString('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
const times = (count: number, text: string) => Array.from({ length: count }, () => text);
const percent = (part: number, whole: number) => `${(Math.floor((1_000 * part) / whole) / 10).toFixed(1)}%`;

const daily = Array.from({ length: 60 }, (_, days) =>
  today.add({ days }).toZonedDateTime({ timeZone: 'UTC', plainTime: '09:00' }),
);
const occurrences = daily.filter((at) => at.epochMilliseconds > Date.now()).length;

/** Each figure of a screen, with the words beside it: one that is shown and not listed, or listed and not shown, is a difference. */
type Screen = { path: string; as?: 'ann'; figures: string[] };

const runText = `${people.reached} of ${all} people · ${people.failed} failed · ${people.skipped} skipped`;
const jobCards = [
  `Total ${3 * (everyJob - archived) + 1}`,
  'Pending 1',
  'Running 0',
  `Completed ${3 * (completed - archived)}`,
  `Failed ${3 * failed}`,
  `The total includes ${3 * paused} paused and ${3 * cancelled} cancelled`,
];
const summary = [
  'Total Templates 2',
  `Active Reminders ${inState('active')}`,
  `Success Rate ${percent(people.reached, all)}`,
  `${3 * ran * people.reached} of ${3 * ran * all} people reached`,
  'Active Members 2',
];
const overviewOfWorkspace = [
  ...summary,
  'Pending 1',
  'Running 0',
  `Completed ${3 * completed}`,
  `Failed ${3 * failed}`,
  `Cancelled ${3 * cancelled}`,
  `Paused ${3 * paused}`,
  `Reminders ${sum(states.map(inState))}`,
  'Templates 2',
  'Contacts 4',
  'Channels 0',
];

function screensOf(elm: string): Screen[] {
  const analytics = (search: string) => `/admin/workspace/${elm}/analytics${search}`;
  return [
    {
      path: '/dashboard',
      figures: [
        `Active Reminders ${inState('active')}`,
        `+${inState('active')} from last week`,
        `Completed This Week ${completed}`,
        `+${completed} from last week`,
        'Team Members 2',
        '+2 from last week',
        'Templates 2',
        '+2 from last week',
        `See all ${failed}`,
        ...times(failed, `Partly sent · ${runText}`),
        // Of the last 30 days.
        `${2 * ran * people.reached} sent`,
        `${2 * ran * people.failed} failed`,
      ],
    },
    {
      path: '/jobs',
      figures: [
        ...jobCards,
        ...times(3 * (ran - archived), '0/8 0.0s'),
        ...times(3 * (ran - archived), runText),
        ...times(3 * (cancelled + paused) + 1, '0/8 –'),
        `${3 * (everyJob - archived) + 1} of ${3 * (everyJob - archived) + 1} jobs`,
      ],
    },
    {
      path: '/jobs?tab=history',
      figures: [
        ...jobCards,
        ...times(3 * counted(({ status }) => ['completed', 'failed'].includes(status)), '0.2s'),
        `${3 * counted(({ status }) => ['completed', 'failed'].includes(status))} runs`,
      ],
    },
    {
      path: '/agenda',
      figures: [
        ...times(occurrences, '1 occurrence'),
        ...times(occurrences, '1 recipient'),
        '1 active reminder waits for an event: when it is sent cannot be known before. See reminders',
      ],
    },
    { path: '/contacts', figures: ['4 contacts', '4 shown'] },
    { path: '/contacts?tab=suppressed', figures: ['3 shown'] },
    { path: '/templates', figures: [] },
    { path: analytics(''), figures: overviewOfWorkspace },
    {
      path: analytics('?tab=performance'),
      figures: [
        ...summary,
        'Average Execution Time 200 ms',
        `Total Executions ${3 * ran}`,
        `Performance Score ${percent(people.reached, all)}`,
        ...times(10, 'Rent 0.2s'),
      ],
    },
    {
      path: analytics('?tab=jobs'),
      figures: [...summary, `Successful ${3 * completed}`, `Failed ${3 * failed}`, 'Pending 1'],
    },
    {
      path: analytics('?tab=usage'),
      figures: [
        ...summary,
        'Templates 2',
        `Reminders ${sum(states.map(inState))}`,
        `Jobs ${3 * everyJob + 1}`,
        'Members 2',
        `Success Rate ${percent(people.reached, all)}`,
      ],
    },
    ...[7, 30, 90, 365].map((days) => {
      const of = batches.filter((daysAgo) => daysAgo < days);
      const from = today.subtract({ days: days - 1 });
      const lost = of.length * ran;
      return {
        path: analytics(`?tab=deliveries&from=${from.toString()}&to=${today.toString()}`),
        figures: [
          ...summary,
          `Sent ${of.length * ran * people.reached}`,
          `Failed ${lost * people.failed}`,
          `People reached ${of.length * ran * people.reached}`,
          `of ${of.length * ran * all}, each once in a run`,
          'Half accepted within 0.0s',
          '95% accepted within 0.0s',
          '99% accepted within 0.0s',
          `${of.length * ran * people.reached} sent`,
          `${lost * people.failed} failed`,
          ...of.map((daysAgo) => `${dayText(daysAgo)} Email ${ran * people.reached} ${ran * people.failed}`),
          `Email ${lost}`,
          ...times(2, `${lost} missed`),
        ],
      };
    }),
    { path: `/admin/workspace/${elm}/manage`, figures: ['Members 2'] },
    {
      path: `/admin/workspace/${elm}/manage?tab=audit`,
      figures: ['Created the workspace Elm Street 127.0.0.1', '1 shown'],
    },
    {
      path: '/admin',
      figures: [
        'Total Users 2',
        'Total Workspaces 2',
        ...cards({ today: 2, ended: 2 }),
        'Active 2',
        'Suspended 1',
        '2 shown, newest first',
      ],
    },
    { path: '/admin?tab=users', as: 'ann', figures: [...console, '4 shown, newest first'] },
    {
      path: '/admin?tab=workspaces',
      as: 'ann',
      figures: [...console, 'Active 2', 'Suspended 1', '1', '3 shown, newest first'],
    },
    {
      path: '/admin?tab=analytics',
      as: 'ann',
      figures: [
        ...console,
        'New Users 4',
        'New Workspaces 3',
        '4 new',
        '3 new',
        `${dayText(0)} 4 3`,
        `Sent ${4 * ran * people.reached}`,
        `Failed ${4 * ran * people.failed}`,
        `Delivery Rate ${percent(people.reached, people.reached + people.failed)}`,
        `of ${4 * ran * (people.reached + people.failed)} deliveries`,
        `${4 * ran * people.reached} sent`,
        `${4 * ran * people.failed} failed`,
        `${4 * ran * people.reached} ${4 * ran * people.failed} ${percent(people.reached, people.reached + people.failed)}`,
        `${dayText(20)} Email ${ran * people.reached} ${ran * people.failed}`,
        `${dayText(0)} Email ${3 * ran * people.reached} ${3 * ran * people.failed}`,
      ],
    },
    { path: analytics(''), as: 'ann', figures: overviewOfWorkspace },
    { path: `/admin/workspace/${elm}/manage`, as: 'ann', figures: ['Members 2'] },
  ];
}

const cards = (workspaces: { today: number; ended: number }) => [
  `Deliveries Today ${workspaces.today * ran * people.reached}`,
  `${workspaces.today * ran * people.failed} failed`,
  `Success Rate ${percent(completed, ran)}`,
  `of ${workspaces.ended * ran} ended jobs in 7 days`,
];
const console = ['Total Users 4', '2 demos left out', 'Total Workspaces 3', ...cards({ today: 3, ended: 3 })];

/** What has digits and is no figure: addresses, times and days of the choice, and what the product always says. */
const others = [
  /@example\.com/,
  /^\d+ \w+ \d{4}$/,
  /days\. until then/,
  /Entries are kept for 400 days/,
  /two-factor/,
  /next (24 hours|60 days)/i,
  /^the last 30 days$/,
  /^9[59]% accepted within$/,
];

/** The lines of a screen that have digits; a number that stands alone, with what stands before it. */
function figuresOf(text: string): string[] {
  const lines = text.split('\n').flatMap((line) => line.replaceAll(/\s+/g, ' ').trim() || []);
  return lines.flatMap((line, at) => {
    if (!/\d/.test(line) || others.some((other) => other.test(line))) return [];
    const isValue = /^[\d.,]+(%|s| ms)?$/.test(line) && /^[A-Z\d]/.test(lines[at - 1] ?? '');
    return [isValue && !/^0\.2s$/.test(line) ? `${lines[at - 1]} ${line}` : line];
  });
}

async function textOf(page: Page): Promise<string> {
  await page.addStyleTag({ content: 'time { display: none !important }' });
  const main = page.getByRole('main');
  const isLoading = (await main.locator('[aria-busy=true], .mantine-Skeleton-root').count()) > 0;
  return isLoading ? '1 screen that loads' : main.innerText();
}

describe('every figure of every screen is what was seeded', () => {
  let cuebird: TestCuebird;
  let seeded: Awaited<ReturnType<typeof seedInstallation>>;
  let leases: Record<'ann' | 'dana', Lease>;

  beforeAll(async () => {
    cuebird = await startTestCuebird();
    await cuebird.stopDeliveries();
    seeded = await seedInstallation(cuebird);
    for (const daysAgo of batches.slice(1)) await insertJobs(cuebird.owner, { workspace: seeded.elm, daysAgo });
    // The engine counts for the console as it sends, in the last 30 days: today in three workspaces, and before that in one.
    await cuebird.owner.query(
      `insert into delivery_days (day, channel, outcome, count)
       select current_date - d.ago, 'email', o.outcome, d.workspaces * o.count
         from (values (0, 3), (20, 1)) d (ago, workspaces), (values ('accepted', $1::int), ('failed', $2), ('skipped', $3)) o (outcome, count)`,
      [ran * people.reached, ran * people.failed, ran * people.skipped],
    );
    const open = async (as: 'ann' | 'dana') => {
      const lease = await openOwnPage({ baseURL: cuebird.url, timezoneId: 'UTC' });
      await lease.page.context().addCookies(cookiesOf(seeded[as], cuebird.url));
      await lease.addInitScript((id) => localStorage.setItem('cuebird.workspace', id), seeded.elm);
      return lease;
    };
    leases = { ann: await open('ann'), dana: await open('dana') };
  });
  afterAll(async () => {
    await leases.ann.giveBack();
    await leases.dana.giveBack();
    await cuebird.stop();
  });

  for (const { path, as = 'dana', figures } of screensOf('ELM'))
    it(`${path} of ${as}`, async () => {
      const { page } = leases[as];
      await page.goto(path.replace('ELM', seeded.elm));
      await page.getByRole('heading', { level: 1 }).waitFor();
      await expect
        .poll(async () => figuresOf(await textOf(page)).toSorted(), { timeout: 15_000 })
        .toEqual(figures.toSorted());
    });

  it('has the same in the files of analytics and of the ledger', async () => {
    const fileOf = async (path: string) => {
      const answer = await fetch(`${cuebird.url}${path}&workspace=${seeded.elm}`, {
        headers: { cookie: seeded.dana.cookie },
      });
      return (await answer.text()).trim().split('\r\n').slice(1);
    };
    const from = today.subtract({ days: 89 });
    const days = await fileOf(`/api/analytics/deliveries/export?from=${from.toString()}&to=${today.toString()}`);
    expect(days.map((line) => line.split(',').slice(-2).map(Number))).toEqual(
      batches.map(() => [ran * people.reached, ran * people.failed]),
    );
    const ledger = await fileOf(
      `/api/deliveries/export?from=${from.toString()}T00:00:00Z&to=${today.add({ days: 1 }).toString()}T00:00:00Z`,
    );
    const allRan = sum(jobs.filter(({ status }) => ['completed', 'failed'].includes(status)).map((job) => job.times));
    expect(ledger).toHaveLength(3 * allRan * all);
    for (const outcome of ['accepted', 'delivered', 'failed', 'skipped'])
      expect(ledger.filter((line) => line.includes(`${outcome}@example.com`))).toHaveLength(3 * allRan);
  });
});

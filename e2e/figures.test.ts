import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestCuebird, type TestCuebird } from '#testing/cuebird.ts';
import {
  contacts,
  counted,
  inState,
  insertJobs,
  isArchived,
  isTest,
  jobs,
  outcomes,
  reminders,
  seedInstallation,
  sum,
  suppressions,
  templates,
} from '#testing/installation.ts';
import { sample } from '#testing/sample.ts';
import { sampleReminder } from '#testing/samples.ts';
import { expectFigures, percent, type Screen, times } from './figures.fixture.ts';
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
const havingOutcome = (...wanted: string[]) => outcomes.filter((outcome) => wanted.includes(outcome)).length;
const people = {
  reached: havingOutcome('accepted', 'delivered'),
  failed: havingOutcome('failed'),
  skipped: havingOutcome('skipped'),
};
const all = sum(Object.values(people));
const states = ['active', 'paused', 'draft', 'done'];
const today = () => Temporal.Now.plainDateISO('UTC');
/** The day of the newest batch: a run may begin on one day and end on the next. */
let seededOn = today();
const dayOf = (daysAgo: number) => seededOn.subtract({ days: daysAgo });
/** How many batches are of the last days. */
const batchesOf = (days: number) =>
  batches.filter((daysAgo) => Temporal.PlainDate.compare(dayOf(daysAgo), today().subtract({ days: days - 1 })) >= 0);
const dayText = (day: Temporal.PlainDate) =>
  day.toLocaleString('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });

/** When the seeded reminders are sent from now until the 60 days of the agenda end. */
function occurrencesAhead(): Temporal.Instant[] {
  const now = Temporal.Now.instant();
  return reminders
    .filter(({ state, status }) => status === 'active' && state !== null)
    .flatMap(({ schedule }) => timesOf(schedule))
    .filter((at) => Temporal.Instant.compare(at, now) > 0);
}

function timesOf(schedule: (typeof reminders)[number]['schedule']): Temporal.Instant[] {
  if (!('startDate' in schedule)) return [];
  const start = Temporal.PlainDateTime.from(schedule.startDate);
  const end = 'endDate' in schedule ? Temporal.PlainDateTime.from(schedule.endDate) : null;
  const days = Array.from({ length: 60 }, (_, at) => today().add({ days: at }));
  return days
    .filter((day) => schedule.scheduleType === 'daily' || day.equals(start.toPlainDate()))
    .map((day) => day.toPlainDateTime(start.toPlainTime()))
    .filter((at) => Temporal.PlainDateTime.compare(at, start) >= 0)
    .filter((at) => end === null || Temporal.PlainDateTime.compare(at, end) <= 0)
    .map((at) => at.toZonedDateTime(schedule.timezone).toInstant());
}

const occurrencesByDay = () =>
  Map.groupBy(occurrencesAhead(), (at) => at.toZonedDateTimeISO('UTC').toPlainDate().toString());
const occurrencesText = (count: number) => `${count} ${count === 1 ? 'occurrence' : 'occurrences'}`;

function agendaFigures(): string[] {
  return [
    ...[...occurrencesByDay().values()].map(({ length }) => occurrencesText(length)),
    ...times(occurrencesAhead().length, `${sampleReminder.content.recipients.length} recipient`),
    '1 active reminder waits for an event: when it is sent cannot be known before. See reminders',
  ];
}

type OwnScreen = Screen & { as?: 'ann' };

const runText = `${people.reached} of ${all} people · ${people.failed} failed · ${people.skipped} skipped`;
const jobCards = [
  `Total ${3 * (everyJob - archived) + 1}`,
  'Pending 1',
  'Running 0',
  `Completed ${3 * (completed - archived)}`,
  `Failed ${3 * failed}`,
  `The total includes ${3 * paused} paused and ${3 * cancelled} cancelled. Failed includes jobs that are partly sent.`,
];
const reachedText = `${3 * ran * people.reached} of ${3 * ran * all} people reached`;
const summary = [
  `Total Templates ${templates}`,
  `Active Reminders ${inState('active')}`,
  `Success Rate ${percent(people.reached, all)}`,
  reachedText,
  'Active Members 2',
];
const overviewOfWorkspace = [
  ...summary,
  'Pending 1',
  'Running 0',
  `Completed ${3 * completed}`,
  `Failed or partly sent ${3 * failed}`,
  `Cancelled ${3 * cancelled}`,
  `Paused ${3 * paused}`,
  `Reminders ${sum(states.map(inState))}`,
  `Templates ${templates}`,
  `Contacts ${contacts}`,
  'Channels 0',
];

function screensOf(elm: string): OwnScreen[] {
  const analytics = (search: string) => `/admin/workspace/${elm}/analytics${search}`;
  return [
    {
      path: '/dashboard',
      figures: [
        `Active Reminders ${inState('active')}`,
        `+${inState('active')} from last week`,
        `Completed This Week ${ran}`,
        `+${ran} from last week · ${failed} of them partly sent`,
        'Team Members 2',
        '+2 from last week',
        `Templates ${templates}`,
        `+${templates} from last week`,
        // The next occurrence of the daily reminder.
        '1 occurrence',
        '1 addressed',
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
      figures: agendaFigures(),
    },
    { path: '/contacts', figures: [`${contacts} contacts`, `${contacts} shown`] },
    { path: '/contacts?tab=suppressed', figures: [`${suppressions} shown`] },
    { path: '/templates', figures: [] },
    { path: analytics(''), figures: overviewOfWorkspace },
    {
      path: analytics('?tab=performance'),
      figures: [
        ...summary,
        'Average Execution Time 200 ms',
        `Total Executions ${3 * ran}`,
        `Performance Score ${percent(people.reached, all)}`,
        reachedText,
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
        `Templates ${templates}`,
        `Reminders ${sum(states.map(inState))}`,
        `Jobs ${3 * everyJob + 1}`,
        'Members 2',
        `Success Rate ${percent(people.reached, all)}`,
        reachedText,
      ],
    },
    ...[7, 30, 90, 365].map((days) => {
      const of = batchesOf(days);
      const from = today().subtract({ days: days - 1 });
      const lost = of.length * ran;
      return {
        name: `the analytics of ${days} days`,
        path: analytics(`?tab=deliveries&from=${from.toString()}&to=${today().toString()}`),
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
          ...of.map((daysAgo) => `${dayText(dayOf(daysAgo))} Email ${ran * people.reached} ${ran * people.failed}`),
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
        ...cardsOfDana(),
        'Active 2',
        'Suspended 1',
        '2 shown, newest first',
      ],
    },
    {
      path: '/admin?tab=users',
      as: 'ann',
      figures: [...ofAnn(), '4 shown, newest first'],
      // Ann and Sue have none, Finn is in two, and Dana owns two.
      narrow: ['0 workspaces', '0 workspaces', '2 workspaces', '2 workspaces'],
    },
    {
      path: '/admin?tab=workspaces',
      as: 'ann',
      figures: [...ofAnn(), 'Active 2', 'Suspended 1', '1', '3 shown, newest first'],
    },
    {
      path: '/admin?tab=analytics',
      as: 'ann',
      figures: [
        ...ofAnn(),
        'New Users 4',
        'New Workspaces 3',
        '4 new',
        '3 new',
        `${dayText(dayOf(0))} 4 3`,
        `Sent ${4 * ran * people.reached}`,
        `Failed ${4 * ran * people.failed}`,
        `Delivery Rate ${percent(people.reached, people.reached + people.failed)}`,
        `of ${4 * ran * (people.reached + people.failed)} deliveries`,
        `${4 * ran * people.reached} sent`,
        `${4 * ran * people.failed} failed`,
        `${4 * ran * people.reached} ${4 * ran * people.failed} ${percent(people.reached, people.reached + people.failed)}`,
        `${dayText(dayOf(20))} Email ${ran * people.reached} ${ran * people.failed}`,
        `${dayText(dayOf(0))} Email ${3 * ran * people.reached} ${3 * ran * people.failed}`,
      ],
    },
    { path: analytics(''), as: 'ann', figures: overviewOfWorkspace },
    { path: `/admin/workspace/${elm}/manage`, as: 'ann', figures: ['Members 2'] },
  ];
}

/** The messages of some workspaces on each of the last days. */
const messagesIn = (days: number, { workspaces }: { workspaces: number }) => ({
  sent: batchesOf(days).length * workspaces * ran * people.reached,
  failed: batchesOf(days).length * workspaces * ran * people.failed,
});

/** The cards above the console: of the two own workspaces by their people, of the installation by messages. */
function cardsOfDana(): string[] {
  const { sent, failed: lost } = messagesIn(1, { workspaces: 2 });
  return [
    `Deliveries Today ${sent}`,
    `${lost} failed`,
    `Success Rate ${percent(people.reached, all)}`,
    `${4 * ran * people.reached} of ${4 * ran * all} people reached`,
  ];
}
function cardsOfAnn(): string[] {
  const { sent, failed: lost } = messagesIn(1, { workspaces: 3 });
  const week = messagesIn(7, { workspaces: 3 });
  return [
    `Deliveries Today ${sent}`,
    `${lost} failed, by UTC`,
    `Success Rate ${percent(week.sent, week.sent + week.failed)}`,
    `${week.sent} of ${week.sent + week.failed} messages sent in 7 days`,
  ];
}
const ofAnn = () => ['Total Users 4', "2 visitors' demos left out", 'Total Workspaces 3', ...cardsOfAnn()];

/** Runs in the page: each day with the count of its label, and the one that is seen. */
const countsOfDays = (buttons: Element[]): [string, string][] =>
  buttons.map((button) => {
    const [label, , count] = [...button.children].map(({ textContent }) => textContent ?? '');
    const counts = [label?.replace(/^.*: /, ''), count].filter((text) => text !== undefined && text !== '');
    return [button.getAttribute('data-day') ?? '', counts.join(', ')];
  });

describe('every figure of every screen is what was seeded', () => {
  let cuebird: TestCuebird;
  let seeded: Awaited<ReturnType<typeof seedInstallation>>;
  let leases: Record<'ann' | 'dana', Lease>;

  beforeAll(async () => {
    cuebird = await startTestCuebird();
    await cuebird.stopDeliveries();
    seeded = await seedInstallation(cuebird);
    seededOn = Temporal.Instant.from(seeded.at).toZonedDateTimeISO('UTC').toPlainDate();
    for (const daysAgo of batches.slice(1))
      await insertJobs(cuebird.owner, {
        workspace: seeded.elm,
        at: Temporal.Instant.from(seeded.at)
          .subtract({ hours: 24 * daysAgo })
          .toString(),
      });
    // The engine counts for the console as it sends, in the last 30 days: today in three workspaces, and before that in one.
    await cuebird.owner.query(
      `insert into delivery_days (day, channel, outcome, count)
       select $4::date - d.ago, 'email', o.outcome, d.workspaces * o.count
         from (values (0, 3), (20, 1)) d (ago, workspaces), (values ('accepted', $1::int), ('failed', $2), ('skipped', $3)) o (outcome, count)`,
      [ran * people.reached, ran * people.failed, ran * people.skipped, seededOn.toString()],
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

  for (const [at, { path: asked, name = asked, as = 'dana' }] of screensOf('ELM').entries())
    it(`${name} of ${as}`, async () => {
      const { page } = leases[as];
      await expectFigures(page, () => screensOf(seeded.elm)[at] ?? { path: '', figures: [] });
    });

  for (const [at, { path: asked, name = asked, as = 'dana' }] of sample.draw([...screensOf('ELM').entries()], {
    name: 'narrow figures',
    count: 4,
  }))
    it(`${name} of ${as} has the same numbers on a phone`, async () => {
      const { page } = leases[as];
      await page.setViewportSize({ width: 390, height: 900 });
      await expectFigures(page, () => screensOf(seeded.elm)[at] ?? { path: '', figures: [] }, { isNarrow: true });
      await page.setViewportSize({ width: 1440, height: 900 });
    });

  it('has as many occurrences on each day of the months of the agenda', async () => {
    const { page } = leases.dana;
    const differences = async () => {
      await page.goto('/agenda?view=month');
      const shown = new Map<string, string>();
      const next = page.getByRole('button', { name: 'Next month' });
      await next.waitFor();
      for (let isLast = false; !isLast; ) {
        isLast = await next.isDisabled();
        for (const [day, text] of await page.getByRole('grid').locator('[data-day]').evaluateAll(countsOfDays))
          shown.set(day, text);
        if (!isLast) await next.click();
      }
      const days = Array.from({ length: 60 }, (_, at) => today().add({ days: at }).toString());
      const expected = days.map((day): [string, string] => {
        const count = occurrencesByDay().get(day)?.length ?? 0;
        // As it is read out, and as it is seen.
        return [day, count === 0 ? 'nothing' : `${occurrencesText(count)}, ${occurrencesText(count)}`];
      });
      return {
        days: shown.size,
        others: expected.filter(([day, text]) => shown.get(day) !== text),
      };
    };
    await expect.poll(differences).toEqual({ days: 60, others: [] });
  });

  it('has the same in the files of analytics and of the ledger', async () => {
    const fileOf = async (path: string) => {
      const answer = await fetch(`${cuebird.url}${path}&workspace=${seeded.elm}`, {
        headers: { cookie: seeded.dana.cookie },
      });
      return (await answer.text()).trim().split('\r\n').slice(1);
    };
    const [from, to] = [today().subtract({ days: 89 }).toString(), today().toString()];
    const days = await fileOf(`/api/analytics/deliveries/export?from=${from}&to=${to}`);
    expect(days.map((line) => line.split(',').slice(-2).map(Number))).toEqual(
      batches.map(() => [ran * people.reached, ran * people.failed]),
    );
    const ledger = await fileOf(
      `/api/deliveries/export?from=${from}T00:00:00Z&to=${today().add({ days: 1 }).toString()}T00:00:00Z`,
    );
    const allRan = sum(jobs.filter(({ status }) => ['completed', 'failed'].includes(status)).map((job) => job.times));
    expect(ledger).toHaveLength(3 * allRan * all);
    for (const outcome of ['accepted', 'delivered', 'failed', 'skipped'])
      expect(ledger.filter((line) => line.includes(`${outcome}@example.com`))).toHaveLength(3 * allRan);
  });
});

import type { bulkReminderRoutes } from '#contract/bulk-reminders.ts';
import type { reminderHistoryRoutes } from '#contract/reminder-history.ts';
import type { reminderPauseRoutes } from '#contract/reminder-pauses.ts';
import type { reminderTestRoutes } from '#contract/reminder-tests.ts';
import type { Reminder, reminderRoutes } from '#contract/reminders.ts';
import { isFilledIn } from '#domain/message-warnings.ts';
import { isQuick, type Renderer } from '#domain/rendering.ts';
import type { Contact } from '#domain/variables.ts';
import { audienceWarnings, sizeWarning } from '#features/contact-groups/audience.service.ts';
import { contactsAmong } from '#features/contacts/lookup.service.ts';
import { actOnReminders } from '#features/reminders/bulk.service.ts';
import { listReminderChanges } from '#features/reminders/changes.service.ts';
import { deleteReminder } from '#features/reminders/deletion.service.ts';
import { duplicateReminder } from '#features/reminders/duplicate.service.ts';
import { listEarlierTexts } from '#features/reminders/earlier-texts.service.ts';
import { withHours } from '#features/reminders/forecast-hours.service.ts';
import { listReminders, listSummaries } from '#features/reminders/reminder-lists.service.ts';
import { pauseAllReminders, resumeAllReminders, stopBegunRuns } from '#features/reminders/pause-all.service.ts';
import * as reminders from '#features/reminders/reminders.service.ts';
import { forecast, passedWarning } from '#features/reminders/schedule.service.ts';
import { variablesIn } from '#features/events/event-variables.service.ts';
import { sendToMyself, testReminder } from '#features/reminders/test-send.service.ts';
import { upcomingOf } from '#features/reminders/upcoming.service.ts';
import { createWarnings } from '#features/reminders/warnings.service.ts';
import type { TenantContext } from '#platform/context.ts';
import { AppError } from '#platform/errors.ts';
import { AfterCommit, type HandlersOf } from '#platform/handler.ts';
import { sliceSize } from '#platform/in-slices.ts';
import { type EgressGuard, portOf } from '#platform/outbound/guard.ts';

type Routes = typeof reminderRoutes &
  typeof bulkReminderRoutes &
  typeof reminderPauseRoutes &
  typeof reminderHistoryRoutes &
  typeof reminderTestRoutes;

type Ports = { guard: EgressGuard; renderer: Renderer };

export const reminderHandlers = ({ guard, renderer }: Ports): HandlersOf<Routes> => {
  // Some private addresses are allowed: the sandbox's, and those of EGRESS_ALLOW.
  const isOpen = (url: URL) => guard.checkAddress(url.hostname.replace(/^\[|\]$/g, ''), portOf(url)) === 'allowed';
  const addWarnings = createWarnings({ isOpen });
  const answers = async (
    ctx: TenantContext,
    found: readonly reminders.StoredReminder[],
  ): Promise<Reminder[] | AfterCommit<Reminder[]>> => {
    const open = found.filter((reminder) => !isFilledIn(reminder));
    const recipients = open.flatMap(({ schedule_config: { type }, content }) =>
      type === 'event-based' ? [] : content.recipients,
    );
    const contacts = recipients.length === 0 ? nobody : await contactsAmong(ctx, recipients);
    const ofAudiences = await audienceWarnings(
      ctx,
      found.map(({ metadata }) => metadata.audience),
    );
    const warned = async () => {
      const ofMessages = await messageWarningsOf(open, { renderer, workspaceId: ctx.workspaceId, contacts });
      return addWarnings(
        found,
        found.map((reminder, at) => [...(ofMessages.get(reminder) ?? []), ...(ofAudiences[at] ?? [])]),
      );
    };
    const lineCount = found.reduce((sum, { content }) => sum + content.recipients.length, 0);
    const isAtOnce = lineCount <= sliceSize && isQuick({ kind: 'warnings', reminders: open, contacts });
    return isAtOnce ? warned() : new AfterCommit(warned);
  };
  const answer = async (ctx: TenantContext, found: Promise<reminders.StoredReminder>) => {
    const reminder = await found;
    const ofSize = await sizeWarning(ctx, reminder.metadata.audience);
    return onceAnswered(await answers(ctx, [reminder]), ([answered = { ...reminder, warnings: [] }]) => ({
      ...answered,
      warnings: [...passedWarning(reminder, ctx.now), ...answered.warnings, ...ofSize],
    }));
  };
  return {
    async listReminders({ ctx, query: { view, ...query } }) {
      if (view === 'summary') return listSummaries(ctx, query, answers);
      const page = await listReminders(ctx, query);
      return onceAnswered(await answers(ctx, page.data), (data) => ({ ...page, data }));
    },
    createReminder: ({ ctx, body }) => answer(ctx, reminders.createReminder(ctx, body)),
    getReminder: ({ ctx, params }) => answer(ctx, reminders.getReminder(ctx, params.id)),
    updateReminder: ({ ctx, params, query, body }) =>
      answer(ctx, reminders.updateReminder(ctx, { id: params.id, input: body, unchangedSince: query.unchanged_since })),
    setReminderStatus: ({ ctx, params, body }) =>
      answer(ctx, reminders.setReminderStatus(ctx, { id: params.id, ...body })),
    deleteReminder: ({ ctx, params }) => deleteReminder(ctx, params.id),
    restoreReminders: ({ ctx, body }) => actOnReminders(ctx, { ids: body.ids, action: 'restore' }),
    actOnReminders: ({ ctx, body }) => actOnReminders(ctx, body),
    pauseAllReminders: async ({ ctx, body }) => {
      const answered = await pauseAllReminders(ctx, body);
      return new AfterCommit(async (again) => {
        await again((db) => stopBegunRuns(ctx, db));
        return answered;
      });
    },
    resumeAllReminders: ({ ctx }) => resumeAllReminders(ctx),
    duplicateReminder: ({ ctx, params }) => answer(ctx, duplicateReminder(ctx, params.id)),
    listEarlierTexts: async ({ ctx, params }) => ({ data: await listEarlierTexts(ctx, params.id) }),
    listReminderChanges: async ({ ctx, params }) => ({ data: await listReminderChanges(ctx, params.id) }),
    listOccurrences: ({ ctx, params, query }) => upcomingOf(ctx, { id: params.id, count: query.count }),
    testReminder: ({ ctx, params, body: { data, ...test } }) =>
      testReminder(ctx, { id: params.id, test: { ...test, ...(data && { data: variablesIn(data) }) } }),
    sendToMyself: ({ ctx, body }) => sendToMyself(ctx, body),
    forecastReminder: ({ ctx, body }) => withHours(ctx, forecast(ctx, body)),
  };
};

const nobody: ReadonlyMap<string, Contact> = new Map();

const onceAnswered = <T, R>(answer: T | AfterCommit<T>, read: (answer: T) => R): R | AfterCommit<R> =>
  answer instanceof AfterCommit ? new AfterCommit(async (again) => read(await answer.finish(again))) : read(answer);

/** Warnings may be left out: they are when the renderer's queue is full. */
async function messageWarningsOf(
  open: readonly reminders.StoredReminder[],
  { renderer, ...of }: { renderer: Renderer; workspaceId: string; contacts: ReadonlyMap<string, Contact> },
): Promise<ReadonlyMap<reminders.StoredReminder, string[]>> {
  if (open.length === 0) return new Map();
  try {
    const warnings = await renderer.warnings(open, of);
    return new Map(open.map((reminder, at) => [reminder, warnings[at] ?? []]));
  } catch (error) {
    if (error instanceof AppError) return new Map();
    throw error;
  }
}

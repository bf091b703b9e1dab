import { type MonthlyReport, type MonthlyReportInput, monthlyReportLimits } from '#contract/monthly-reports.ts';
import { recipientKey } from '#domain/recipients.ts';
import { defaultReportZone, leaseMinutes, monthReportedAtFirst } from '#domain/report-month.ts';
import { listGroups } from '#features/contact-groups/contact-groups.service.ts';
import { getReminder } from '#features/reminders/reminders.service.ts';
import * as rows from '#features/monthly-reports/monthly-reports.db.ts';
import { askReports } from '#features/suppressions/suppressions.service.ts';
import { isDemo } from '#features/workspaces/workspaces.service.ts';
import { recordAct } from '#platform/audit.ts';
import type { MemberContext } from '#platform/context.ts';
import { Conflict, NotFound, refusedAt, Unprocessable } from '#platform/errors.ts';
import type { SecretBox } from '#platform/secrets.ts';

export type MonthlyReportPorts = { canSendMail: boolean; secrets: SecretBox };

export const listMonthlyReports = async (
  ctx: MemberContext,
  ports: MonthlyReportPorts,
): Promise<{ data: MonthlyReport[] }> => ({
  data: await withObstacles(ctx, { found: await rows.findMonthlyReports(ctx.db, ctx), ports }),
});

/** Throws Conflict for an address that gets this report already, and for too many; refuses a reminder or group that is not there. */
export async function createMonthlyReport(
  ctx: MemberContext,
  { address, reminder_id: reminderId, group_id: groupId }: MonthlyReportInput,
  ports: MonthlyReportPorts,
): Promise<MonthlyReport> {
  const { workspaceId } = ctx;
  if (await isDemo(ctx)) throw new Unprocessable('The demo sends into the sandbox only, and mails no reports');
  const most = monthlyReportLimits.reports;
  if ((await rows.lockCount(ctx.db, ctx)) >= most)
    throw new Conflict(`The workspace has ${most} monthly reports, which is the most. Delete one that is not needed.`);
  await assertAbout(ctx, { reminderId, groupId });
  const timezone = (await rows.findReportZone(ctx.db, ctx)) ?? defaultReportZone;
  const inserted = await rows.insertMonthlyReport(ctx.db, {
    workspace_id: workspaceId,
    reminder_id: reminderId,
    group_id: groupId,
    address,
    address_key: recipientKey(address),
    created_by: ctx.actor.userId,
    created_at: ctx.now.toString(),
    reported_month: monthReportedAtFirst(ctx.now, timezone),
  });
  if (inserted === undefined) throw alreadyGets(address);
  const { id } = inserted;
  await recordAct(ctx, { action: 'monthly_report.created', target: id, details: { to: address } });
  return mustFind(ctx, { id, ports });
}

export async function updateMonthlyReport(
  ctx: MemberContext,
  { id, address }: { id: string; address: string },
  ports: MonthlyReportPorts,
): Promise<MonthlyReport> {
  await mustFind(ctx, { id, ports });
  const key = recipientKey(address);
  await rows.lockCount(ctx.db, ctx);
  if (await rows.isTaken(ctx.db, { workspaceId: ctx.workspaceId, id, key })) throw alreadyGets(address);
  // One that is being mailed now is left to its process until then.
  const until = ctx.now.add({ minutes: leaseMinutes }).toString();
  await rows.setAddress(ctx.db, { workspaceId: ctx.workspaceId, id, address, key, until });
  await recordAct(ctx, { action: 'monthly_report.changed', target: id, details: { to: address } });
  return mustFind(ctx, { id, ports });
}

export async function deleteMonthlyReport(ctx: MemberContext, id: string): Promise<void> {
  const gone = await rows.deleteMonthlyReport(ctx.db, { workspaceId: ctx.workspaceId, id });
  if (gone === undefined) throw new NotFound('monthly report');
  await recordAct(ctx, { action: 'monthly_report.deleted', target: id, details: { to: gone.address } });
}

async function assertAbout(
  ctx: MemberContext,
  { reminderId, groupId }: { reminderId: string | null; groupId: string | null },
): Promise<void> {
  if (reminderId !== null)
    await getReminder(ctx, reminderId).catch((error: unknown) => {
      throw error instanceof NotFound ? refusedAt('reminder_id', 'There is no such reminder in this workspace') : error;
    });
  if (groupId !== null && !(await listGroups(ctx)).some(({ id }) => id === groupId))
    throw refusedAt('group_id', 'There is no such group in this workspace');
}

async function withObstacles(
  ctx: MemberContext,
  { found, ports: { canSendMail, secrets } }: { found: readonly rows.FoundReport[]; ports: MonthlyReportPorts },
): Promise<MonthlyReport[]> {
  const isSuppressed = await askReports(ctx, { addresses: found.map(({ address }) => address), secrets });
  return found.map(({ refused_at: at, refusal_words: words, next_attempt_at: again, ...report }) => {
    const obstacle = isSuppressed(report.address) ? 'suppressed' : report.obstacle;
    const isRefused = obstacle === 'declined' || obstacle === 'unreachable';
    if (!canSendMail && (obstacle === null || isRefused))
      return { ...report, obstacle: 'no_mail_server', refusal: null };
    const refusal = isRefused && at !== null ? { at, words, again_at: again ?? at } : null;
    return { ...report, obstacle, refusal };
  });
}

async function mustFind(
  ctx: MemberContext,
  { id, ports }: { id: string; ports: MonthlyReportPorts },
): Promise<MonthlyReport> {
  const found = await rows.findMonthlyReport(ctx.db, { workspaceId: ctx.workspaceId, id });
  const [report] = await withObstacles(ctx, { found: found === undefined ? [] : [found], ports });
  if (report === undefined) throw new NotFound('monthly report');
  return report;
}

const alreadyGets = (address: string) => new Conflict(`${address} gets this report already`);

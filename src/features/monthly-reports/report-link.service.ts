import { recipientKey } from '#domain/recipients.ts';
import { deleteMonthlyReport, hasMonthlyReport } from '#features/monthly-reports/monthly-reports.db.ts';
import { recordAct } from '#platform/audit.ts';
import type { Db } from '#platform/database.ts';

/** What the link in the mail of a monthly report names: it holds for the address that it was sent to. */
type Of = { workspaceId: string; id: string; recipient: string };

export const getsReport = (db: Db, of: Of): Promise<boolean> => hasMonthlyReport(db, keyed(of));

/** Ends the monthly report, as somebody who is not signed in; repeating it changes nothing. */
export async function endReport(db: Db, { now, ...of }: Of & { now: Temporal.Instant }): Promise<void> {
  const { workspaceId, id } = of;
  const gone = await deleteMonthlyReport(db, keyed(of));
  if (gone === undefined) return;
  const act = { action: 'monthly_report.stopped', target: id, details: { to: gone.address } } as const;
  await recordAct({ db, workspaceId, actor: null, now }, act);
}

const keyed = ({ workspaceId, id, recipient }: Of) => ({ workspaceId, id, key: recipientKey(recipient) });

import { recipientKey } from '#domain/recipients.ts';
import { deleteMonthlyReport, hasMonthlyReport } from '#features/report-mails/monthly-reports.db.ts';
import type { Db } from '#platform/database.ts';

/** Of a link in the mail of a monthly report: it holds for the address that it was sent to. */
type Of = { workspaceId: string; monthlyReport: string; recipient: string };

export const getsReport = (db: Db, of: Of): Promise<boolean> => hasMonthlyReport(db, keyed(of));

/** Ends the monthly report; repeating it changes nothing. */
export async function endReport(db: Db, of: Of): Promise<void> {
  await deleteMonthlyReport(db, keyed(of));
}

const keyed = ({ workspaceId, monthlyReport, recipient }: Of) => ({
  workspaceId,
  id: monthlyReport,
  key: recipientKey(recipient),
});

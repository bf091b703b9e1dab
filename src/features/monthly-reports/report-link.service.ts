import { recipientKey } from '#domain/recipients.ts';
import { deleteMonthlyReport, hasMonthlyReport } from '#features/monthly-reports/monthly-reports.db.ts';
import type { Db } from '#platform/database.ts';

/** What the link in the mail of a monthly report names: it holds for the address that it was sent to. */
type Of = { workspaceId: string; id: string; recipient: string };

export const getsReport = (db: Db, of: Of): Promise<boolean> => hasMonthlyReport(db, keyed(of));

/** Ends the monthly report; repeating it changes nothing. */
export async function endReport(db: Db, of: Of): Promise<void> {
  await deleteMonthlyReport(db, keyed(of));
}

const keyed = ({ workspaceId, id, recipient }: Of) => ({ workspaceId, id, key: recipientKey(recipient) });

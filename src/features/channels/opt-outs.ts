import type { OptOutReport } from '#delivery/adapter.ts';
import type { AnyAdapter } from '#delivery/load-adapters.ts';
import { Dialling, e164 } from '#delivery/phone.ts';
import { recipientKey } from '#domain/recipients.ts';
import { spellingsLike } from '#features/channels/callbacks.db.ts';
import * as received from '#features/channels/received-reports.db.ts';
import { suppress, unsuppress } from '#features/suppressions/automatic-suppressions.service.ts';
import type { Db } from '#platform/database.ts';

type Within = { db: Db; now: string };

type OptOutSource = { workspaceId: string; adapter: AnyAdapter; config: unknown };

/** Applies each reply once, and none that is older than the sender's last one of the other kind. */
export async function takeOptOuts(
  within: Within,
  { optOuts, ...source }: OptOutSource & { optOuts: readonly OptOutReport[] },
): Promise<void> {
  const numbered = optOuts.flatMap((report) => {
    const number = e164(report.sender);
    return number === null ? [] : [{ report, number }];
  });
  // Sorted, because locking senders in one order avoids deadlocks.
  for (const one of numbered.toSorted((a, b) => (a.number < b.number ? -1 : Number(a.number > b.number))))
    await takeOptOut(within, { ...source, ...one });
}

/** Applies it to each spelling of the number to which the workspace has written. */
async function takeOptOut(
  { db, now }: Within,
  { workspaceId, adapter, config, report, number }: OptOutSource & { report: OptOutReport; number: string },
): Promise<void> {
  const { type: channel, provider } = adapter;
  if (channel !== 'sms' && channel !== 'whatsapp') return;
  const { kind, messageId, sentAt } = report;
  const said = { workspaceId, channel, provider, name: messageId, kind, sender: number, sentAt, now };
  if (!(await received.isNews(db, said))) return;
  const dialling = Dialling.parse(config);
  const similar = await spellingsLike(db, { workspaceId, channel, number });
  const same = similar.filter((recipient) => e164(recipient, dialling) === number);
  const recipients = [...new Set([number, ...same].map(recipientKey))];
  const optOut = { workspaceId, channel, recipients, reason: 'stopped' as const };
  if (kind === 'stopped') await suppress(db, { ...optOut, now });
  else await unsuppress(db, optOut);
}

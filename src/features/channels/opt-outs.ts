import type { OptOutReport } from '#delivery/adapter.ts';
import type { AnyAdapter } from '#delivery/load-adapters.ts';
import { e164 } from '#delivery/phone.ts';
import * as received from '#features/channels/received-reports.db.ts';
import { recordChoices, takeBack } from '#features/consents/choices.service.ts';
import { erasedAmong } from '#features/erasures/erased-keys.service.ts';
import type { Db } from '#platform/database.ts';
import type { SecretBox } from '#platform/secrets.ts';

type Within = { db: Db; now: string; secrets: SecretBox };

type OptOutSource = { workspaceId: string; adapter: Pick<AnyAdapter, 'type' | 'provider'> };

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

async function takeOptOut(
  { db, now, secrets }: Within,
  { workspaceId, adapter, report, number }: OptOutSource & { report: OptOutReport; number: string },
): Promise<void> {
  const { type: channel, provider } = adapter;
  if (channel !== 'sms' && channel !== 'whatsapp') return;
  const { kind, messageId, sentAt } = report;
  // Nothing is sent to whoever was erased, and of their number nothing is stored again.
  if ((await erasedAmong({ db, workspaceId, secrets }, { channel, keys: [number] })).size > 0) return;
  const said = { workspaceId, channel, provider, name: messageId, kind, sender: number, sentAt, now };
  if (!(await received.isNews(db, said))) return;
  // The ledger of deliveries has numbers in E.164, as the list has. What counts is the order in which replies were taken, by one clock.
  const of = { db, workspaceId, actor: null, now };
  const all = { channel, recipient: number, covers: 'everything', topicId: null } as const;
  const source = {
    provider,
    ...(messageId !== null && { message_id: messageId.slice(0, 500) }),
    ...(sentAt !== null && { sent_at: sentAt.toString() }),
  };
  if (kind === 'stopped') {
    const said = { kind: 'withdrawn', method: 'reply', source } as const;
    await recordChoices(of, [{ ...all, said, entry: { reason: 'stopped', createdBy: null } }]);
    return;
  }
  // Who had not stopped gets nothing back, and one word is no consent to everything.
  await takeBack(of, {
    channel,
    recipients: [number],
    reasons: ['stopped'],
    endedBy: ['reply'],
    said: { method: 'reply', source },
  });
}

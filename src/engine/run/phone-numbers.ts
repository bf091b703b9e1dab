import { Dialling, phoneKey } from '#delivery/phone.ts';
import { type International, isPhoneChannel, parseRecipient, type Target } from '#domain/recipients.ts';
import type { ClaimedJob } from '#engine/run/claimed-job.ts';
import type { FindRoute, OpenRoute, Routes } from '#engine/run/routes.ts';
import type { Work } from '#engine/run/work.ts';
import type { LedgerRow } from '#engine/run/live-delivery.ts';

/** A number in E.164, by the default country of the first of these routes. */
export function international([route]: Routes, number: string): string {
  return phoneKey(number, 'problem' in route ? undefined : diallingOf(route.config));
}

/** Converts the numbers of a job to E.164, by the default countries of its channels. */
export const internationalFor =
  (find: ReturnType<FindRoute>, { workspace_id: workspaceId }: ClaimedJob) =>
  (work: Work): International =>
  (number, type) =>
    international(find({ type, workspaceId, pinned: work.pinned[type] }), number);

/** Keeps the spelling of numbers that the ledger has already, so that a row of an earlier run is found for the same recipient. */
export function keepSpellings(
  targets: readonly Target[],
  {
    ledger,
    international: inE164,
  }: { ledger: readonly Pick<LedgerRow, 'channel' | 'recipient'>[]; international: International },
): void {
  const keyOf = (target: { channel: string; recipient: string }) => `${target.channel} ${target.recipient}`;
  const byNumber = new Map<string, Target>();
  for (const target of targets) if (isPhoneChannel(target.channel)) byNumber.set(keyOf(target), target);
  if (byNumber.size === 0) return;
  for (const { channel, recipient } of ledger) {
    if (!isPhoneChannel(channel)) continue;
    const number = inE164(parseRecipient(recipient).address, channel);
    const target = number === recipient ? undefined : byNumber.get(keyOf({ channel, recipient: number }));
    if (target !== undefined) target.recipient = recipient;
  }
}

const known = new WeakMap<object, Dialling>();

function diallingOf(config: OpenRoute['config']): Dialling {
  if (typeof config !== 'object' || config === null) return {};
  const cached = known.get(config);
  if (cached !== undefined) return cached;
  const dialling = Dialling.safeParse(config).data ?? {};
  known.set(config, dialling);
  return dialling;
}

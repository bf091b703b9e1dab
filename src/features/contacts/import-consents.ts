import {
  consentAttestation,
  type ImportConsent,
  type ImportProblem,
  type ImportRow,
} from '#contract/contact-imports.ts';
import { standingOf } from '#domain/newest-consent.ts';
import { channelNames } from '#domain/phrase/channels.ts';
import { type Choice, recordChoices } from '#features/consents/choices.service.ts';
import { wordsOf } from '#features/consents/required-consent.service.ts';
import { contactEmailKey } from '#features/contacts/contacts.db.ts';
import type { Entry } from '#features/contacts/import-rows.ts';
import { refusalsAmong } from '#features/suppressions/suppressions.service.ts';
import { topicKinds } from '#features/topics/topics.service.ts';
import { recordAct } from '#platform/audit.ts';
import type { TenantContext } from '#platform/context.ts';
import { Invalid } from '#platform/errors.ts';
import { endFullSlice } from '#platform/in-slices.ts';
import type { SecretBox } from '#platform/secrets.ts';

/** What an import records of consents; `rows` with what is left out. */
export type ImportedConsents = { choices: Choice[]; withdrawn: number; rows: ImportRow[] };

/** What lines agree to, and from which file. */
export type Consenting = { consent: ImportConsent; fileName: string | null; secrets: SecretBox };

/** Throws Invalid where a column says when people agreed and nothing to what, or the other way round. */
export async function assertConsent(
  ctx: TenantContext,
  { consent, hasTimes, isImport }: { consent: ImportConsent | null; hasTimes: boolean; isImport: boolean },
): Promise<void> {
  if (consent === null) {
    if (hasTimes && isImport) throw new Invalid([{ path: 'consent', message: 'Say what they agreed to' }]);
    return;
  }
  const { given_at: givenAt, topic_id: topicId } = consent;
  if (!hasTimes && givenAt === undefined)
    throw new Invalid([{ path: 'consent.given_at', message: 'Say when they agreed, or choose the column that does' }]);
  if (givenAt !== undefined && Date.parse(givenAt) > ctx.now.epochMilliseconds)
    throw new Invalid([{ path: 'consent.given_at', message: 'must not be in the future' }]);
  if (topicId !== undefined && !(await topicKinds(ctx)).has(topicId))
    throw new Invalid([{ path: 'consent.topic_id', message: 'There is no such topic in this workspace' }]);
}

/**
 * Decides for each line which consents it brings: none where it is not known when they agreed, nor for a number or address whose owner has withdrawn any, or
 * is on the suppression list by their own word or that of a member, or was erased, whatever time the file claims.
 */
export async function decideConsents(
  ctx: TenantContext,
  { entries, rows, consent, fileName, secrets }: Consenting & { entries: readonly Entry[]; rows: readonly ImportRow[] },
): Promise<ImportedConsents> {
  const times = new Map(entries.map(({ line, consentAt }) => [line, consentAt ?? consent.given_at ?? null]));
  const targets = rows.flatMap((row) =>
    consent.channels.flatMap((channel) => {
      const recipient = recipientOf(row, channel);
      return recipient === null ? [] : [{ channel, recipient }];
    }),
  );
  const words = Map.groupBy(await wordsOf(ctx, [...new Set(targets.map(({ recipient }) => recipient))]), keyOf);
  const refusals = await refusalsAmong(ctx, { targets, secrets });
  const refused = new Set(refusals.map(keyOf));
  const erased = new Set(refusals.filter(({ reason }) => reason === 'erased').map(keyOf));
  const hasWithdrawn = (target: Target) =>
    refused.has(keyOf(target)) || standingOf(words.get(keyOf(target)) ?? []).some(({ kind }) => kind === 'withdrawn');
  const imported: ImportedConsents = { choices: [], withdrawn: 0, rows: [] };
  const slice = { size: 0 };
  for (const row of rows) {
    await endFullSlice(slice);
    slice.size += 1;
    const at = times.get(row.line) ?? null;
    const problems: ImportProblem[] = [];
    for (const channel of consent.channels) {
      const recipient = recipientOf(row, channel);
      if (recipient === null) continue;
      const leave = (code: ImportProblem['code'], message: string) =>
        void problems.push({
          code,
          column: null,
          message: `${message}: no consent to ${channelNames[channel]} is recorded`,
        });
      if (hasWithdrawn({ channel, recipient })) {
        imported.withdrawn += 1;
        const isErased = erased.has(keyOf({ channel, recipient }));
        leave('withdrawn', isErased ? 'Was erased' : 'Has withdrawn, or is on the suppression list');
      } else if (at === null) leave('no_consent_time', 'Does not say when they agreed');
      else if (Date.parse(at) > ctx.now.epochMilliseconds)
        leave('no_consent_time', 'Says that they agree in the future');
      else imported.choices.push(choiceOf({ channel, recipient }, { consent, at, line: row.line, fileName }));
    }
    imported.rows.push(problems.length === 0 ? row : { ...row, problems: [...row.problems, ...problems] });
  }
  return imported;
}

type Target = { channel: ImportConsent['channels'][number]; recipient: string };

const keyOf = ({ channel, recipient }: { channel: string; recipient: string }) => `${channel} ${recipient}`;

/** To whom a line's consent belongs; null where it has no such address, or that of another line's person. */
function recipientOf({ result, problems, email, phone }: ImportRow, channel: Target['channel']): string | null {
  if (result === 'failed' || problems.some(({ code }) => code === 'other_person')) return null;
  return channel === 'email' ? contactEmailKey({ email }) : phone;
}

const choiceOf = (
  target: Target,
  { consent, at, line, fileName }: { consent: ImportConsent; at: string; line: number; fileName: string | null },
): Choice => ({
  ...target,
  covers: consent.covers,
  topicId: consent.topic_id ?? null,
  entry: null,
  said: {
    kind: 'given',
    method: 'import',
    at,
    text: consent.text.trim(),
    source: { ...(fileName !== null && { file: fileName }), line, attestation: consentAttestation },
    isOnce: true,
    precedence: 2,
  },
});

/** Records the consents, and in the audit log who vouched for how many. */
export async function recordImported(ctx: TenantContext, { choices }: ImportedConsents): Promise<void> {
  const { db, workspaceId, actor, now } = ctx;
  const written = await recordChoices({ db, workspaceId, actor, now: now.toString() }, choices);
  const [first, ...others] = choices.filter((_, at) => written[at]?.isNews);
  if (first === undefined) return;
  const { channel, recipient } = first;
  const details = { channel, recipient, ...(others.length > 0 && { others: others.length }) };
  await recordAct(ctx, { action: 'consent.given', target: workspaceId, details });
}

import { randomUUIDv7 } from 'node:crypto';
import { type Erasure, type ErasureInput, erasureLimits, type erasureRoutes } from '#contract/erasures.ts';
import { e164 } from '#delivery/phone.ts';
import { parseRecipient, recipientKey } from '#domain/recipients.ts';
import { diallingOf } from '#features/contacts/dialling.service.ts';
import { spellingsOfKeys } from '#features/contacts/spellings.service.ts';
import { sealPerson } from '#features/erasures/erased-person.ts';
import * as rows from '#features/erasures/erasures.db.ts';
import { findPersonalData } from '#features/erasures/personal-data.db.ts';
import { recordAct } from '#platform/audit.ts';
import { personOf, type TenantContext } from '#platform/context.ts';
import { decodeCursor } from '#platform/cursor.ts';
import { erasedKeyOf, newErasureSecret, openErasureSecret } from '#platform/erased-address.ts';
import { Conflict, Invalid, Unprocessable } from '#platform/errors.ts';
import { pageOf } from '#platform/page.ts';
import type { SecretBox } from '#platform/secrets.ts';
import type { z } from 'zod';

type Asked = Pick<ErasureInput, 'addresses' | 'default_country'>;

export async function listErasures(ctx: TenantContext, query: z.output<typeof erasureRoutes.listErasures.query>) {
  const found = await rows.findErasures(ctx.db, {
    ...query,
    workspaceId: ctx.workspaceId,
    after: decodeCursor(query.cursor),
  });
  return pageOf(found, { at: (row) => row.asked_at });
}

/**
 * Begins to erase what the workspace keeps about a person; the eraser does it. Throws Invalid for what is no address or number, and Unprocessable where
 * too many are under way.
 */
export async function erasePerson(
  ctx: TenantContext,
  input: ErasureInput,
  { secrets }: { secrets: SecretBox },
): Promise<Erasure> {
  const { db, workspaceId } = ctx;
  const keys = await keysOf(ctx, input);
  if ((await rows.lockUnfinished(db, { workspaceId })) >= erasureLimits.unfinished)
    throw new Unprocessable(`${erasureLimits.unfinished} erasures are under way: wait until one has ended`);
  const secret = await rows.ensureSecret(db, { workspaceId, sealed: newErasureSecret({ workspaceId, secrets }) });
  if (secrets.keyOf(secret) === 'unknown')
    throw new Conflict(
      'The key of the erased addresses was sealed with an encryption key that is lost: nobody can be erased',
    );
  const hashes = keys.map(erasedKeyOf(openErasureSecret(secret, { workspaceId, secrets })));
  const id = randomUUIDv7();
  await rows.insertErasure(db, {
    workspaceId,
    id,
    sealed: sealPerson({ keys, contacts: [], names: [] }, { workspaceId, secrets }),
    hashes,
    askedHow: input.asked_how.trim(),
    askedBy: personOf(ctx.actor),
    now: ctx.now.toString(),
  });
  await recordAct(ctx, { action: 'erasure.begun', target: id, details: { addresses: keys.length } });
  return rows.findErasure(db, { workspaceId, id });
}

/** What the workspace keeps about a person, by table. */
export async function exportPerson(ctx: TenantContext, asked: Asked) {
  const keys = await keysOf(ctx, asked);
  const found = await findPersonalData(ctx.db, {
    workspaceId: ctx.workspaceId,
    keys,
    spellings: spellingsOfKeys(keys),
  });
  await recordAct(ctx, { action: 'erasure.exported', target: ctx.workspaceId, details: { addresses: keys.length } });
  return found;
}

/** The keys of these addresses and numbers, each once. */
async function keysOf(ctx: TenantContext, { addresses, default_country: country }: Asked): Promise<string[]> {
  const dialling = await diallingOf(ctx, { country });
  const keys = addresses.map((text, at) => {
    const { kind, address } = parseRecipient(text);
    if (kind === 'email') return recipientKey(text);
    const number = kind === 'phone' ? e164(address, dialling) : null;
    if (number !== null) return number;
    throw new Invalid([
      {
        path: `addresses.${at}`,
        message:
          kind === 'phone'
            ? `“${text}” is not a number with its country, such as +49 151 23456789`
            : `“${text}” is neither an email address nor a phone number`,
      },
    ]);
  });
  return [...new Set(keys)];
}

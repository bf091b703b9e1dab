import { contactLimits } from '#contract/contacts.ts';
import { cannotBeRendered, variableIsMissing } from '#domain/ledger-reasons.ts';
import { type Reached, withoutMessage } from '#domain/reach.ts';
import type { Target } from '#domain/recipients.ts';
import type { Renderer } from '#domain/rendering.ts';
import { isPlain, namesNeeded } from '#domain/template.ts';
import { hasValue, rememberedKey } from '#domain/variable-values.ts';
import { type Contact, messageValues } from '#domain/variables.ts';
import type { FoundContact } from '#features/contacts/lookup.service.ts';
import { AppError } from '#platform/errors.ts';
import { endFullSlice } from '#platform/in-slices.ts';

/** The parts of a message that are rendered. */
export type Text = {
  subject: string;
  message: string;
  values: Readonly<Record<string, string>>;
  timezone: string;
};

/** How many variables are looked up: more than a contact can have values, so whoever lacks a further one lacks one of these. */
const mostNames = contactLimits.variables + 10;
/** How long rendering may take in all: for 10,000 people it could be minutes. */
const renderingLimitMs = 2_000;

type Filled = { missing: readonly string[] } | { broken: string };

/** Renders the message for a person; null when their values are not known. */
type Filling = (
  person: Reached,
  known: { contactOf: (target: Target) => FoundContact | null; renderer: Renderer; workspaceId: string },
) => Filled | null | Promise<Filled>;

/** How a person's message is rendered, and whether a renderer is needed; null when it cannot fail for anybody. */
export function fillingOf(
  { subject, message, values: own, timezone }: Text,
  { data, at, companyName }: { data: Readonly<Record<string, string>>; at: Temporal.Instant; companyName: string },
): { fill: Filling; isLiquid: boolean } | null {
  const parts = [subject, message];
  const isLiquid = !parts.every(isPlain);
  const valuesOf = ({ recipient, recipient_name: recipientName }: Who, contact: Contact | null) =>
    messageValues({
      recipient,
      recipientName,
      companyName,
      scheduledForMs: at.epochMilliseconds,
      timezone,
      values: own,
      data,
      contact,
    });
  const common = valuesOf({ recipient: '', recipient_name: null }, null);
  const keys = new Set<string>();
  const needed = parts.flatMap(namesNeeded).filter((name) => keys.size < keys.add(rememberedKey(name)).size);
  const names = needed.filter((name) => !hasValue(common, name)).slice(0, mostNames);
  if (names.length === 0 && !isLiquid) return null;
  const fill: Filling = (person, { contactOf, renderer, workspaceId }) => {
    const [target] = person.sent;
    if (target === undefined) return { missing: [] };
    const contact = contactOf(target);
    if (contact?.hasValues === false) return null;
    const values = valuesOf(target, contact);
    const missing = names.filter((name) => !hasValue(values, name));
    if (missing.length > 0 || !isLiquid) return { missing };
    return rendered(renderer.message(parts, { workspaceId, values }));
  };
  return { fill, isLiquid };
}

type Who = Pick<Target, 'recipient' | 'recipient_name'>;

async function rendered(parts: ReturnType<Renderer['message']>): Promise<Filled> {
  for (const part of await parts) {
    if (part.kind === 'missing') return { missing: [part.variable] };
    if (part.kind === 'broken') return { broken: part.reason };
  }
  return { missing: [] };
}

/** Marks the people for whom the message cannot be rendered as not reached. Returns how many were not tried. */
export async function fillIn(
  people: readonly Reached[],
  { fill, isTimed }: { fill: (person: Reached) => ReturnType<Filling>; isTimed: boolean },
): Promise<number> {
  const until = performance.now() + (isTimed ? renderingLimitMs : Infinity);
  const slice = { size: 0 };
  let unchecked = 0;
  let isOver = false;
  for (const person of people) {
    if (person.sent.length === 0) continue;
    await endFullSlice(slice);
    slice.size += 1;
    isOver ||= performance.now() > until;
    const filled = isOver ? null : await triedOnce(fill, person);
    if (filled === 'busy') isOver = true;
    if (filled === null || filled === 'busy') unchecked += 1;
    else if ('broken' in filled)
      withoutMessage(person, {
        facts: [{ kind: 'not_rendered', of: null }],
        problem: cannotBeRendered(filled.broken).reason,
      });
    else if (filled.missing.length > 0)
      withoutMessage(person, {
        facts: filled.missing.map((name) => ({ kind: 'lacks_value', of: name })),
        problem: variableIsMissing(filled.missing[0] ?? '').reason,
      });
  }
  return unchecked;
}

/** Tries one person; `busy` when the renderer has too much to do. */
async function triedOnce(fill: (person: Reached) => ReturnType<Filling>, person: Reached) {
  try {
    return await fill(person);
  } catch (error) {
    if (error instanceof AppError) return 'busy';
    throw error;
  }
}

import { type Audience, audienceLimits } from '#contract/audience.ts';
import { idsMatching } from '#web/api/contacts.ts';
import { type ContactSelection, isNamed } from './contact-selection.ts';

/**
 * The audience of a reminder to the selected: their tag, their group or everyone, where that says who they are, else the contacts.
 * Null when these are more than a reminder can name. Throws ApiError.
 */
export async function audienceOfSelection(selection: ContactSelection): Promise<Audience | null> {
  if (selection.kind === 'rows') return picked(selection.contacts.map(({ id }) => id));
  const { filter, count } = selection;
  const { search, tag, group } = filter;
  if (!search && tag === undefined && group === undefined) return { everyone: true };
  if (isNamed(filter)) return tag === undefined ? { groups: group === undefined ? [] : [group] } : { tags: [tag] };
  return count > audienceLimits.contacts ? null : picked(await idsMatching(filter));
}

const picked = (contacts: string[]): Audience | null =>
  contacts.length > audienceLimits.contacts ? null : { contacts };

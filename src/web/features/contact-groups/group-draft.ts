import type { useForm } from '@mantine/form';
import type { z } from 'zod';
import { type ContactGroup, type GroupCondition, GroupInput } from '#contract/contact-groups.ts';

/** A condition: `of` is the name of a value; null for a tag. */
export type ConditionDraft = { of: string | null; test: GroupCondition['test']; text: string; key: string };

export type GroupDraft = { name: string; match: GroupInput['rule']['match']; conditions: ConditionDraft[] };

export type GroupForm = ReturnType<typeof useForm<GroupDraft>>;

export const newCondition = (key: string): ConditionDraft => ({ of: null, test: 'has_tag', text: '', key });

export const draftOf = (group: ContactGroup | null): GroupDraft => ({
  name: group?.name ?? '',
  match: group?.rule.match ?? 'all',
  conditions: group?.rule.conditions.map((one, at) => conditionDraftOf(one, `${at}`)) ?? [newCondition('0')],
});

const conditionDraftOf = (one: GroupCondition, key: string): ConditionDraft =>
  'tag' in one
    ? { of: null, test: one.test, text: one.tag, key }
    : { of: one.variable, test: one.test, text: one.value, key };

/** The group, or the errors by the fields of the form. */
export function groupOf({
  name,
  match,
  conditions,
}: GroupDraft): { group: GroupInput } | { errors: Record<string, string> } {
  const rule = { match, conditions: conditions.map(conditionOf) };
  const parsed = GroupInput.safeParse({ name, rule });
  return parsed.success ? { group: parsed.data } : { errors: draftErrors(parsed.error.issues) };
}

const conditionOf = ({ of, test, text }: ConditionDraft) =>
  of === null ? { test, tag: text } : { test, variable: of, value: text };

/** The errors by the fields of the form: each condition has one. */
export function draftErrors(issues: readonly Pick<z.core.$ZodIssue, 'path' | 'message'>[]): Record<string, string> {
  return Object.fromEntries(
    issues
      .map(({ path, message }) => {
        const [part, , at] = path;
        return [part === 'rule' && at !== undefined ? `conditions.${String(at)}.text` : 'name', message] as const;
      })
      .reverse(),
  );
}

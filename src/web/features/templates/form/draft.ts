import { type Template, TemplateInput, type TemplateVariable, VariableName } from '#contract/templates.ts';
import { fieldErrors } from '#web/ui/field-errors.ts';

/** Null removes the topic. */
type Content = Omit<Template['content'], 'topic_id'> & { topic_id?: string | null | undefined };

/** The state of the template form. Its paths match the contract, so that errors find their fields. */
export type TemplateDraft = {
  name: string;
  description: string;
  category_id: string | null;
  is_public: boolean;
  content: Content;
  variables: { variables: TemplateVariable[] };
  /** The fields for a new variable that is not added yet. */
  entry: { name: string; type: TemplateVariable['type'] };
};

const noEntry: TemplateDraft['entry'] = { name: '', type: 'text' };

export const newDraft = (categoryId: string | null): TemplateDraft => ({
  name: '',
  description: '',
  category_id: categoryId,
  is_public: false,
  content: { subject: '', body: '', type: 'email', format: 'markdown' },
  variables: { variables: [] },
  entry: noEntry,
});

/** The draft of a saved template. */
export const draftOf = ({
  name,
  description,
  category_id,
  is_public,
  content,
  variables,
}: Template): TemplateDraft => ({
  name,
  description,
  category_id,
  is_public,
  content,
  variables,
  entry: noEntry,
});

/** The request that saves a new one. */
export const inputOf = ({ entry: _, content: { topic_id: topic, ...content }, ...draft }: TemplateDraft) => ({
  ...draft,
  content: { ...content, ...(typeof topic === 'string' && { topic_id: topic }) },
});

/** The request that changes one: null removes the topic. */
export function changesOf(draft: TemplateDraft) {
  const { content, ...input } = inputOf(draft);
  return { ...input, content: { ...content, topic_id: draft.content.topic_id ?? null } };
}

/** Client-side validation errors, by field path. */
export const problemsOf = (draft: TemplateDraft): Record<string, string> =>
  fieldErrors(TemplateInput.safeParse(inputOf(draft)).error?.issues ?? []);

export type Added =
  | { outcome: 'added'; draft: TemplateDraft }
  | { outcome: 'twice' }
  | { outcome: 'refused'; reason: string };

/** Adds a variable; refuses a blank, invalid or existing name. */
export function withVariable(draft: TemplateDraft, { name: written, type }: TemplateDraft['entry']): Added {
  const parsed = VariableName.safeParse(written);
  if (!parsed.success) return { outcome: 'refused', reason: parsed.error.issues[0]?.message ?? 'is not a name' };
  const name = parsed.data;
  const { variables } = draft.variables;
  if (variables.some((variable) => variable.name === name)) return { outcome: 'twice' };
  const added = { name, type, description: '', required: true, defaultValue: '' };
  return {
    outcome: 'added',
    draft: { ...draft, variables: { variables: [...variables, added] }, entry: noEntry },
  };
}

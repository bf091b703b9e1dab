import type { TemplateContent, TemplateVariable } from '#contract/templates.ts';

type Variable = Pick<TemplateVariable, 'name' | 'required' | 'defaultValue'>;

/** The message of a template: its texts, in which an optional variable without a default becomes blank, and the defaults of the other variables. */
export function messageOfTemplate({
  content,
  variables: { variables },
}: {
  content: Pick<TemplateContent, 'subject' | 'body'>;
  variables: { variables: readonly Variable[] };
}): { subject: string; message: string; defaults: Record<string, string> } {
  const blank = variables.filter((one) => !one.required && one.defaultValue === '').map((one) => one.name);
  const defaults = variables.filter((one) => one.defaultValue !== '').map((one) => [one.name, one.defaultValue]);
  return {
    subject: withBlanks(content.subject, blank),
    message: withBlanks(content.body, blank),
    defaults: Object.fromEntries(defaults),
  };
}

/** `{{note}}` becomes `{{ note | default: "" }}`, because a message with a missing value is not sent. */
const withBlanks = (text: string, names: readonly string[]) =>
  text.replaceAll(/\{\{-?\s*([A-Za-z_][\w-]*)\s*-?\}\}/g, (placeholder, name: string) =>
    names.includes(name) ? `{{ ${name} | default: "" }}` : placeholder,
  );

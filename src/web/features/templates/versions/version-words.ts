import type { TemplateVersion } from '#contract/template-versions.ts';
import { channelLooks } from '#web/ui/channel-looks.ts';

/** The fields of a version as comparable texts, with their labels. */
export const fieldsOf = ({ name, description, content, variables }: TemplateVersion) => [
  { label: 'Name', text: name },
  { label: 'Description', text: description },
  { label: 'Type', text: channelLooks[content.type].name },
  { label: 'Format', text: content.format === 'markdown' ? 'Markdown' : '' },
  { label: 'Subject', text: content.subject },
  { label: 'Message', text: content.body },
  { label: 'Variables', text: variables.variables.map(variableText).join('\n') },
];

function variableText(variable: TemplateVersion['variables']['variables'][number]): string {
  const { name, type, required, defaultValue, description } = variable;
  return [
    `${name} (${type}, ${required ? 'required' : 'optional'})`,
    ...(defaultValue === '' ? [] : [`default “${defaultValue}”`]),
    ...(description === '' ? [] : [description]),
  ].join(', ');
}

import { customerSuccessTemplates } from './customer-success.ts';
import { operationsTemplates } from './operations.ts';
import { propertyTemplates } from './property.ts';
import type { StarterTemplate } from './starter-template.ts';

export type StarterGroup = { title: string; templates: readonly StarterTemplate[] };

/** The starter templates, grouped by who they are for. */
export const starterGroups: readonly StarterGroup[] = [
  { title: 'Property managers', templates: propertyTemplates },
  { title: 'Operations', templates: operationsTemplates },
  { title: 'Customer success', templates: customerSuccessTemplates },
];

/** The groups with the templates whose name, description or text contains the words. A group without one is left out. */
export function starterTemplates(search: string): readonly StarterGroup[] {
  const words = folded(search).split(/\s+/).filter(Boolean);
  return starterGroups
    .map(({ title, templates }) => ({
      title,
      templates: templates.filter(({ name, description, content }) => {
        const all = folded([title, name, description, content.subject, content.body].join(' '));
        return words.every((word) => all.includes(word));
      }),
    }))
    .filter(({ templates }) => templates.length > 0);
}

const folded = (text: string) => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();

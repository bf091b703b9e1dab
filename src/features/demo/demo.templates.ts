import type { TemplateCategoryInput } from '#contract/template-categories.ts';
import type { StarterTemplate } from '#domain/starter-templates/starter-template.ts';
import { starterGroups } from '#domain/starter-templates/starter-templates.ts';

/** The categories of the demo, and which of the starter templates are in each. */
export const demoCategories: (TemplateCategoryInput & { slugs: readonly string[] })[] = [
  {
    name: 'Rent',
    description: 'What is due, and what has not arrived',
    color: '#22c55e',
    slugs: ['rent-due', 'rent-overdue', 'rent-due-sms', 'payment-failed'],
  },
  {
    name: 'Inspections',
    description: 'Visits that tenants have to know of',
    color: '#3b82f6',
    slugs: ['inspection-notice', 'inspection-sms'],
  },
  {
    name: 'Leases',
    description: 'Renewals and appointments',
    color: '#8b5cf6',
    slugs: ['lease-renewal', 'appointment', 'check-in'],
  },
  {
    name: 'Maintenance',
    description: 'Repairs, water and heating',
    color: '#f97316',
    slugs: ['repair-visit', 'water-off-sms', 'certificate-expiry'],
  },
  { name: 'Team', description: 'For the office', color: '#f43f5e', slugs: ['on-call-handover', 'shift-sms'] },
];

const starters = starterGroups.flatMap(({ templates }) => templates);

/** A starter template. Throws where there is none with this slug. */
export function starterNamed(slug: string): StarterTemplate {
  const found = starters.find((starter) => starter.slug === slug);
  if (found === undefined) throw new Error(`there is no starter template ${slug}`);
  return found;
}

/** The four tabs with their fields; a field belongs to the first tab that lists it. */
export const formTabs = [
  {
    id: 'basic',
    label: 'Basic Info',
    fields: ['name', 'description', 'status', 'schedule_config.type', 'metadata.priority'],
  },
  { id: 'schedule', label: 'Schedule', fields: ['schedule_config', 'metadata.misfire'] },
  { id: 'channels', label: 'Channels', fields: ['metadata', 'content.recipients', 'entries.recipients'] },
  { id: 'content', label: 'Content', fields: ['content'] },
] as const;

export type FormTab = (typeof formTabs)[number]['id'];

/** The tabs with errors, in order. */
export function tabsWithErrors(paths: readonly string[]): FormTab[] {
  const wrong = new Set(paths.map(tabOf));
  return formTabs.map(({ id }) => id).filter((id) => wrong.has(id));
}

const tabOf = (path: string): FormTab | undefined =>
  formTabs.find(({ fields }) => fields.some((field) => path === field || path.startsWith(`${field}.`)))?.id;

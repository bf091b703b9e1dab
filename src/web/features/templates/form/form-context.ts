import { createFormContext } from '@mantine/form';
import type { TemplateDraft } from './draft.ts';

export const [TemplateFormProvider, useTemplateFormContext, useTemplateForm] = createFormContext<TemplateDraft>();

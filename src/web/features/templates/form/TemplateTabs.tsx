import { FormTabs } from '#web/ui/FormTabs.tsx';
import { BasicInfoTab } from './BasicInfoTab.tsx';
import { ContentTab } from './ContentTab.tsx';
import { useTemplateFormContext } from './form-context.ts';
import { VariablesTab } from './VariablesTab.tsx';

export function TemplateTabs({ refusals }: { refusals: number }) {
  const { errors } = useTemplateFormContext();
  return (
    <FormTabs
      label="Parts of the template"
      tabs={[
        { id: 'basic', label: 'Basic Info', panel: <BasicInfoTab /> },
        { id: 'content', label: 'Content', panel: <ContentTab /> },
        { id: 'variables', label: 'Variables', panel: <VariablesTab /> },
      ]}
      errors={errors}
      tabOf={tabOf}
      refusals={refusals}
    />
  );
}

function tabOf(path: string) {
  if (path.startsWith('content')) return 'content';
  return path.startsWith('variables') || path.startsWith('entry') ? 'variables' : 'basic';
}

import { Select } from '@mantine/core';
import { misfirePolicies } from '#contract/misfire.ts';
import { misfireOf, misfireWords } from '#web/features/workspaces/misfire-words.ts';
import { useWorkspace } from '#web/features/workspaces/WorkspaceProvider.tsx';
import { useReminderFormContext } from './form-context.ts';

/** What is done with occurrences that were missed; by default what the workspace says. */
export function MisfireField() {
  const form = useReminderFormContext();
  const usual = misfireWords[misfireOf(useWorkspace().workspace.settings)];
  return (
    <Select
      label="Missed occurrences"
      description="For when Cuebird was not running at the time."
      data={[
        { value: '', label: `Workspace's default (${usual.charAt(0).toLowerCase()}${usual.slice(1)})` },
        ...misfirePolicies.map((value) => ({ value, label: misfireWords[value] })),
      ]}
      allowDeselect={false}
      value={form.values.metadata.misfire ?? ''}
      error={form.errors['metadata.misfire']}
      onChange={(chosen) =>
        form.setFieldValue(
          'metadata.misfire',
          misfirePolicies.find((one) => one === chosen),
        )
      }
    />
  );
}

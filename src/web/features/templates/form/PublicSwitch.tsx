import { Button, Group, Switch } from '@mantine/core';
import { useChangeSettings } from '#web/features/workspaces/use-change-settings.ts';
import { useWorkspace } from '#web/features/workspaces/WorkspaceProvider.tsx';
import { useTemplateFormContext } from './form-context.ts';

/**
 * Makes the template public. It has no effect until the workspace allows public templates, which an admin can do here.
 */
export function PublicSwitch() {
  const form = useTemplateFormContext();
  const { settings, demo_until: demoUntil } = useWorkspace().workspace;
  const isAllowed = settings.allowPublicTemplates === true;
  const isDemo = demoUntil !== null;
  const { mayChange, change, isPending } = useChangeSettings();
  return (
    <div>
      <Switch
        label="Public"
        // Without it, the accessible name would include the description.
        aria-label="Public"
        description={isDemo ? onlyHere : isAllowed ? shown : mayChange ? offForAdmins : offForMembers}
        {...form.getInputProps('is_public', { type: 'checkbox' })}
      />
      {!isDemo && !isAllowed && mayChange && (
        <Group mt={8}>
          <Button
            size="xs"
            variant="default"
            loading={isPending}
            onClick={() => void change({ allowPublicTemplates: true })}
          >
            Allow public templates
          </Button>
        </Group>
      )}
    </div>
  );
}

const shown = 'Everybody on this installation can see and copy it.';
const onlyHere = 'The templates of a demo are shown to nobody else.';
const off = 'Public templates are off in this workspace: nobody outside it sees this one.';
const offForAdmins = `${off} Once allowed, everybody on this installation sees all that are marked public.`;
const offForMembers = `${off} Ask an admin to allow them.`;

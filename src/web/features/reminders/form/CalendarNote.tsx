import { useRememberedWorkspaceId } from '#web/api/current-workspace.ts';
import { TextLink } from '#web/ui/links.tsx';

/** Instead of a schedule: what the calendar decides is changed there. */
export function CalendarNote() {
  const workspaceId = useRememberedWorkspaceId();
  return (
    <p>
      A calendar decides when this reminder is sent: before each of its events.{' '}
      {workspaceId !== null && (
        <TextLink to="/admin/workspace/$workspaceId/manage" params={{ workspaceId }} underline="always">
          Change the calendar
        </TextLink>
      )}
    </p>
  );
}

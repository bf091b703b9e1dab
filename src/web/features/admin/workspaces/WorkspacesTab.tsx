import { useQuery } from '@tanstack/react-query';
import { workspacesQuery } from '#web/api/workspaces.ts';
import { TextLink } from '#web/ui/links.tsx';
import { Loaded, RecordSection } from '#web/ui/Record.tsx';

/** The workspaces that the person owns or administers. */
export default function WorkspacesTab() {
  const found = useQuery(workspacesQuery);
  return (
    <RecordSection title="Workspaces">
      <Loaded of={found} failed="Error loading workspaces">
        {(workspaces) => (
          <ul>
            {workspaces
              .filter(({ role }) => role !== 'member')
              .map(({ id, name }) => (
                <li key={id}>
                  <TextLink to="/admin/workspace/$workspaceId/manage" params={{ workspaceId: id }} target="_blank">
                    {name}
                  </TextLink>
                </li>
              ))}
          </ul>
        )}
      </Loaded>
    </RecordSection>
  );
}

import type { Workspace } from '#contract/workspaces.ts';
import { pictureUrl } from '#web/api/picture-url.ts';
import { useSetWorkspacePicture } from '#web/api/workspace-picture.ts';
import { PictureField } from '#web/ui/picture/PictureField.tsx';
import { RecordSection } from '#web/ui/Record.tsx';

/** The picture by which members and recipients know the workspace. Admins and owners change it. */
export function WorkspacePicture({ workspace }: { workspace: Workspace }) {
  const { mutateAsync, isPending } = useSetWorkspacePicture(workspace.id);
  return (
    <RecordSection title="Picture">
      <PictureField
        name={workspace.name}
        src={pictureUrl(workspace.avatar_url, workspace.id)}
        isRound={false}
        isBusy={isPending}
        note="A PNG, JPEG or WebP; its middle is used. It stands beside the name where workspaces are switched, and at the head of mails where your plan includes white-label."
        onChange={mutateAsync}
      />
    </RecordSection>
  );
}

import type { Profile } from '#contract/profile.ts';
import { rememberedWorkspaceId } from '#web/api/current-workspace.ts';
import { pictureUrl } from '#web/api/picture-url.ts';
import { useSetOwnPicture } from '#web/api/profile.ts';
import { PictureField } from '#web/ui/picture/PictureField.tsx';
import { RecordSection } from '#web/ui/Record.tsx';

/** The picture by which the members of one's workspaces recognise the person. */
export function OwnPicture({ profile }: { profile: Profile }) {
  const { mutateAsync, isPending } = useSetOwnPicture();
  return (
    <RecordSection title="Picture">
      <PictureField
        name={profile.full_name || profile.email}
        src={pictureUrl(profile.avatar_url, rememberedWorkspaceId())}
        isRound
        isBusy={isPending}
        isDisabled={profile.is_demo}
        note="A PNG, JPEG or WebP; its middle is used. The members of your workspaces see it."
        onChange={mutateAsync}
      />
    </RecordSection>
  );
}

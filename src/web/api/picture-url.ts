/** The address of a picture for an `<img>`, which cannot send the header that names the workspace; null without a picture. */
export const pictureUrl = (avatarUrl: string | null | undefined, workspaceId: string | null): string | null =>
  avatarUrl && workspaceId ? `${avatarUrl}?workspace=${workspaceId}` : null;

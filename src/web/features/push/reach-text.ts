import { counted } from '#domain/in-words.ts';

/** How many browsers and members a push message of the workspace reaches. */
export function reachText({ browsers, members }: { browsers: number; members: number }): string {
  if (browsers === 0) return 'Nobody in this workspace has turned push on yet.';
  return `Push reaches ${counted(browsers, 'browser')} of ${counted(members, 'member')} of this workspace.`;
}

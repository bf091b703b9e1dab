/** The id of the workspace at the end of an invitation's token; null where the text is no token. */
export function workspaceInToken(token: string): string | null {
  if (!/^[\w-]{64}$/.test(token)) return null;
  const bytes = Uint8Array.from(atob(token.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0));
  const hex = Array.from(bytes.slice(32), (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

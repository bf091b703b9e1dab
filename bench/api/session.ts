/** A signed-in user whose requests list the reminders of their workspace. */
export type Session = { workspaceId: string; path: string; headers: Record<string, string> };

/** Signs up a user with a workspace, like a browser. */
export async function signUp(url: string): Promise<Session> {
  const post = async (path: string, { body, cookie = '' }: { body: object; cookie?: string }) => {
    const headers = { 'content-type': 'application/json', origin: url, cookie };
    const response = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    return response;
  };
  const person = { name: 'Dana', email: 'dana@example.com', password: 'correct horse battery' };
  const signedUp = await post('/api/auth/sign-up/email', { body: person });
  const cookie = signedUp.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  const created = await post('/api/workspaces', { body: { name: 'Elm Street' }, cookie });
  const { id }: { id: string } = JSON.parse(await created.text());
  return { workspaceId: id, path: '/api/reminders', headers: { cookie, 'x-workspace-id': id } };
}

import { personWith, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';

export type DemoVisitor = { person: TestPerson; workspace: string };

/** A click on Watch Demo. */
export const beginDemoAt = (url: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${url}/api/demo`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ timezone: 'Europe/Berlin' }),
  });

/** One click on Watch Demo, in a browser of its own. Throws unless it leads into one workspace. */
export async function visitDemo({ url }: Pick<TestCuebird, 'url'>): Promise<DemoVisitor> {
  const response = await beginDemoAt(url);
  if (response.status !== 201) throw new Error(`The demo answered ${response.status}: ${await response.text()}`);
  const cookie = response.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  const person = personWith(url, { userId: '', email: '', cookie });
  const { json } = await person.call('GET', '/api/workspaces');
  if (json.data.length !== 1) throw new Error(`The demo leads into ${json.data.length} workspaces.`);
  return { person, workspace: json.data[0].id };
}

export const getAs = ({ person, workspace }: DemoVisitor, path: string) => person.call('GET', path, { workspace });
export const postAs = ({ person, workspace }: DemoVisitor, path: string, body: unknown) =>
  person.call('POST', path, { workspace, body });

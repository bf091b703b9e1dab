import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Client } from 'pg';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';

describe('the contacts as a file', () => {
  let cuebird: TestCuebird;
  let dana: TestPerson;
  let owner: Client;
  let workspace: string;
  beforeEach(async () => {
    cuebird = await startTestCuebird();
    dana = await cuebird.signUp('Dana');
    workspace = await dana.createWorkspace('Elm Street');
    owner = cuebird.owner;
  });
  afterEach(async () => {
    await cuebird.stop();
  });

  /** A page has 200. */
  const write = (contacts: number, { bytes }: { bytes: number }) =>
    owner.query(
      `insert into contacts (workspace_id, name, variables)
       select $1, 'C' || lpad(n::text, 4, '0'), jsonb_build_object('note', $2::text || n) from generate_series(1, $3::int) n`,
      [workspace, 'x'.repeat(bytes), contacts],
    );
  const open = () =>
    fetch(`${cuebird.url}/api/contacts/export`, {
      headers: { cookie: dana.cookie, 'x-workspace-id': workspace, 'accept-encoding': 'identity' },
    });

  it('contains each contact once, in the order of the list', async () => {
    await write(450, { bytes: 6_000 });
    const lines = (await (await open()).text()).trimEnd().split('\r\n');
    expect(lines[0]).toBe(
      'Name,Salutation,First name,Last name,Email,Phone,Timezone,Language,Preferred channel,Note,note',
    );
    expect(lines.slice(1).map((line) => line.slice(0, 5))).toEqual(
      Array.from({ length: 450 }, (_, at) => `C${String(at + 1).padStart(4, '0')}`),
    );
  });

  it('leaves the column of a value empty for a contact without it, whatever it is called', async () => {
    await owner.query(
      `insert into contacts (workspace_id, name, variables) values ($1, 'Ada', '{"constructor": "Elm", "__proto__": "Oak"}'), ($1, 'Ben', '{}')`,
      [workspace],
    );
    const [head, ada, ben] = (await (await open()).text()).split('\r\n');
    expect(head).toMatch(/,Note,__proto__,constructor$/);
    expect([ada, ben]).toEqual([`Ada${','.repeat(10)}Oak,Elm`, `Ben${','.repeat(11)}`]);
  });

  it('aborts when a later page cannot be read, so that a partial file is not taken as complete', async () => {
    // A page is more than the buffers between database and client hold.
    await write(650, { bytes: 60_000 });
    const response = await open();
    expect(response.status).toBe(200);
    await owner.query('alter table contacts rename to contacts_elsewhere');
    await expect(response.text()).rejects.toThrow('terminated');
  });

  it('is refused with more than 1,000 columns', async () => {
    await owner.query(
      `insert into contacts (workspace_id, name, variables)
       select $1, 'C' || n, jsonb_build_object('v' || n, '') from generate_series(1, 1001) n`,
      [workspace],
    );
    const response = await open();
    expect(response.status).toBe(422);
    expect(await response.text()).toContain('more than 1,000 different values');
  });
});

import type { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { jpegOf, webpOf } from '#testing/other-pictures.ts';
import { addMember } from '#testing/owner.ts';
import { dataUrlOf, pngOf, pngWith, samplePicture } from '#testing/sample-picture.ts';

const html = Buffer.from('<script>alert(document.domain)</script>');
const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
const [header, pixels, end] = ['IHDR', 'IDAT', 'IEND'].map((type) => chunkOf(pngOf(4), type)) as [Chunk, Chunk, Chunk];

type Chunk = [string, Buffer];

function chunkOf(png: Buffer, type: string): Chunk {
  const at = png.indexOf(type);
  return [type, png.subarray(at + 4, at + 4 + png.readUInt32BE(at - 4))];
}

describe('the pictures of people and workspaces', () => {
  let cuebird: TestCuebird;
  let database: Client;
  let dana: TestPerson;
  let erin: TestPerson;
  let outsider: TestPerson;
  let workspace: string;
  let elsewhere: string;
  beforeAll(async () => {
    cuebird = await startTestCuebird();
    database = cuebird.owner;
    [dana, erin, outsider] = [
      await cuebird.signUp('Dana'),
      await cuebird.signUp('Erin'),
      await cuebird.signUp('Outsider'),
    ];
    workspace = await dana.createWorkspace('Elm Street');
    elsewhere = await outsider.createWorkspace('Next door');
    await addMember(database, { workspace, userId: erin.userId, role: 'member' });
  });
  afterAll(() => cuebird.stop());

  const set = (as: TestPerson, picture: string) => as.call('PUT', '/api/profile/picture', { body: { picture } });
  const setOfWorkspace = (as: TestPerson, of: string) =>
    as.call('PUT', `/api/workspaces/${of}/picture`, { workspace: of, body: { picture: samplePicture.dataUrl } });
  const get = (as: TestPerson, path: string) =>
    fetch(`${cuebird.url}${path}`, { headers: { cookie: as.cookie }, redirect: 'manual' });

  const stored = async (userId: string): Promise<Buffer | undefined> =>
    (await database.query<{ bytes: Buffer }>('select bytes from pictures where user_id = $1', [userId])).rows[0]?.bytes;

  it('are shown to who shares a workspace, as an image that runs nothing, under an address that never changes', async () => {
    const { status, json } = await set(dana, dataUrlOf(pngOf(256)));
    expect(status).toBe(200);
    const url = `${json.avatar_url}?workspace=${workspace}`;
    const { json: members } = await erin.call('GET', `/api/workspaces/${workspace}/members`, { workspace });
    expect(members.data[0]).toMatchObject({ full_name: 'Dana', avatar_url: json.avatar_url });
    for (const person of [dana, erin]) {
      const response = await get(person, url);
      expect(response.status).toBe(200);
      expect(Buffer.from(await response.arrayBuffer())).toEqual(pngOf(256));
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'content-type': 'image/png',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
        'cache-control': 'private, max-age=31536000, immutable',
        'cross-origin-resource-policy': 'same-origin',
      });
    }
    expect((await get(outsider, url)).status).toBe(404);
    expect((await get(outsider, `${json.avatar_url}?workspace=${elsewhere}`)).status).toBe(404);
    expect((await fetch(`${cuebird.url}${url}`)).status).toBe(401);
    // Another picture has another address, and this one shows nothing from then on.
    const next = await set(dana, samplePicture.dataUrl);
    expect(next.json.avatar_url).toMatch(new RegExp(`${samplePicture.sha256}$`));
    expect((await get(dana, url)).status).toBe(404);
  });

  it('of a person are no longer shown to somebody who was removed', async () => {
    const guest = await cuebird.signUp('Guest');
    await addMember(database, { workspace, userId: guest.userId, role: 'member' });
    const { json } = await set(dana, samplePicture.dataUrl);
    const url = `${json.avatar_url}?workspace=${workspace}`;
    expect((await get(guest, url)).status).toBe(200);
    await database.query('delete from workspace_members where user_id = $1', [guest.userId]);
    expect((await get(guest, url)).status).toBe(404);
  });

  it('are removed', async () => {
    const { json } = await set(dana, samplePicture.dataUrl);
    expect((await dana.call('DELETE', '/api/profile/picture')).json).toMatchObject({ avatar_url: null });
    expect((await get(dana, `${json.avatar_url}?workspace=${workspace}`)).status).toBe(404);
    expect(await stored(dana.userId)).toBeUndefined();
  });

  it('of a workspace are set by its admins and owners, shown to its members, and logged', async () => {
    const { status, json } = await setOfWorkspace(dana, workspace);
    expect(status).toBe(200);
    const { json: known } = await erin.call('GET', '/api/workspaces');
    expect(known.data[0]).toMatchObject({ name: 'Elm Street', avatar_url: json.avatar_url });
    expect((await get(erin, `${json.avatar_url}?workspace=${workspace}`)).status).toBe(200);
    expect((await get(outsider, `${json.avatar_url}?workspace=${workspace}`)).status).toBe(404);
    expect((await get(outsider, `${json.avatar_url}?workspace=${elsewhere}`)).status).toBe(404);
    expect((await setOfWorkspace(erin, workspace)).status).toBe(403);
    expect((await setOfWorkspace(outsider, workspace)).status).toBe(404);
    const other = await outsider.call('PUT', `/api/workspaces/${workspace}/picture`, {
      workspace: elsewhere,
      body: { picture: samplePicture.dataUrl },
    });
    expect(other.status).toBe(404);
    const gone = await dana.call('DELETE', `/api/workspaces/${workspace}/picture`, { workspace });
    expect(gone.json).toEqual({ removed: true });
    expect((await erin.call('GET', '/api/workspaces')).json.data[0].avatar_url).toBeNull();
    const { rows } = await database.query("select actor_id from audit_log where action = 'workspace.picture_changed'");
    expect(rows).toEqual([{ actor_id: dana.userId }, { actor_id: dana.userId }]);
  });

  it.each([
    ['an SVG', dataUrlOf(svg, 'image/svg+xml')],
    ['an SVG that says it is a PNG', dataUrlOf(svg)],
    ['HTML that says it is a JPEG', dataUrlOf(html, 'image/jpeg')],
    ['HTML behind the signature of a PNG', dataUrlOf(Buffer.concat([pngOf(4).subarray(0, 8), html]))],
    ['HTML behind the first chunk of a PNG', dataUrlOf(Buffer.concat([pngOf(4).subarray(0, 33), html]))],
    ['a PNG with a page behind its end', dataUrlOf(Buffer.concat([pngOf(4), html]))],
    ['a JPEG with a page behind its end', dataUrlOf(Buffer.concat([jpegOf(), html]), 'image/jpeg')],
    ['a WebP with a page behind its end', dataUrlOf(Buffer.concat([webpOf(), html]), 'image/webp')],
    ['a PNG with a wrong checksum', dataUrlOf(Buffer.from(pngOf(4).map((byte, at) => (at === 20 ? byte + 1 : byte))))],
    ['a PNG without pixels', dataUrlOf(pngWith([header, end]))],
    ['a PNG that ends too early', dataUrlOf(pngOf(64).subarray(0, -12))],
    ['a PNG whose second size is the real one', dataUrlOf(pngWith([header, ['IHDR', header[1]], pixels, end]))],
    ['a JPEG that ends too early', dataUrlOf(jpegOf().subarray(0, -2), 'image/jpeg')],
    ['an animation', dataUrlOf(webpOf([['ANIM', Buffer.alloc(6)]]), 'image/webp')],
    ['a GIF', dataUrlOf(Buffer.from('GIF89a\x01\x00\x01\x00\x00\x00\x00;', 'latin1'), 'image/gif')],
    ['a PNG that says it is a JPEG', dataUrlOf(pngOf(4), 'image/jpeg')],
    ['a PNG of 60,000 pixels', dataUrlOf(hugeSides())],
    ['a PNG wider than 1,024 pixels', dataUrlOf(pngOf(1_025, 1))],
    [
      'a PNG without height',
      dataUrlOf(pngWith([['IHDR', Buffer.concat([Buffer.alloc(8), header[1].subarray(8)])], pixels, end])),
    ],
    ['nothing', 'data:image/png;base64,'],
    ['one byte', 'data:image/png;base64,AA=='],
    ['the address of a picture', 'https://example.com/me.png'],
    ['more than 256 KiB', dataUrlOf(Buffer.alloc(256 * 1024 + 1))],
  ])('are refused when they are %s', async (_, picture) => {
    const { status, json } = await set(erin, picture);
    expect(status).toBe(400);
    expect(json.error.fields).toMatchObject([{ path: 'picture' }]);
    expect(await stored(erin.userId)).toBeUndefined();
  });

  it('are not read beyond their bound', async () => {
    const { status } = await set(erin, `data:image/png;base64,${'A'.repeat(400_000)}`);
    expect(status).toBe(413);
  });

  it('are stored without places, cameras and comments', async () => {
    const secret = Buffer.from('taken at 52.52, 13.40');
    const keeper = await cuebird.signUp('Keeper');
    for (const [type, bytes] of [
      ['image/png', pngWith([header, ['tEXt', secret], ['eXIf', secret], pixels, end])],
      ['image/jpeg', jpegOf(secret)],
      ['image/webp', webpOf([['EXIF', secret]])],
    ] as const) {
      expect((await set(keeper, dataUrlOf(bytes, type))).status).toBe(200);
      const kept = await stored(keeper.userId);
      expect(kept?.length).toBeLessThan(bytes.length);
      expect(kept?.includes('52.52')).toBe(false);
      // What was kept is a whole picture itself.
      expect((await set(keeper, dataUrlOf(kept ?? Buffer.alloc(0), type))).status).toBe(200);
    }
  });
});

function hugeSides(): Buffer {
  const huge = Buffer.from(header[1]);
  huge.writeUInt32BE(60_000, 0);
  huge.writeUInt32BE(60_000, 4);
  return pngWith([['IHDR', huge], pixels, end]);
}

import { z } from 'zod';
import { Id } from '#contract/common.ts';
import { del, get, put } from '#contract/route.ts';

const pictureTypes = ['image/png', 'image/jpeg', 'image/webp'] as const;
export type PictureType = (typeof pictureTypes)[number];

/** The most bytes of a picture, and the most pixels of its sides. */
export const maxPictureBytes = 256 * 1024;
export const maxPictureSide = 1_024;

const base64Characters = 4 * Math.ceil(maxPictureBytes / 3);

/** A picture as `HTMLCanvasElement.toDataURL` writes it. */
export const PictureInput = z.strictObject({
  picture: z
    .string()
    .max(base64Characters + 100, `must be at most ${maxPictureBytes / 1024} KiB`)
    .regex(/^data:image\/[a-z+]{3,10};base64,[A-Za-z0-9+/]+={0,2}$/, 'must be a data URL of a picture, in base64'),
});

/** The largest body of such a request, in KiB: the largest picture in base64, and the JSON around it. */
export const pictureBodyKiB = Math.ceil(base64Characters / 1024) + 1;

export const PictureHash = z.string().regex(/^[0-9a-f]{64}$/, 'must be the picture’s SHA-256 in hexadecimal');
/** The workspace is in the query, because an `<img>` cannot send a header. */
const InWorkspace = z.strictObject({ workspace: z.uuid().optional() });

export const pictureRoutes = {
  getPersonPicture: get('/api/people/:id/picture/:hash', {
    access: 'member',
    summary: "A person's picture, for who shares the workspace of the request with them",
    params: z.object({ id: Id, hash: PictureHash }),
    query: InWorkspace,
    answer: 'file',
  }),
  getWorkspacePicture: get('/api/workspaces/:id/picture/:hash', {
    access: 'member',
    summary: "The current workspace's picture",
    params: z.object({ id: Id, hash: PictureHash }),
    query: InWorkspace,
    answer: 'file',
  }),
  setWorkspacePicture: put('/api/workspaces/:id/picture', {
    access: 'admin',
    callers: 'people',
    summary: 'Give the current workspace a picture',
    body: PictureInput,
    maxBodyKiB: pictureBodyKiB,
    limit: { usage: 'pictures' },
    answer: z.object({ avatar_url: z.string() }),
  }),
  removeWorkspacePicture: del('/api/workspaces/:id/picture', {
    access: 'admin',
    callers: 'people',
    summary: "Remove the current workspace's picture",
    answer: z.object({ removed: z.literal(true) }),
  }),
};

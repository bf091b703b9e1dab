import { z } from 'zod';
import { Id } from '#contract/common.ts';
import { PictureHash } from '#contract/pictures.ts';
import { get } from '#contract/route.ts';

export const logoRoutes = {
  getLogo: get('/api/logos/:id/:hash', {
    inMaintenance: true,
    access: 'public',
    summary: "A workspace's picture for its recipients, where its plan includes white-label",
    params: z.object({ id: Id, hash: PictureHash }),
    answer: 'file',
  }),
};

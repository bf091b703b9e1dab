import { z } from 'zod';
import { ErrorAnswer } from '#contract/errors.ts';
import type { Route } from '#contract/route.ts';
import { Invalid } from '#platform/errors.ts';
import { type PublicPage, refusedPage } from '#platform/public-page.ts';

type Input = { params: unknown; request: Request; clientAddress: string; readBody: () => Promise<Buffer> };

/** A page as two routes, which are no part of the API: one that shows it, and one that its forms are sent to. They work in maintenance too. */
export function routesOf({ path, show, act }: PublicPage): { route: Route; handler: (input: Input) => unknown }[] {
  const common = { path, access: 'public', inMaintenance: true, answer: 'file', params: Params } as const;
  return [
    {
      route: { ...common, method: 'get', summary: 'Show the page' },
      handler: ({ params, ...of }) => show({ ...of, params: Params.parse(params) }),
    },
    {
      route: { ...common, method: 'post', summary: 'Send a form of the page', maxBodyKiB: 16 },
      handler: async ({ params, readBody, ...of }) =>
        act({ ...of, params: Params.parse(params), fields: await readFields(of.request, readBody) }),
    },
  ];
}

const Params = z.object({}).catchall(z.string());

/** The fields of a form. Throws Invalid for a body that no form of a page sends. */
async function readFields(request: Request, readBody: () => Promise<Buffer>): Promise<URLSearchParams> {
  if (!/^application\/x-www-form-urlencoded\b/i.test(request.headers.get('content-type') ?? ''))
    throw new Invalid([{ path: '', message: 'Send the fields of the form' }]);
  const fields = new URLSearchParams((await readBody()).toString('utf8'));
  if (new Set(fields.keys()).size !== fields.size) throw new Invalid([{ path: '', message: 'A field is given twice' }]);
  return fields;
}

/** A refusal in the API's shape as a page of the sender, with the same status and words. Other answers stay as they are. */
export async function asPage(answer: Response, brandOf: () => ReturnType<PublicPage['brandOf']>): Promise<Response> {
  if (!(answer.headers.get('content-type') ?? '').startsWith('application/json')) return answer;
  const { status, headers } = answer;
  const parsed = ErrorAnswer.safeParse(await answer.json());
  const retryAfter = headers.get('retry-after');
  return refusedPage({
    status,
    // Where the server cannot work, nothing more is asked of it.
    brand: status >= 500 ? null : await brandOf().catch(() => null),
    ...(status === 404
      ? {
          title: 'This link does not work',
          text: 'It may be incomplete. Open it from the message, or answer the message and ask the sender to stop.',
        }
      : { title: 'This did not work', text: parsed.success ? parsed.data.error.message : 'Try again in a minute.' }),
    headers: retryAfter === null ? {} : { 'retry-after': retryAfter },
  });
}

import { z } from 'zod';
import type { Network, SmtpAnswer } from '#delivery/adapter.ts';
import type { HttpAnswer, HttpRequest } from '#platform/outbound/http.ts';
import type { Request } from '#simulation/history.ts';
import { channelHeader } from '#simulation/scenario.ts';
import type { Process } from '#simulation/world.ts';

const never = new Promise<never>(() => {});

/** The network as one worker reaches it. A request that was sent arrives or not, whatever happens to the worker. */
export function createOutside(process: Process): Network {
  async function send(destination: string, request: Request): Promise<HttpAnswer> {
    const { world, state, name } = process;
    const asked = world.history.moment();
    world.timeline.touch();
    await state.pass();
    const result = world.networkFaults.resultAt(destination);
    world.history.record({ kind: 'request', worker: name, request, asked, result });
    world.fire();
    if (process.happens('dies', 1)) return die('with a request sent');
    if (process.happens('freezes', 1)) process.freeze('with a request sent');
    await world.timeline.sleep(result.latencyMs);
    await state.pass();
    return process.happens('dies', 1) ? die('with an answer received') : result.answer;
  }

  function die(where: string): Promise<never> {
    process.die(where);
    return never;
  }

  return {
    http: { request: (request) => send(new URL(request.url).origin, reported(request)), close: async () => {} },
    smtp: {
      send: async (server, mail) => {
        const deliveryId = mail.headers['X-Entity-Ref-ID'] ?? '';
        const request: Request = {
          channel: 'email',
          channelId: null,
          deliveryId,
          recipient: mail.to.address,
          attempt: null,
        };
        return asMail(await send(server.smtp_host, request));
      },
      close: () => {},
    },
    now: () => Temporal.Instant.fromEpochMilliseconds(process.world.timeline.nowMs()),
  };
}

const Body = z.object({ id: z.string(), data: z.object({ recipient: z.string(), attempt: z.number() }) });

function reported({ url, headers, body }: HttpRequest): Request {
  const { id, data } = Body.parse(JSON.parse(String(body)));
  const channel = url.startsWith('https://sms.') ? 'sms' : 'webhook';
  const named = headers.indexOf(channelHeader);
  const channelId = named === -1 ? null : (headers[named + 1] ?? null);
  return { channel, channelId, deliveryId: id, recipient: data.recipient, attempt: data.attempt };
}

function asMail(answer: HttpAnswer): SmtpAnswer {
  if (answer.kind !== 'answer') return answer;
  if (answer.status < 300) return { kind: 'accepted', response: '250 2.0.0 Ok: queued as 1' };
  const isPermanent = answer.status < 500 && answer.status !== 429;
  return { kind: 'declined', step: 'message', words: `${answer.status}`, isPermanent };
}

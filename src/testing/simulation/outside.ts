import { z } from 'zod';
import type { Network } from '#delivery/adapter.ts';
import type { SmtpAnswer } from '#delivery/email/smtp-pools.ts';
import type { HttpAnswer, HttpRequest } from '#platform/outbound/http.ts';
import type { Request } from '#testing/simulation/history.ts';
import { channelHeader } from '#testing/simulation/scenario.ts';
import type { Place } from '#testing/simulation/worker.ts';

const never = new Promise<never>(() => {});

/** The network as one worker reaches it. What is handed over arrives or not, whatever becomes of the worker. */
export function createOutside(place: Place): Network {
  async function handOver(destination: string, request: Request): Promise<HttpAnswer> {
    const { world, life, name } = place;
    const asked = world.history.moment();
    world.timeline.touch();
    await life.pass();
    const fate = world.weather.fateAt(destination);
    world.history.tell({ kind: 'request', worker: name, request, asked, fate });
    world.spring();
    if (place.strikes('dies', 1)) return die('with a request sent');
    if (place.strikes('freezes', 1)) place.freeze('with a request sent');
    await world.timeline.sleep(fate.latencyMs);
    await life.pass();
    return place.strikes('dies', 1) ? die('with an answer in hand') : fate.answer;
  }

  function die(where: string): Promise<never> {
    place.die(where);
    return never;
  }

  return {
    http: { request: (request) => handOver(new URL(request.url).origin, told(request)), close: async () => {} },
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
        return asMail(await handOver(server.smtp_host, request));
      },
      close: () => {},
    },
    now: () => Temporal.Instant.fromEpochMilliseconds(place.world.timeline.nowMs()),
  };
}

const Body = z.object({ id: z.string(), data: z.object({ recipient: z.string(), attempt: z.number() }) });

function told({ url, headers, body }: HttpRequest): Request {
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

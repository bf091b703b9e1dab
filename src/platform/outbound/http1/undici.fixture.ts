import { Client, type Dispatcher } from 'undici';

/** What an HTTP client made of an answer, in a form that two of them can be compared by. */
export type Seen =
  | { kind: 'answer'; status: number; headers: Record<string, string | string[]>; body: string; isComplete: boolean }
  | { kind: 'lost' };

export const mostBytes = 16 * 1024;

/** One connection by undici, one request after the other. */
export function undiciClient(origin: string) {
  const client = new Client(origin, { pipelining: 1, headersTimeout: 0, bodyTimeout: 0, allowH2: false });
  return {
    request(request: { path: string; body: string; headers: string[] }): Promise<Seen> {
      return new Promise((resolve) => client.dispatch({ ...request, method: 'POST' }, handlerFor(resolve)));
    },
    close: () => client.destroy(),
  };
}

function handlerFor(resolve: (seen: Seen) => void): Dispatcher.DispatchHandler {
  let status = 0;
  let headers: Record<string, string | string[]> = {};
  const chunks: Buffer[] = [];
  const settle = (isComplete: boolean) => {
    if (status === 0) return resolve({ kind: 'lost' });
    const bytes = Buffer.concat(chunks);
    const body = bytes.subarray(0, mostBytes).toString('utf8').replaceAll('\0', '');
    resolve({ kind: 'answer', status, headers, body, isComplete: isComplete && bytes.length <= mostBytes });
  };
  return {
    onRequestStart() {},
    onResponseStart(_, code, given) {
      if (code < 200) return;
      status = code;
      headers = Object.fromEntries(
        Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
      );
    },
    onResponseData: (_, chunk) => void chunks.push(Buffer.from(chunk)),
    onResponseEnd: () => settle(true),
    onResponseError: () => settle(false),
  };
}

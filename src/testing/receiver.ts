import type { HttpAnswer, HttpRequest } from '#platform/outbound/http.ts';

/** What the other side of a webhook does with each request. */
export type Receiver = (request: HttpRequest) => Promise<HttpAnswer> | HttpAnswer;

export const answerOf = (status: number, body = '', headers: Record<string, string> = {}): HttpAnswer => ({
  kind: 'answer',
  status,
  headers,
  body,
  isComplete: true,
});

export type HeldReceiver = Receiver & {
  /** Resolves once this many requests have come. */
  arrived(count: number): Promise<void>;
  /** Answers whoever waits, and from now on everybody at once. */
  release(): void;
};

/** A receiver that lets everybody wait until it is told to answer. */
export function holdAnswers(answer: Receiver = () => answerOf(200, 'thanks')): HeldReceiver {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const watchers = new Set<() => void>();
  let count = 0;
  const receive = async (request: HttpRequest): Promise<HttpAnswer> => {
    count += 1;
    for (const watch of watchers) watch();
    await released;
    return answer(request);
  };
  const arrived = (wanted: number) =>
    new Promise<void>((resolve) => {
      const watch = () => {
        if (count < wanted) return;
        watchers.delete(watch);
        resolve();
      };
      watchers.add(watch);
      watch();
    });
  return Object.assign(receive, { arrived, release });
}

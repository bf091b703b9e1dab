import type { HttpAnswer, HttpRequest } from '#platform/outbound/http.ts';

/** The answer of a webhook's receiver to each request. */
export type Receiver = (request: HttpRequest) => Promise<HttpAnswer> | HttpAnswer;

export const answerOf = (status: number, body = '', headers: Record<string, string> = {}): HttpAnswer => ({
  kind: 'answer',
  status,
  headers,
  body,
  isComplete: true,
});

export type DelayingReceiver = Receiver & {
  /** Resolves once this many requests have arrived. */
  arrived(count: number): Promise<void>;
  /** Answers all waiting requests, and all later ones at once. */
  release(): void;
};

/** A receiver that delays all answers until `release`. */
export function delayAnswers(answer: Receiver = () => answerOf(200, 'thanks')): DelayingReceiver {
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

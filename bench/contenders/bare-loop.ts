import { randomUUIDv7 } from 'node:crypto';
import type { Contender } from '../contender.ts';
import { createPost } from '../webhook.ts';

const concurrency = 64;

/** The upper bound: the same POST in a loop, without claims, rendering or records. */
export const contender: Contender = {
  title: `undici in a loop, ${concurrency} at a time, nothing recorded`,
  async open({ sinkUrl }) {
    const { post, close } = createPost({ sinkUrl, connections: concurrency });
    return {
      prepare: async () => {},
      async run(n) {
        const startedAt = performance.now();
        let left = n;
        const lane = async () => {
          while (left > 0) {
            left -= 1;
            await post(randomUUIDv7());
          }
        };
        await Promise.all(Array.from({ length: concurrency }, lane));
        return performance.now() - startedAt;
      },
      facts: async () => [],
      close,
    };
  },
};

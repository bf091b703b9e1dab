import { expect, it } from 'vitest';
import { createAddressCheck } from '#domain/audience-targets.ts';
import type { Target } from '#domain/recipients.ts';

it('what ten thousand people lack is found with one look at the list, however long it is', () => {
  let looks = 0;
  const target: Target = { channel: 'webhook', recipient: 'q@example.com', recipient_name: null, problem: null };
  const listed = new Proxy<Target[]>([target], {
    get(list, key, of) {
      if (key === '0') looks += 1;
      return Reflect.get(list, key, of);
    },
  });
  const lackOf = createAddressCheck({ channels: ['email', 'webhook'], listed, isInOrder: false });
  const person = { name: 'Ada', phone: null, through: 'everyone' };
  const lacking = Array.from({ length: 10_000 }, (_, at) =>
    lackOf({ ...person, id: String(at), email: at % 2 === 0 ? null : `${at}@example.com` }),
  );
  expect(lacking.filter((lack) => lack !== null)).toHaveLength(5_000);
  expect(looks).toBe(1);
});

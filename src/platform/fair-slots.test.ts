import { describe, expect, it } from 'vitest';
import { createFairSlots, type Sharers } from '#platform/fair-slots.ts';

describe('slots that many share', () => {
  const of = { person: 2, workspace: 2, address: 2, strangers: 2 };
  const limits = { ofAll: 3, of, waitingOfSharer: 4 };
  const tick = () => new Promise((resolve) => setImmediate(resolve));

  /** Work that runs until it is ended by its name. */
  function workers(slots = createFairSlots(limits)) {
    const ends = new Map<string, () => void>();
    const running = () => [...ends.keys()].toSorted();
    const take = (name: string, sharers: Sharers) =>
      slots.take(sharers, async () => {
        await new Promise<void>((resolve) => ends.set(name, resolve));
        ends.delete(name);
      });
    const end = async (name: string) => {
      ends.get(name)?.();
      await tick();
    };
    return { take, running, end };
  }

  it('gives a free slot to whoever holds the fewest, also behind many who came earlier', async () => {
    const { take, running, end } = workers();
    const taken = [
      ...['a1', 'a2', 'a3', 'a4'].map((name) => take(name, { person: 'a' })),
      ...['b1', 'b2'].map((name) => take(name, { person: 'b' })),
      take('c1', { person: 'c' }),
    ];
    await tick();
    expect(running()).toEqual(['a1', 'a2', 'b1']);
    await end('a1');
    expect(running()).toEqual(['a2', 'b1', 'c1']);
    for (const name of ['a2', 'b1', 'c1', 'a3', 'b2', 'a4']) await end(name);
    await Promise.all(taken);
  });

  it('counts work by each of its sharers: a person with many workspaces holds no more than one with one', async () => {
    const { take, running, end } = workers();
    const taken = ['1', '2', '3'].map((name) => take(name, { workspace: name, person: 'a' }));
    await tick();
    expect(running()).toEqual(['1', '2']);
    await end('1');
    expect(running()).toEqual(['2', '3']);
    for (const name of ['2', '3']) await end(name);
    await Promise.all(taken);
  });

  it('refuses what waits beyond its bound, for that one alone, and frees a slot when work fails', async () => {
    const slots = createFairSlots({ ofAll: 1, of, waitingOfSharer: 1 });
    const { take, end, running } = workers(slots);
    const first = take('first', { person: 'a' });
    const second = take('second', { person: 'a' });
    await expect(take('third', { person: 'a' })).rejects.toThrow('Too many requests of yours are waiting.');
    const failing = slots.take({ person: 'b' }, () => Promise.reject(new Error('broken')));
    const failed = expect(failing).rejects.toThrow('broken');
    await tick();
    await end('first');
    expect(running()).toEqual(['second']);
    await end('second');
    await failed;
    await Promise.all([first, second]);
    expect(await slots.take({ person: 'c' }, async () => 'a slot is free again')).toBe('a slot is free again');
  });

  it('gives strangers one bound together, and of them the next slot to the address that uses the least', async () => {
    const { take, running, end } = workers();
    const taken = [
      ...['flood1', 'flood2', 'flood3'].map((name) => take(name, { strangers: 'all', address: '192.0.2.1' })),
      take('hook', { strangers: 'all', address: '192.0.2.2' }),
      take('person', { person: 'a' }),
    ];
    await tick();
    expect(running()).toEqual(['flood1', 'flood2', 'person']);
    await end('flood1');
    expect(running()).toEqual(['flood2', 'hook', 'person']);
    for (const name of ['flood2', 'hook', 'person', 'flood3']) await end(name);
    await Promise.all(taken);
  });

  it('lets nobody wait longer than they want to', async () => {
    const slots = createFairSlots({ ...limits, ofAll: 1 });
    const late = () => new Error('too late');
    const release = await slots.begin({ person: 'a' }, { mostMs: 1, late });
    await expect(slots.begin({ person: 'b' }, { mostMs: 1, late })).rejects.toThrow('too late');
    expect(slots.waiting()).toBe(0);
    release();
    (await slots.begin({ person: 'b' }, { mostMs: 1, late }))();
  });
});

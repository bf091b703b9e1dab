import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSlots } from '#engine/limits/slots.ts';

const start = Date.parse('2026-03-02T09:00:00Z');
const after = (seconds: number) => start + seconds * 1_000;

describe('the slots for attempts in flight', () => {
  it('leave room for others whatever one workspace uses', () => {
    const slots = createSlots({ slots: 100, slotsPerWorkspace: 40 });
    expect(slots.capacityForClaim()).toBe(40);
    slots.take('a', 30);
    expect([slots.capacityOf('a'), slots.capacityOf('b'), slots.capacityForClaim()]).toEqual([10, 28, 10]);
    slots.take('a', 1);
    expect(slots.saturated(start)).toEqual({ workspaceIds: ['a'], untilMs: null });
    expect(slots.capacityForClaim()).toBe(28);
    slots.take('b', 28);
    expect([slots.isFull(), slots.capacityForClaim(), slots.capacityOf('c')]).toEqual([false, 17, 17]);
    slots.take('c', 17);
    expect(slots.isFull()).toBe(true);
  });

  it('report once that claiming is useful again', () => {
    const slots = createSlots({ slots: 100, slotsPerWorkspace: 40 });
    slots.take('a', 40);
    slots.saturated(start);
    const calls = Array.from({ length: 40 }, () => slots.release('a'));
    expect(calls.flatMap((made, at) => (made ? [at] : []))).toEqual([9]);
  });

  it('are never all taken by a few workspaces, and tell when one of them may have more', () => {
    const slots = createSlots({ slots: 64, slotsPerWorkspace: 32 });
    for (const id of ['a', 'b', 'c', 'd']) slots.take(id, slots.capacityOf(id));
    expect(slots.capacityOf('e')).toBeGreaterThan(0);
    expect(slots.saturated(start).workspaceIds).toContain('b');
    const calls = Array.from({ length: 32 }, () => slots.release('a'));
    expect(calls).toContain(true);
    expect(slots.saturated(start).workspaceIds).not.toContain('b');
  });

  it('are not filled by a workspace that rests, until its rest is over', () => {
    const slots = createSlots({ slots: 100, slotsPerWorkspace: 40 });
    slots.exclude('a', { fromMs: start, forMs: 1_000 });
    slots.exclude('b', { fromMs: start, forMs: 3_000 });
    expect(slots.saturated(start)).toEqual({ workspaceIds: ['a', 'b'], untilMs: after(1) });
    expect(slots.saturated(after(1))).toEqual({ workspaceIds: ['b'], untilMs: after(3) });
    expect(slots.saturated(after(3))).toEqual({ workspaceIds: [], untilMs: null });
  });

  it('are open to a workspace that rests when the clock is set back', () => {
    const slots = createSlots({ slots: 100, slotsPerWorkspace: 40 });
    slots.exclude('a', { fromMs: start, forMs: 1_000 });
    expect(slots.saturated(after(-3_600))).toEqual({ workspaceIds: [], untilMs: null });
  });

  it('are counted correctly in any sequence, and a claim never finds more than there are', () => {
    const workspaces = ['a', 'b', 'c', 'd'];
    const step = fc.record({
      workspace: fc.constantFrom(...workspaces),
      act: fc.constantFrom('begin', 'claim', 'leave', 'leave'),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    fc.assert(
      fc.property(
        fc.record({ slots: fc.integer({ min: 1, max: 60 }), share: fc.double({ min: 0.1, max: 1, noNaN: true }) }),
        fc.array(step, { maxLength: 200 }),
        ({ slots: count, share }, steps) => {
          const limits = { slots: count, slotsPerWorkspace: Math.max(1, Math.floor(count * share)) };
          const slots = createSlots(limits);
          const inUse = new Map(workspaces.map((id) => [id, 0]));
          const total = () => [...inUse.values()].reduce((sum, one) => sum + one, 0);
          const shareOf = (mine: number) => Math.ceil(((count - (total() - mine)) * limits.slotsPerWorkspace) / count);
          const take = (workspace: string, taken: number) => {
            slots.take(workspace, taken);
            inUse.set(workspace, (inUse.get(workspace) ?? 0) + taken);
          };
          for (const { workspace, act, share: part } of steps) {
            const mine = inUse.get(workspace) ?? 0;
            const isSaturated = slots.saturated(start).workspaceIds.includes(workspace);
            expect(isSaturated).toBe(mine > shareOf(mine) * 0.75);
            if (act === 'leave' && mine > 0) {
              slots.release(workspace);
              inUse.set(workspace, mine - 1);
            } else if (act === 'begin') take(workspace, Math.max(0, Math.floor(slots.capacityOf(workspace) * part)));
            else if (act === 'claim' && !slots.isFull() && !isSaturated) {
              const capacity = slots.capacityForClaim();
              expect(capacity).toBeGreaterThan(0);
              take(workspace, Math.ceil(capacity * part));
            }
            expect(total()).toBeLessThanOrEqual(limits.slots);
            expect(inUse.get(workspace)).toBeLessThanOrEqual(limits.slotsPerWorkspace);
            const own = inUse.get(workspace) ?? 0;
            expect(slots.capacityOf(workspace)).toBe(Math.max(0, Math.min(count - total(), shareOf(own) - own)));
          }
        },
      ),
      { seed: 20_261_120, numRuns: 300 },
    );
  });
});

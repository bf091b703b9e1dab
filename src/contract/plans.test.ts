import { type Tier, tiers } from '#contract/tiers.ts';
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { entitlements, listedPlans, plans } from '#contract/plans.ts';

const page = await readFile('docs/plans.md', 'utf8');
const rowsBelow = (title: string) =>
  (page.split(`## ${title}\n`)[1]?.split('\n## ')[0] ?? '')
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(1)
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );

describe('the page of the plans', () => {
  it('says what keeps each line of each card, and nothing of a line that is on none', () => {
    const explained = rowsBelow('Each line, and what keeps it').flatMap(([lines = '']) => lines.split(', '));
    const shown = [...plans, ...listedPlans].flatMap(({ features }) => features);
    expect(explained.toSorted()).toEqual([...new Set(shown)].toSorted());
  });

  it('names a test, a screen or who serves it on each row', () => {
    for (const [lines, kept = ''] of rowsBelow('Each line, and what keeps it'))
      expect(kept, lines).toMatch(/\.test\.ts`|\bscreen|by agreement/);
  });

  it('has the entitlements of the catalogue', () => {
    const any = (count: number | null) => count?.toLocaleString('en') ?? 'any number';
    const columns = (of: (tier: Tier) => string) => tiers.map(of);
    const [reminders, , workspaces, requests, whiteLabel] = rowsBelow('What is enforced');
    expect(reminders?.slice(1)).toEqual(columns((tier) => any(entitlements[tier].occurrencesPerMonth)));
    expect(workspaces?.slice(1)).toEqual(columns((tier) => any(entitlements[tier].workspaces)));
    expect(requests?.slice(1)).toEqual(columns((tier) => any(entitlements[tier].apiRequestsPerHour)));
    expect(whiteLabel?.slice(1)).toEqual(columns((tier) => (entitlements[tier].whiteLabel ? 'yes' : 'no')));
  });
});

describe('the plans', () => {
  it('Enterprise has all that Premium has', () => {
    const { premium, enterprise } = entitlements;
    expect(enterprise.channels).toEqual(premium.channels);
    expect([premium.occurrencesPerMonth, enterprise.occurrencesPerMonth]).toEqual([null, null]);
    expect([premium.workspaces, enterprise.workspaces]).toEqual([null, null]);
    expect(enterprise.apiRequestsPerHour).toBeGreaterThan(premium.apiRequestsPerHour);
  });

  it('are named and priced on both lists, with a line where they differ', () => {
    for (const listed of listedPlans) {
      const plan = plans.find(({ tier }) => tier === listed.tier);
      expect(listed.paid).toContain(`You pay $${plan?.price} a month`);
      expect(listed.paid).toContain(`called ${plan?.name}`);
    }
  });
});

import type { Tier } from '#contract/tiers.ts';
import { type Billing, entitlements } from '#contract/plans.ts';

/** The sender as recipients see it. `logo` is the path of its picture; null where it has none. */
export type Brand = { name: string; logo: string | null };

/** The name and picture that recipients see in place of Cuebird's; null where the plan does not include that. */
export const brandOf = (
  workspace: { tier: Tier; company_name: string; avatar_url: string | null },
  { billing }: { billing: Billing },
): Brand | null =>
  billing === 'off' || entitlements[workspace.tier].whiteLabel
    ? { name: workspace.company_name, logo: logoPathOf(workspace.avatar_url) }
    : null;

/** The public path of a workspace's picture, from the one that members use. */
function logoPathOf(avatarUrl: string | null): string | null {
  const [, id, hash] = /^\/api\/workspaces\/([\da-f-]{36})\/picture\/([\da-f]{64})$/.exec(avatarUrl ?? '') ?? [];
  return id === undefined || hash === undefined ? null : `/api/logos/${id}/${hash}`;
}

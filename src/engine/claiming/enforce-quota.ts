import { isCounted as isCountedType } from '#contract/job-types.ts';
import type { Billing } from '#contract/plans.ts';
import { type Allowance, allowanceOf } from '#domain/allowance.ts';
import { channelNotInPlan } from '#domain/ledger-reasons.ts';
import type { Target } from '#domain/recipients.ts';
import type { ClaimDecision } from '#engine/run/claim-decision.ts';
import type { PreparedJob } from '#engine/run/prepared-job.ts';
import type { ClaimedJob } from '#engine/run/claimed-job.ts';
import type { WorkspaceFacts } from '#engine/store.ts';

/**
 * Skips the occurrences that exceed the plan, and counts the others. A link that a recipient asks for is not counted, but uses no channel that the plan leaves out. A resumed run was counted by its first claim, and so was a manual retry of a job
 * that was tried before.
 */
export function enforceQuota(
  prepared: PreparedJob[],
  {
    workspaces,
    billing,
    now,
    isCounted,
  }: {
    workspaces: ReadonlyMap<string, WorkspaceFacts>;
    billing: Billing;
    now: Temporal.Instant;
    isCounted: (job: ClaimedJob) => boolean;
  },
): ClaimDecision['usage'] {
  const used = new Map<string, number>();
  const allowances = new Map<string, Allowance>();
  for (const one of prepared) {
    const { job } = one;
    const workspace = workspaces.get(job.workspace_id);
    if (workspace === undefined || 'refusal' in one.dispatch || job.type === 'test_reminder') continue;
    const allowance = allowances.get(workspace.id) ?? allowanceOf(workspace, { billing, now });
    allowances.set(workspace.id, allowance);
    const count = used.get(workspace.id) ?? 0;
    if (isCountedType(job.type) && !isCounted(job)) {
      if (allowance.occurrences !== null && workspace.used + count >= allowance.occurrences) {
        one.notice = { kind: 'over_plan', reason: allowance.refusal.reason };
        for (const target of one.dispatch.targets) target.problem ??= allowance.refusal;
        continue;
      }
      used.set(workspace.id, count + 1);
    }
    if (allowance.channels !== null) leaveOutChannels(one.dispatch.targets, allowance);
  }
  return [...used].map(([workspaceId, occurrences]) => ({ workspaceId, occurrences }));
}

function leaveOutChannels(targets: Target[], { name, channels }: Allowance): void {
  for (const target of targets) {
    if (target.problem === null && channels?.includes(target.channel) === false)
      target.problem = channelNotInPlan(name, target.channel);
  }
}

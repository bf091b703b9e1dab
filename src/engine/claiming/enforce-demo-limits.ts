import { demoLimits } from '#contract/demo-limits.ts';
import { demoIsSpent, demoSendsLess, demoWaits, type Reason } from '#domain/ledger-reasons.ts';
import type { ClaimDecision } from '#engine/run/claim-decision.ts';
import type { ClaimedJob } from '#engine/run/claimed-job.ts';
import type { PreparedJob } from '#engine/run/prepared-job.ts';
import type { WorkspaceFacts } from '#engine/store.ts';

type DemoUse = ClaimDecision['demoUse'][number];

/**
 * Refuses the occurrences with which a demo would exceed its limits, and counts what each demo uses. A refused one counts too, and none is claimed once the
 * limit of all is reached, so that no schedule fills the database.
 */
export function enforceDemoLimits(
  prepared: readonly PreparedJob[],
  {
    workspaces,
    isCounted,
  }: { workspaces: ReadonlyMap<string, WorkspaceFacts>; isCounted: (job: ClaimedJob) => boolean },
): ClaimDecision['demoUse'] {
  const used = new Map<string, DemoUse>();
  for (const one of prepared) {
    const workspace = workspaces.get(one.job.workspace_id);
    if (workspace === undefined || workspace.demo_sent === null || isCounted(one.job)) continue;
    const messages = 'refusal' in one.dispatch ? 0 : one.dispatch.targets.length;
    const use = used.get(workspace.id) ?? { workspaceId: workspace.id, counted: 0, sent: 0, isSpent: false };
    used.set(workspace.id, use);
    const refusal = refusalOf(messages, {
      all: workspace.demo_sent.messages + use.counted,
      hour: workspace.demo_sent.hour_messages + use.sent,
    });
    use.isSpent ||= refusal?.code === demoIsSpent.code;
    use.counted += refusal === null ? Math.max(1, messages) : 1;
    use.sent += refusal === null ? messages : 0;
    if (refusal !== null) one.dispatch = { refusal };
  }
  return [...used.values()];
}

function refusalOf(messages: number, { all, hour }: { all: number; hour: number }): Reason | null {
  if (messages > demoLimits.messagesAtOnce) return demoSendsLess(demoLimits.messagesAtOnce);
  if (all + Math.max(1, messages) > demoLimits.messages) return demoIsSpent;
  return hour + messages > demoLimits.messagesAnHour ? demoWaits(demoLimits.messagesAnHour) : null;
}

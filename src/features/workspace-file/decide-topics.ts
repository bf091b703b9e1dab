import { topicLimits } from '#contract/topics.ts';
import { TopicItem } from '#features/workspace-file/file-items.ts';
import * as rows from '#features/workspace-file/import.db.ts';
import { type Decided, decideSection, readBy, type Verdict } from '#features/workspace-file/read-items.ts';
import type { TenantContext } from '#platform/context.ts';

/** Decides about topics. One of the same name counts as the same topic only where it is of the same kind: nobody's "no" to an optional topic is lost. */
export async function decideTopics(ctx: TenantContext, items: readonly unknown[]): Promise<Decided<rows.TopicMade>[]> {
  const { workspaceId } = ctx;
  const counted = await rows.countTopics(ctx.db, { workspaceId });
  let { all, unarchived } = counted;
  return decideSection<TopicItem, TopicItem>(ctx, items, {
    section: 'topics',
    table: 'topics',
    read: readBy(TopicItem),
    judge: async (read) => {
      const names = read.map(({ value }) => value.name.trim());
      const there = await rows.findTopicsNamed(ctx.db, { workspaceId, names });
      const begun = new Set<string>();
      return read.map(({ value }, at): Verdict<TopicItem> => {
        const { key = '', id = null, kind = null } = there[at] ?? {};
        const isArchived = value.archived_at !== null;
        if (!isArchived && id !== null)
          return kind === value.kind
            ? { existing: id }
            : {
                refused: [
                  { path: 'kind', message: `is ${value.kind}, and the workspace has a ${kind} topic of this name` },
                ],
              };
        if (!isArchived && begun.has(key))
          return { refused: [{ path: 'name', message: 'is the name of another topic of the file' }] };
        if (all >= topicLimits.perWorkspace || (!isArchived && unarchived >= topicLimits.unarchived)) {
          const most = `${topicLimits.unarchived} topics, and ${topicLimits.perWorkspace} with the archived ones`;
          return { refused: [{ path: '', message: `A workspace has at most ${most}` }] };
        }
        all += 1;
        if (!isArchived) {
          unarchived += 1;
          begun.add(key);
        }
        return { row: { ...value, name: value.name.trim() } };
      });
    },
  });
}

import { IconRoute } from '@tabler/icons-react';
import { unknownPathLimits } from '#contract/unknown-paths.ts';
import { useUnknownPaths } from '#web/api/support.ts';
import classes from '#web/features/admin/admin.module.css';
import { RowsSkeleton } from '#web/features/admin/RowsSkeleton.tsx';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { InstantText } from '#web/ui/InstantText.tsx';
import { ListCard } from '#web/ui/ListCard.tsx';

/** What browsers asked for where there is no page: a broken link, or somebody who searches for weaknesses. */
export function UnknownPaths() {
  const found = useUnknownPaths();
  return (
    <>
      <p className={classes.quiet}>
        Paths without a page that browsers asked for in the last {unknownPathLimits.days} days, at most the latest{' '}
        {unknownPathLimits.paths}. Who asked is not kept.
      </p>
      <ListCard
        label="Unknown paths"
        of={{ ...found, isPlaceholderData: false }}
        failed="Error loading unknown paths"
        skeleton={<RowsSkeleton label="Loading unknown paths" />}
        empty={
          <EmptyState
            icon={IconRoute}
            title="Every path had a page"
            sentence="A link that leads nowhere appears here once somebody has followed it."
          />
        }
      >
        {(paths) => (
          <table className={`${classes.table} ${classes.runs}`}>
            <thead>
              <tr>
                <th>Path</th>
                <th className={classes.moment}>Last</th>
              </tr>
            </thead>
            <tbody>
              {paths.map(({ path, count, last_at: at }) => (
                <tr key={path}>
                  <td className={classes.main}>
                    <span className={classes.cell}>
                      <code>{path}</code>
                      <span className={classes.quiet}>
                        {count === 1 ? 'Once' : `${count.toLocaleString('en')} times`}
                      </span>
                    </span>
                  </td>
                  <td className={classes.moment}>
                    <InstantText at={at} show="second" />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </ListCard>
    </>
  );
}

import { IconRoute } from '@tabler/icons-react';
import { unknownPathLimits } from '#contract/unknown-paths.ts';
import { useUnknownPaths } from '#web/api/support.ts';
import classes from '#web/features/admin/admin.module.css';
import { AdminList } from '#web/features/admin/AdminList.tsx';
import { InstantText } from '#web/ui/InstantText.tsx';

/** What browsers asked for where there is no page: a broken link, or somebody who searches for weaknesses. */
export const UnknownPaths = () => (
  <>
    <p className={classes.quiet}>
      Paths without a page that browsers asked for in the last {unknownPathLimits.days} days, at most the latest{' '}
      {unknownPathLimits.paths}. Who asked is not kept.
    </p>
    <AdminList
      noun="unknown paths"
      of={useUnknownPaths()}
      empty={{
        icon: IconRoute,
        title: 'Every path had a page',
        sentence: 'A link that leads nowhere appears here once somebody has followed it.',
      }}
      keyOf={({ path }) => path}
      isStacked
      columns={[
        {
          title: 'Path',
          cell: ({ path, count }) => (
            <span className={classes.cell}>
              <code>{path}</code>
              <span className={classes.quiet}>{count === 1 ? 'Once' : `${count.toLocaleString('en')} times`}</span>
            </span>
          ),
        },
        { title: 'Last', width: 'moment', cell: ({ last_at: at }) => <InstantText at={at} show="second" /> },
      ]}
    />
  </>
);

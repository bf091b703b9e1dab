import { jobSearchLimits } from '#contract/jobs.ts';
import { useContactCount, useContactsLike } from '#web/api/contacts.ts';
import { SearchBox } from '#web/ui/SearchBox.tsx';
import { TextLink } from '#web/ui/links.tsx';
import classes from './JobFilters.module.css';
import { useJobsSearch } from './jobs-search.ts';

/** The search of both tabs: a part of a job's name, or a person to whom it goes or went. */
export function JobSearchBox() {
  const { search, change } = useJobsSearch();
  return (
    <SearchBox
      className={classes.search}
      label="Search by name or recipient"
      value={search}
      onSearch={(text) => change({ search: text }, { replace: true })}
    />
  );
}

const named = 3;

/** The contacts whom the search means beside the names of jobs, with links to their pages. */
export function PeopleSearched() {
  const { search = '' } = useJobsSearch();
  const isAsked = search.length > 1;
  const { data: people = [] } = useContactsLike(isAsked ? search : null);
  const { data: total = 0 } = useContactCount({ search }, { isAsked });
  if (!isAsked || people.length === 0) return null;
  if (total > jobSearchLimits.people)
    return (
      <p className={classes.people} role="status">
        Includes what goes or went to the first {jobSearchLimits.people} of {total.toLocaleString('en')} contacts that
        match. Type more of a name to find the others.
      </p>
    );
  const shown = people.slice(0, named);
  const more = Math.max(total, people.length) - shown.length;
  return (
    <p className={classes.people} role="status">
      Includes what goes or went to{' '}
      {shown.map(({ id, name, email, phone }, at) => (
        <span key={id}>
          {at > 0 && (more === 0 && at === shown.length - 1 ? ' and ' : ', ')}
          <TextLink to="/contacts/$id" params={{ id }}>
            {name ?? email ?? phone}
          </TextLink>
        </span>
      ))}
      {more > 0 && ` and ${more.toLocaleString('en')} more`}
    </p>
  );
}

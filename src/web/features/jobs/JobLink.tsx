import { useNavigate } from '@tanstack/react-router';
import type { MouseEvent } from 'react';
import type { Job } from '#contract/jobs.ts';
import classes from './rows.module.css';

/**
 * A job's name; leads to its details, from anywhere in its row. A plain link: the router's own works out its address anew at
 * every change of any filter, which a hundred rows would all wait for.
 */
export function JobLink({ job: { id, name } }: { job: Pick<Job, 'id' | 'name'> }) {
  const navigate = useNavigate({ from: '/jobs' });
  const open = (event: MouseEvent) => {
    // In a new tab or window, as the browser does it.
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    void navigate({ search: (before) => ({ ...before, job: id }), resetScroll: false });
  };
  return (
    <a href={`/jobs?job=${id}`} onClick={open} className={classes.name} title={name}>
      {name}
    </a>
  );
}

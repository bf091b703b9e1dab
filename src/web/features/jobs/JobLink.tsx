import { useNavigate } from '@tanstack/react-router';
import type { MouseEvent } from 'react';
import type { Job } from '#contract/jobs.ts';
import classes from './rows.module.css';

/**
 * A job's name, which links to its details. It is a plain link because the router's Link recomputes its URL on every
 * filter change, which is slow with a hundred rows.
 */
export function JobLink({ job: { id, name } }: { job: Pick<Job, 'id' | 'name'> }) {
  const navigate = useNavigate({ from: '/jobs' });
  const open = (event: MouseEvent) => {
    // The browser opens new tabs and windows itself.
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

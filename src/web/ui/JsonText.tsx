import classes from './JsonText.module.css';

/** A value as indented JSON in monospace. `label` names the region for screen readers: it takes the keyboard to scroll. */
export function JsonText({ value, label }: { value: unknown; label: string }) {
  return <CodeText label={label}>{JSON.stringify(value, null, 2)}</CodeText>;
}

/** Text that must keep its own lines, in monospace. */
export function CodeText({ children, label }: { children: string; label: string }) {
  return (
    <pre className={classes.code} role="region" aria-label={label} tabIndex={0}>
      {children}
    </pre>
  );
}

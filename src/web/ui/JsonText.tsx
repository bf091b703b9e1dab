import classes from './JsonText.module.css';

/**
 * A value as indented JSON in monospace. `label` names the region, which is focusable so that the keyboard can scroll
 * it.
 */
export function JsonText({ value, label }: { value: unknown; label: string }) {
  return <CodeText label={label}>{JSON.stringify(value, null, 2)}</CodeText>;
}

/** Text with its line breaks, in monospace. */
export function CodeText({ children, label }: { children: string; label: string }) {
  return (
    <pre className={classes.code} role="region" aria-label={label} tabIndex={0}>
      {children}
    </pre>
  );
}

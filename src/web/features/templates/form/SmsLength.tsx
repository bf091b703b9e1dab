import type { TemplateVariable } from '#contract/templates.ts';
import { inSegments, segmentsOf } from '#domain/sms-segments.ts';
import { withSamples } from '#web/features/templates/sample-text.ts';
import classes from './TemplateForm.module.css';

/** How many messages a phone's network makes of it, with something to stand for each variable. */
export function SmsLength({ body, variables }: { body: string; variables: readonly TemplateVariable[] }) {
  const text = withSamples(body, variables);
  const hasVariables = text !== body;
  return (
    <p className={classes.length} role="status">
      {inSegments(segmentsOf(text))} · {text.length.toLocaleString('en')} characters
      {hasVariables && ', with sample values'}
    </p>
  );
}

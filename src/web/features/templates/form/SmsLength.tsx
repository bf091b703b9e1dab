import type { TemplateVariable } from '#contract/templates.ts';
import { inSegments, segmentsOf } from '#domain/sms-segments.ts';
import { withSamples } from '#web/features/templates/sample-text.ts';
import classes from './TemplateForm.module.css';

/** The number of SMS segments, with sample values for the variables. */
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

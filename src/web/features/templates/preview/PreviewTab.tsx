import { Skeleton } from '@mantine/core';
import type { Preview } from '#contract/template-previews.ts';
import type { Template } from '#contract/templates.ts';
import { inSegments, segmentsOf } from '#domain/sms-segments.ts';
import { usePreview, useTemplateHtmlUrl } from '#web/api/templates.ts';
import { ErrorState } from '#web/ui/ErrorState.tsx';
import classes from './PreviewDialog.module.css';
import { PreviewProblems } from './PreviewProblems.tsx';

type PreviewTabProps = { template: Template; values: Readonly<Record<string, string>> };

/** The message as its recipient sees it. */
export function PreviewTab({ template, values }: PreviewTabProps) {
  const { content, variables } = template;
  const preview = usePreview({ content, variables, values });
  if (preview.isPending)
    return <Skeleton className={classes.message} aria-busy role="status" aria-label="Loading the preview" />;
  if (!preview.data) {
    return (
      <ErrorState
        title="The preview could not be loaded"
        error={preview.error}
        onRetry={() => void preview.refetch()}
        isRetrying={preview.isFetching}
      />
    );
  }
  return (
    <>
      <PreviewProblems preview={preview.data} />
      <Message template={template} values={values} preview={preview.data} />
    </>
  );
}

function Message({ template, values, preview }: PreviewTabProps & { preview: Preview }) {
  const { subject, body } = preview;
  switch (template.content.type) {
    case 'email':
      return <Mail id={template.id} values={values} preview={preview} />;
    case 'sms':
      return (
        <div className={classes.phone}>
          <p className={classes.bubble}>{body || '…'}</p>
          <p className={classes.note}>{inSegments(segmentsOf(body))}</p>
        </div>
      );
    case 'push':
      return (
        <div className={classes.phone}>
          <div className={classes.notice}>
            <strong>{subject || 'Without a title'}</strong>
            <p>{body}</p>
          </div>
        </div>
      );
    case 'webhook':
      return (
        <>
          <Subject text={subject} />
          <pre className={classes.code} role="region" aria-label="Message" tabIndex={0}>
            {body}
          </pre>
        </>
      );
    default:
      return template.content.type satisfies never;
  }
}

function Mail({ id, values, preview }: { id: string; values: PreviewTabProps['values']; preview: Preview }) {
  const url = useTemplateHtmlUrl(id, values);
  return (
    <>
      <Subject text={preview.subject} />
      {url === null ? (
        <p className={classes.plain}>{preview.body}</p>
      ) : (
        <iframe
          className={classes.frame}
          sandbox="allow-popups allow-popups-to-escape-sandbox"
          src={url}
          title="The message as mail"
        />
      )}
    </>
  );
}

const Subject = ({ text }: { text: string }) => (
  <dl className={classes.subject}>
    <dt>Subject</dt>
    <dd>{text || '–'}</dd>
  </dl>
);

import '@mantine/core/styles/FloatingIndicator.layer.css';
import '@mantine/core/styles/SegmentedControl.layer.css';
import { SegmentedControl, Skeleton } from '@mantine/core';
import { useState } from 'react';
import { type ChannelType, channelTypes } from '#contract/channel-types.ts';
import type { Preview } from '#contract/template-previews.ts';
import type { Template } from '#contract/templates.ts';
import { messageOfTemplate } from '#domain/message-of-template.ts';
import { usePreview } from '#web/api/templates.ts';
import { ChannelMessage } from '#web/features/message-preview/ChannelMessage.tsx';
import { placeholdersOf } from '#web/features/message-preview/channel-text.ts';
import { SendToMyself } from '#web/features/message-preview/SendToMyself.tsx';
import { channelLooks } from '#web/ui/channel-looks.ts';
import { ErrorState } from '#web/ui/ErrorState.tsx';
import classes from './PreviewDialog.module.css';
import { PreviewProblems } from './PreviewProblems.tsx';

type PreviewTabProps = { template: Template; values: Readonly<Record<string, string>> };

/** The message as its recipient sees it, in each channel. */
export function PreviewTab({ template, values }: PreviewTabProps) {
  const { content, variables } = template;
  const [channel, setChannel] = useState<ChannelType>(content.type);
  const preview = usePreview({ content, channel, variables, values });
  return (
    <>
      <SegmentedControl
        aria-label="Channel"
        fullWidth
        size="xs"
        data={channelTypes.map((value) => ({ value, label: channelLooks[value].name }))}
        value={channel}
        onChange={(chosen) => setChannel(channelTypes.find((one) => one === chosen) ?? content.type)}
      />
      {preview.isPending ? (
        <Skeleton className={classes.message} aria-busy role="status" aria-label="Loading the preview" />
      ) : preview.data ? (
        <>
          <PreviewProblems preview={preview.data} />
          <Message channel={channel} template={template} values={values} preview={preview.data} />
        </>
      ) : (
        <ErrorState
          title="The preview could not be loaded"
          error={preview.error}
          onRetry={() => void preview.refetch()}
          isRetrying={preview.isFetching}
        />
      )}
    </>
  );
}

type MessageProps = PreviewTabProps & { channel: ChannelType; preview: Preview };

function Message({ channel, template: { name, content, variables }, values, preview }: MessageProps) {
  const { subject, message, defaults } = messageOfTemplate({ content, variables });
  const given = Object.entries(values).filter(([, value]) => value.trim() !== '');
  return (
    <>
      <ChannelMessage
        channel={channel}
        subject={preview.subject || name}
        body={preview.body}
        html={preview.html}
        isMarkdown={content.format === 'markdown'}
        missing={preview.missing}
      />
      <div className={classes.send}>
        <SendToMyself
          channel={channel}
          message={{
            subject: subject || name,
            message,
            format: content.format,
            values: { ...defaults, ...Object.fromEntries(given), ...placeholdersOf(preview.missing) },
          }}
        />
      </div>
    </>
  );
}

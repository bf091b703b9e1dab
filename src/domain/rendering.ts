import { budgetOf } from '#domain/liquid.ts';
import {
  compile,
  type Compiled,
  format,
  type Formatted,
  type MessageForm,
} from '#domain/message-format/message-format.ts';
import { cannotBeFilledText, messageWarnings, type Written } from '#domain/message-warnings.ts';
import {
  isPlain,
  render,
  renderIfPlain,
  renderLimitMs,
  type Rendered,
  renderTimeFor,
  tooSlow,
  type Values,
} from '#domain/template.ts';
import { type Previewed, previewLimitMs, previewTemplate } from '#domain/template-preview.ts';
import type { Contact } from '#domain/variables.ts';

type Content = Readonly<{ subject: string; body: string }>;
type Contacts = ReadonlyMap<string, Contact>;

/** A rendering as plain data, because Liquid is rendered in another thread. */
export type RenderingTask =
  | { kind: 'message'; parts: readonly string[]; values: Values; marksValues: boolean }
  | { kind: 'preview'; content: Content; values: Values; marksValues: boolean }
  | { kind: 'compile'; source: string; form: MessageForm }
  | { kind: 'warnings'; reminders: readonly Written[]; contacts: Contacts };

export type RenderingAnswer =
  | { kind: 'message'; parts: Rendered[] }
  | { kind: 'preview'; previewed: Previewed }
  /** The compiled message; null when it took too long. */
  | { kind: 'compile'; compiled: Compiled | null }
  | { kind: 'warnings'; warnings: string[][] };

/** `marksValues` is for text that is formatted afterwards. */
type Of = { workspaceId: string; values: Values; marksValues?: boolean };

/**
 * Renders templates of a workspace's members. Plain placeholders are rendered synchronously. Liquid may take longer,
 * and is stopped when it takes too long.
 */
export type Renderer = {
  /** Renders the parts of one message, in order. */
  message(parts: readonly string[], of: Of): Rendered[] | Promise<Rendered[]>;
  preview(content: Content, of: Of): Previewed | Promise<Previewed>;
  /** Formats a message that is written in Markdown, with marked values. */
  format(text: string, of: { workspaceId: string; form: MessageForm }): Formatted | Promise<Formatted>;
  /** The warnings about the message of each reminder. */
  warnings(
    reminders: readonly Written[],
    of: { workspaceId: string; contacts: Contacts },
  ): string[][] | Promise<string[][]>;
};

type Ask = (task: RenderingTask, workspaceId: string) => RenderingAnswer | Promise<RenderingAnswer>;

export function createRendererOn(ask: Ask): Renderer {
  return {
    message: (parts, { workspaceId, values, marksValues = false }) =>
      plainMessage(parts, { values, marksValues }) ??
      then(ask({ kind: 'message', parts, values, marksValues }, workspaceId), partsOf),
    preview: (content, { workspaceId, values, marksValues = false }) =>
      then(ask({ kind: 'preview', content, values, marksValues }, workspaceId), previewedOf),
    format: (text, { workspaceId, form }) =>
      format(text, { form, ask: (asked) => then(ask({ kind: 'compile', ...asked }, workspaceId), compiledOf) }),
    warnings: (reminders, { workspaceId, contacts }) =>
      then(ask({ kind: 'warnings', reminders: reminders.map(written), contacts }, workspaceId), warningsOf),
  };
}

/** The usual case, kept fast for thousands of deliveries a second: one look-up for each. */
function plainMessage(
  parts: readonly string[],
  { values, marksValues }: { values: Values; marksValues: boolean },
): Rendered[] | null {
  const rendered: Rendered[] = [];
  for (const part of parts) {
    const plain = renderIfPlain(part, values, marksValues);
    if (plain === null) return null;
    rendered.push(plain);
  }
  return rendered;
}

/** Renders in the caller's thread. */
export const renderOnThisThread = createRendererOn((task) => perform(task));

// Calls `read` at once when the answer is there already: awaiting it would cost more than rendering.
const then = <T>(answer: RenderingAnswer | Promise<RenderingAnswer>, read: (answer: RenderingAnswer) => T) =>
  answer instanceof Promise ? answer.then(read) : read(answer);

const another = (answer: RenderingAnswer) => new Error(`The answer is of another kind: ${answer.kind}`);

function partsOf(answer: RenderingAnswer): Rendered[] {
  if (answer.kind === 'message') return answer.parts;
  throw another(answer);
}

function previewedOf(answer: RenderingAnswer): Previewed {
  if (answer.kind === 'preview') return answer.previewed;
  throw another(answer);
}

function compiledOf(answer: RenderingAnswer): Compiled | null {
  if (answer.kind === 'compile') return answer.compiled;
  throw another(answer);
}

function warningsOf(answer: RenderingAnswer): string[][] {
  if (answer.kind === 'warnings') return answer.warnings;
  throw another(answer);
}

// Only these fields of a row: others cannot be passed to another thread.
const written = ({ schedule_config, content, metadata }: Written): Written => ({ schedule_config, content, metadata });

/** Whether the time is negligible: all texts are plain, or a text to format is short. */
export const isQuick = (task: RenderingTask): boolean =>
  task.kind === 'compile' ? task.source.length <= quicklyFormatted : textsOf(task).every(isPlain);

/** The worst text of this length takes some milliseconds to format. */
const quicklyFormatted = 2_000;

/** @param usedMs the time that this thread has used; wall-clock time by default */
export function perform(task: RenderingTask, usedMs?: () => number): RenderingAnswer {
  switch (task.kind) {
    case 'message': {
      const budget = budgetOf(limitMsOf(task), usedMs);
      return {
        kind: 'message',
        parts: task.parts.map((part) => render(part, task.values, { budget, marksValues: task.marksValues })),
      };
    }
    case 'preview':
      return {
        kind: 'preview',
        previewed: previewTemplate(task.content, task.values, {
          time: renderTimeFor(limitMsOf(task), usedMs),
          marksValues: task.marksValues,
        }),
      };
    case 'compile':
      return { kind: 'compile', compiled: compile(task.source, task.form) };
    case 'warnings': {
      const { contacts } = task;
      const time = renderTimeFor(limitMsOf(task), usedMs);
      return {
        kind: 'warnings',
        // When the time is used up, the remaining reminders get no warnings.
        warnings: task.reminders.map((reminder) =>
          time.whole.isOver() ? [] : messageWarnings(reminder, { contacts, time }),
        ),
      };
    }
    default:
      return task satisfies never;
  }
}

/** The thread time that a task may use. */
export const limitMsOf = ({ kind }: RenderingTask): number =>
  kind === 'message' || kind === 'compile' ? renderLimitMs : previewLimitMs;

/** The texts of a task, without the values. */
export function textsOf(task: RenderingTask): readonly string[] {
  switch (task.kind) {
    case 'message':
      return task.parts;
    case 'preview':
      return [task.content.subject, task.content.body];
    case 'compile':
      return [task.source];
    case 'warnings':
      return task.reminders.flatMap(({ content }) => [content.subject, content.message]);
    default:
      return task satisfies never;
  }
}

/** The answer for a rendering that was stopped. */
export function endedAnswer(task: RenderingTask, reason: string = tooSlow.reason): RenderingAnswer {
  switch (task.kind) {
    case 'message':
      return { kind: 'message', parts: task.parts.map(() => ({ kind: 'broken', reason })) };
    case 'preview': {
      const { subject, body } = task.content;
      const previewed: Previewed = { subject, body, missing: [], problems: [{ part: 'body', message: reason }] };
      return { kind: 'preview', previewed };
    }
    case 'compile':
      return { kind: 'compile', compiled: null };
    case 'warnings':
      return {
        kind: 'warnings',
        warnings: task.reminders.map(({ content }) =>
          isPlain(content.message) && isPlain(content.subject) ? [] : [cannotBeFilledText(reason)],
        ),
      };
    default:
      return task satisfies never;
  }
}

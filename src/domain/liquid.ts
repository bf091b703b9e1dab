import {
  CaptureTag,
  Context,
  type Emitter,
  Liquid,
  LiquidError,
  type LiquidOptions,
  type Template,
  toValue,
} from 'liquidjs';
import { LRUCache } from 'lru-cache';
import { boundFilters, largestStep, longestText, TooLarge, tooLong, tooMuchMemory } from './liquid-bounds.ts';
import { ForEach, scopeOf, TablerowEach } from './liquid-lists.ts';
import { markedValue, unmarked } from './message-format/marked-values.ts';
import { valueNamed } from './variable-values.ts';

type Values = Readonly<Record<string, string>>;

/** `slow` when the time budget was used up. */
export type LiquidRendered =
  | { kind: 'rendered'; text: string }
  | { kind: 'missing'; variable: string }
  | { kind: 'broken'; reason: string }
  | { kind: 'slow' };

/** The thread time that a template may use. */
export type Budget = { isOver(): boolean };

/** @param usedMs the time that this thread has used; wall-clock time if that is not available */
export function budgetOf(ms: number, usedMs: () => number = () => performance.now()): Budget {
  const until = usedMs() + ms;
  // Thread time never passes faster than wall-clock time, and reading it costs more.
  let readAgainAt = performance.now() + ms;
  return {
    isOver() {
      const now = performance.now();
      if (now < readAgainAt) return false;
      const leftMs = until - usedMs();
      readAgainAt = now + leftMs;
      return leftMs <= 0;
    },
  };
}

function createLiquid(options: Pick<LiquidOptions, 'outputEscape'>): Liquid {
  const liquid = new Liquid({
    ownPropertyOnly: true,
    strictFilters: true,
    strictVariables: true,
    lenientIf: true,
    parseLimit: 200_000,
    // A limit for all steps of a template together.
    memoryLimit: 1_000_000,
    ...options,
  });
  // A template comes from a member of one workspace and may read nothing but its own values.
  for (const tag of ['include', 'render', 'layout', 'block', 'raw']) delete liquid.tags[tag];
  boundFilters(liquid);
  liquid.registerTag('for', ForEach);
  liquid.registerTag('tablerow', TablerowEach);

  const { renderer } = liquid;
  const renderTemplates = renderer.renderTemplates.bind(renderer);
  // The output of a tag that captures text is limited like the message.
  renderer.renderTemplates = (templates, context, emitter) =>
    renderTemplates(templates, context, emitter ?? boundedEmitter());
  return liquid;
}

const liquid = createLiquid({});
const liquidWithMarks = createLiquid({ outputEscape: (value) => markedValue(stringify(value)) });
// `raw` has no effect here: a template must not be able to leave a value unmarked.
liquidWithMarks.registerFilter('raw', (value: unknown) => value);
// Captured text is compared and cut like other values, so it has no marks; they are added when it is output.
liquidWithMarks.registerTag(
  'capture',
  class extends CaptureTag {
    override *render(context: Context): Generator<unknown, void, string> {
      yield* super.render(context);
      const scope: Record<string, unknown> = context.bottom();
      scope[this.variable] = unmarked(String(scope[this.variable]));
    }
  },
);

// The same message goes to thousands of recipients, and parsing costs more than rendering. Limited by length, because a
// parsed template takes a hundred times the memory of its text.
const parsed = new LRUCache<string, Parsed>({ maxSize: 500_000, sizeCalculation: (_, text) => text.length });

/** A parsed template; `words` are the names of variables that its text may contain. */
type Parsed = { templates: Template[]; words: readonly string[] };

function parse(template: string, engine: Liquid): Parsed {
  const words = new Set(template.match(/[\p{L}_](?:[\p{L}\p{N}_-]*[\p{L}\p{N}_])?/gu) ?? []);
  return { templates: engine.parse(template), words: [...words] };
}

/** Renders a Liquid template. It stops when its budget is used up, but not in the middle of a sort. */
export function renderLiquid(
  template: string,
  { values, budget, marksValues }: { values: Values; budget: Budget; marksValues: boolean },
): LiquidRendered {
  const engine = marksValues ? liquidWithMarks : liquid;
  const key = marksValues ? `marked ${template}` : template;
  try {
    const { templates, words } = parsed.get(key) ?? parse(template, engine);
    parsed.set(key, { templates, words });
    const text: unknown = engine.renderSync(templates, contextOf(asWritten(values, words), { budget, engine }));
    // The last filter or sort may have used more than was left.
    if (budget.isOver()) return { kind: 'slow' };
    return { kind: 'rendered', text: String(text) };
  } catch (error) {
    const cause = innermost(error);
    if (cause instanceof OverBudget) return { kind: 'slow' };
    if (cause instanceof TooLarge) return { kind: 'broken', reason: cause.message };
    if (cause instanceof Error && 'variableName' in cause)
      return { kind: 'missing', variable: String(cause.variableName) };
    return { kind: 'broken', reason: error instanceof Error ? error.message : String(error) };
  }
}

/** Adds the values under those words of the text that are other spellings of their names. */
function asWritten(values: Values, words: readonly string[]): Values {
  const others = words.flatMap((word) => {
    const value = Object.hasOwn(values, word) ? undefined : valueNamed(values, word);
    return value === undefined ? [] : [[word, value] as const];
  });
  return others.length === 0 ? values : { ...values, ...Object.fromEntries(others) };
}

class OverBudget extends Error {}

/** The exception inside Liquid's wrapper. */
function innermost(error: unknown): unknown {
  return LiquidError.is(error) && error.originalError !== undefined ? innermost(error.originalError) : error;
}

function contextOf(values: Values, { budget, engine }: { budget: Budget; engine: Liquid }): Context {
  const context = new Context(scopeOf(values), engine.options, { sync: true }, { liquid: engine });
  const { memoryLimit, renderLimit } = context;
  const use = memoryLimit.use.bind(memoryLimit);
  memoryLimit.use = (count) => {
    if (count > largestStep) throw tooMuchMemory();
    // Liquid passes a negative count for a date that is longer than its width.
    use(Math.max(0, count));
  };
  const watch = () => {
    if (budget.isOver()) throw new OverBudget();
  };
  renderLimit.check = watch;
  // Filters over list items push a scope for each item, and nothing else does.
  const push = context.push.bind(context);
  context.push = (scope) => {
    watch();
    return push(scope);
  };
  const spawn = context.spawn.bind(context);
  context.spawn = (scope) => {
    watch();
    return spawn(scope);
  };
  return context;
}

function boundedEmitter(): Emitter {
  return {
    buffer: '',
    write(html: unknown) {
      this.buffer += stringify(html);
      if (this.buffer.length > longestText) throw tooLong();
    },
  };
}

/** Writes values as Liquid's own emitter does. */
function stringify(written: unknown): string {
  const value: unknown = toValue(written);
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return '';
  // oxlint-disable-next-line typescript/no-base-to-string -- Liquid writes its own objects like this.
  return Array.isArray(value) ? value.map(stringify).join('') : String(value);
}

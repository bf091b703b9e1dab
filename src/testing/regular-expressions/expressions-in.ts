import { type ESTree, parseSync, Visitor } from 'vite';

/** An expression in a source; `pattern` is null when it is known only at run time. */
export type Found = { line: number; text: string; pattern: string | null; flags: string };

/** Every regular expression that a TypeScript source contains or constructs, with its position. */
export function expressionsIn(file: string, source: string): Found[] {
  const { program, errors } = parseSync(file, source);
  const [error] = errors;
  if (error !== undefined) throw new Error(`${file} cannot be read: ${error.message}`);
  const texts = textsOf(program);
  const found: Found[] = [];
  const add = (at: { start: number; end: number }, expression: { pattern: string | null; flags: string }) =>
    found.push({
      line: source.slice(0, at.start).split('\n').length,
      text: source.slice(at.start, at.end),
      ...expression,
    });
  const made = (node: ESTree.NewExpression | ESTree.CallExpression) => {
    if (node.callee.type !== 'Identifier' || node.callee.name !== 'RegExp') return;
    const [pattern, flags] = node.arguments;
    const given = flags === undefined ? '' : textOf(flags, texts);
    add(node, { pattern: given === null ? null : textOf(pattern, texts), flags: given ?? '' });
  };
  new Visitor({
    Literal(node) {
      if ('regex' in node) add(node, node.regex);
    },
    NewExpression: made,
    CallExpression: made,
  }).visit(program);
  return found;
}

type Texts = ReadonlyMap<string, string>;

/** The text constants of the file, in order. */
function textsOf(program: ESTree.Program): Texts {
  const texts = new Map<string, string>();
  for (const statement of program.body) {
    const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    if (declared?.type !== 'VariableDeclaration' || declared.kind !== 'const') continue;
    for (const { id, init } of declared.declarations) {
      const text = textOf(init ?? undefined, texts);
      if (id.type === 'Identifier' && text !== null) texts.set(id.name, text);
    }
  }
  return texts;
}

function textOf(node: ESTree.Node | undefined, texts: Texts): string | null {
  if (node?.type === 'Literal') return typeof node.value === 'string' ? node.value : null;
  if (node?.type === 'Identifier') return texts.get(node.name) ?? null;
  if (node?.type === 'TemplateLiteral') return filled(node, { texts, isRaw: false });
  if (node?.type === 'TaggedTemplateExpression' && isStringRaw(node.tag))
    return filled(node.quasi, { texts, isRaw: true });
  return null;
}

const isStringRaw = (tag: ESTree.Expression) =>
  tag.type === 'MemberExpression' && tag.object.type === 'Identifier' && tag.object.name === 'String';

function filled(
  { quasis, expressions }: ESTree.TemplateLiteral,
  { texts, isRaw }: { texts: Texts; isRaw: boolean },
): string | null {
  const values = expressions.map((expression) => textOf(expression, texts));
  if (values.includes(null)) return null;
  return quasis.map(({ value }, at) => `${isRaw ? value.raw : value.cooked}${values[at] ?? ''}`).join('');
}

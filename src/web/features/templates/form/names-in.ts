/** The variable names in a text: in placeholders, filter arguments and conditions. Quoted text is skipped. */
export function namesIn(text: string): string[] {
  const code = text.match(/\{\{(?:[^{}]|\{(?!\{)|\}(?!\}))*\}\}|\{%(?:[^{%]|\{(?!%)|%(?!\}))*%\}/g) ?? [];
  const assigned = new Set<string>();
  const names = code.flatMap((part) => {
    const bare = part.replaceAll(/"[^"]*"|'[^']*'/g, '');
    const tag = /^\{%-?\s*(\w+)/.exec(bare)?.[1];
    const own = /^\{%-?\s*(?:assign|capture|for)\s+([\w-]+)/.exec(bare)?.[1];
    if (own !== undefined) assigned.add(own);
    const inner = bare.replace(/^\{\{-?|^\{%-?\s*\w*|-?\}\}$|-?%\}$/g, '');
    if (tag === 'comment' || tag?.startsWith('end') === true) return [];
    return operandsOf(inner.replaceAll(/-(?=\s|$)/g, ''));
  });
  return [...new Set(names)].filter((name) => !assigned.has(name));
}

const words: ReadonlySet<string> = new Set(
  'and or not contains in true false nil null empty blank reversed limit offset forloop'.split(' '),
);

function operandsOf(code: string): string[] {
  // A filter's name follows a bar, and its arguments follow a colon.
  const withoutFilters = code.replaceAll(/\|\s*[\w-]+\s*:?/g, ' ').replaceAll(/(?<!\w)\w+:/g, ' ');
  const found = withoutFilters.match(/(?<![\w.-])[A-Za-z_][\w-]*(?:\.[\w-]+)*/g) ?? [];
  return found.map((name) => name.replace(/(?<!-)-+$/, '')).filter((name) => !words.has(name));
}

import type { AnswerKind } from '#web/api/open-api.ts';

export const languages = ['curl', 'TypeScript', 'Python'] as const;
export type Language = (typeof languages)[number];

export type CodeRequest = {
  /** The method in capitals. */
  method: string;
  /** The complete URL. */
  url: string;
  /** Whether it is sent with the key in `CUEBIRD_API_KEY`. */
  needsKey: boolean;
  /** The body; undefined for none. */
  body: unknown;
  answer: AnswerKind;
};

/** A request as a program that runs as it is: `CUEBIRD_API_KEY` of its environment is the key. */
export function requestCode(language: Language, request: CodeRequest): string {
  switch (language) {
    case 'curl':
      return curlOf(request);
    case 'TypeScript':
      return typeScriptOf(request);
    case 'Python':
      return pythonOf(request);
  }
}

function curlOf({ method, url, needsKey, body, answer }: CodeRequest): string {
  const command = [
    'curl',
    ...(answer === 'stream' ? ['--no-buffer'] : []),
    ...(method === 'GET' ? [] : ['--request', method]),
    quotedForShell(url),
  ].join(' ');
  return [
    command,
    ...(needsKey ? ['--header "Authorization: Bearer $CUEBIRD_API_KEY"'] : []),
    ...(body === undefined
      ? []
      : [`--header 'Content-Type: application/json'`, `--data ${quotedForShell(JSON.stringify(body, null, 2))}`]),
  ].join(' \\\n  ');
}

/** A text as one word of a POSIX shell. */
export const quotedForShell = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;

function typeScriptOf({ method, url, needsKey, body, answer }: CodeRequest): string {
  const headers = [
    ...(needsKey ? ['    authorization: `Bearer ${process.env.CUEBIRD_API_KEY}`,'] : []),
    ...(body === undefined ? [] : [`    'content-type': 'application/json',`]),
  ];
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(headers.length === 0 ? [] : ['  headers: {', ...headers, '  },']),
    ...(body === undefined ? [] : [`  body: JSON.stringify(${literal(body, typeScript, '  ')}),`]),
  ];
  const address = typeScript.text(url);
  const sent =
    options.length === 0
      ? `const response = await fetch(${address});`
      : [`const response = await fetch(${address}, {`, ...options, '});'].join('\n');
  return `${sent}\n${typeScriptAnswers[answer]}`;
}

const typeScriptAnswers: Record<AnswerKind, string> = {
  json: 'console.log(response.status, await response.json());',
  file: 'console.log(response.status, await response.text());',
  nothing: 'console.log(response.status);',
  stream: `const decoder = new TextDecoder();
for await (const chunk of response.body ?? []) console.log(decoder.decode(chunk));`,
};

function pythonOf({ method, url, needsKey, body, answer }: CodeRequest): string {
  const headers = [
    ...(needsKey ? [`        "Authorization": f"Bearer {os.environ['CUEBIRD_API_KEY']}",`] : []),
    ...(body === undefined ? [] : ['        "Content-Type": "application/json",']),
  ];
  const needsJson = body !== undefined || answer === 'json';
  const modules = [...(needsJson ? ['json'] : []), ...(needsKey ? ['os'] : []), 'urllib.request'];
  return [
    ...modules.map((name) => `import ${name}`),
    '',
    'request = urllib.request.Request(',
    `    ${python.text(url)},`,
    ...(method === 'GET' ? [] : [`    method="${method}",`]),
    ...(headers.length === 0 ? [] : ['    headers={', ...headers, '    },']),
    ...(body === undefined ? [] : [`    data=json.dumps(${literal(body, python, '    ')}).encode(),`]),
    ')',
    'with urllib.request.urlopen(request) as response:',
    pythonAnswers[answer],
  ].join('\n');
}

const pythonAnswers: Record<AnswerKind, string> = {
  json: '    print(response.status, json.load(response))',
  file: '    print(response.status, response.read().decode())',
  nothing: '    print(response.status)',
  stream: '    for line in response:\n        print(line.decode(), end="")',
};

type Syntax = {
  indent: string;
  text: (value: string) => string;
  key: (name: string) => string;
  /** How the language writes true, false and null. */
  words: Record<'true' | 'false' | 'null', string>;
};

const typeScript: Syntax = {
  indent: '  ',
  text: (value) =>
    `'${JSON.stringify(value).slice(1, -1).replaceAll(String.raw`\"`, '"').replaceAll("'", String.raw`\'`)}'`,
  key: (name) => (/^[A-Za-z_]\w*$/.test(name) ? name : typeScript.text(name)),
  words: { true: 'true', false: 'false', null: 'null' },
};

const python: Syntax = {
  indent: '    ',
  text: (value) => JSON.stringify(value),
  key: (name) => JSON.stringify(name),
  words: { true: 'True', false: 'False', null: 'None' },
};

/** A JSON value in the syntax of a language; `margin` is the indentation of the line that it begins in. */
function literal(value: unknown, syntax: Syntax, margin: string): string {
  if (typeof value === 'string') return syntax.text(value);
  if (typeof value === 'number') return String(value);
  if (typeof value === 'boolean') return syntax.words[value ? 'true' : 'false'];
  if (typeof value !== 'object' || value === null) return syntax.words.null;
  const inner = margin + syntax.indent;
  const isList = Array.isArray(value);
  const items = isList
    ? value.map((item: unknown) => literal(item, syntax, inner))
    : Object.entries(value).map(([name, item]) => `${syntax.key(name)}: ${literal(item, syntax, inner)}`);
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  return items.length === 0
    ? `${open}${close}`
    : [open, ...items.map((item) => `${inner}${item},`), `${margin}${close}`].join('\n');
}

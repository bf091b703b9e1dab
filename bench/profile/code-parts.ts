/** What a part of the thread's time is spent on, in the order of the table. */
export const codeParts = [
  'HTTP client',
  'mail client',
  'database driver',
  'writing and signing',
  'claiming',
  'slots, breakers and runs',
  'recording',
  'garbage collection',
  "Node.js's events and sockets",
  'machine code outside of JavaScript',
  'the rest',
] as const;

export type CodePart = (typeof codeParts)[number];

/** A stack frame: the file that it is in and its function; native functions have no file. */
export type Frame = { url: string; functionName: string };

/** The innermost frame that belongs to a part decides; what has no part of its own, like the domain, counts for its caller. */
const ofFiles: readonly [RegExp, CodePart][] = [
  [/\/node_modules\/undici\/|\/src\/platform\/outbound\//, 'HTTP client'],
  [/\/node_modules\/nodemailer\//, 'mail client'],
  [
    /\/node_modules\/(?:pg|pg-[a-z]+|postgres-[a-z]+)\/|\/src\/platform\/(?:gathered-writes|database)\.ts/,
    'database driver',
  ],
  [
    /\/src\/delivery\/|\/src\/rendering\/|\/src\/engine\/(?:\w+\/)?send\.ts|\/src\/domain\/(?:rendering|template|variables|message-format)/,
    'writing and signing',
  ],
  [
    /\/src\/engine\/(?:\w+\/)?recorder\.ts|\/src\/engine\/postgres\/(?:results|attempts)|\/src\/domain\/settle/,
    'recording',
  ],
  [
    /\/src\/engine\/claiming\/|\/src\/engine\/postgres\/(?:occurrences|lookups|decision|queue)|\/src\/engine\/run\/(?:prepared-job|misfire|work|routes|contacts|sending-hours|phone-numbers)/,
    'claiming',
  ],
  [/\/src\/engine\/(?:run|execution|limits)\//, 'slots, breakers and runs'],
];

/** @param stack from the innermost frame outwards. @returns null for time in which the thread waits */
export function partOf(stack: readonly Frame[]): CodePart | null {
  const [innermost] = stack;
  if (innermost?.functionName === '(idle)') return null;
  if (innermost?.functionName === '(garbage collector)') return 'garbage collection';
  if (innermost?.functionName === '(program)') return 'machine code outside of JavaScript';
  for (const { url } of stack) {
    const [, part] = ofFiles.find(([files]) => files.test(url)) ?? [];
    if (part !== undefined) return part;
  }
  return stack.some(({ url }) => url.startsWith('file:')) ? 'the rest' : "Node.js's events and sockets";
}

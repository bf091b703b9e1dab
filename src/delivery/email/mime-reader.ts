/** What is read of a mail or a form: it ends where one of these is used up. */
export type MimeBounds = {
  bytes: number;
  lines: number;
  /** Lines of all headers together: each may be a field of another name, which costs far more than a line of a body. */
  fieldLines: number;
  /** Parts at all depths together. */
  parts: number;
  /** How deeply parts may contain parts. */
  depth: number;
};

/** Header fields by their lower-case names, unfolded. Of several with one name, the first. */
type Fields = ReadonlyMap<string, string>;

export type MimeEntity = { fields: Fields; type: FieldValue; body: Buffer };

/** A header's value and its parameters (RFC 2045, section 5.1), both names in lower case. */
type FieldValue = { value: string; parameters: ReadonlyMap<string, string> };

/**
 * Reads a mail, or a form as `multipart/form-data`, in one pass over its lines for each depth: strangers choose the bytes, and the time grows with
 * their number alone. What is within a part has no more lines than the whole.
 * @returns the header and body of the whole, and all parts at any depth in their order, their bodies as they are encoded
 */
export function readMime(raw: Buffer, bounds: MimeBounds): MimeEntity & { parts: MimeEntity[] } {
  const left = { ...bounds };
  const whole = entityOf(raw.subarray(0, bounds.bytes), left);
  return { ...whole, parts: partsOf(whole, left) };
}

/** The first bytes of a body, decoded. */
export function contentOf({ fields, body }: MimeEntity): Buffer {
  const encoded = body.subarray(0, longestContent);
  const encoding = fields.get('content-transfer-encoding')?.toLowerCase();
  if (encoding === 'base64') return Buffer.from(encoded.toString('latin1'), 'base64');
  return encoding === 'quoted-printable' ? fromQuotedPrintable(encoded.toString('latin1')) : encoded;
}

/** Groups of fields with empty lines between them (RFC 3464, section 2.1). */
export function fieldGroupsIn(text: Buffer, most: number): Fields[] {
  const groups: Fields[] = [];
  let left = mostFieldLines;
  for (let at = 0; at < text.length && groups.length < most && left > 0; ) {
    const { fields, end, lines } = fieldsAt(text, { at, most: left });
    if (fields.size > 0) groups.push(fields);
    at = end;
    left -= lines;
  }
  return groups;
}

export function fieldValueOf(text: string): FieldValue {
  const [value = ''] = text.split(';', 1);
  const parameters = new Map<string, string>();
  for (const [, name = '', quoted, bare = ''] of text.slice(0, longestParameters).matchAll(parameter))
    if (!parameters.has(name.toLowerCase()))
      parameters.set(name.toLowerCase(), quoted?.replaceAll(/\\(.)/g, '$1') ?? bare);
  return { value: value.trim().toLowerCase(), parameters };
}

const parameter = /;\s*([\w*.-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*))/g;

const longestContent = 128 * 1024;
const longestField = 8 * 1024;
/** Far more than a boundary, a name and a charset need: a form of many parts may have as many fields of this length. */
const longestParameters = 1_024;
const mostFieldLines = 10_000;
/** RFC 2046, section 5.1.1. */
const longestBoundary = 70;

/** @param left how much of the bounds is left: `fieldLines` decreases */
function entityOf(bytes: Buffer, left: MimeBounds): MimeEntity {
  const { fields, end, lines } = fieldsAt(bytes, { at: 0, most: left.fieldLines });
  left.fieldLines -= lines;
  return { fields, type: fieldValueOf(fields.get('content-type') ?? ''), body: bytes.subarray(end) };
}

/** @param left how much of the bounds is left: `parts` decreases */
function partsOf({ type, body }: MimeEntity, left: MimeBounds, depth = left.depth): MimeEntity[] {
  const boundary = type.parameters.get('boundary') ?? '';
  if (depth === 0 || !type.value.startsWith('multipart/') || boundary === '' || boundary.length > longestBoundary)
    return [];
  return bodiesBetween(body, { delimiter: Buffer.from(`--${boundary}`), left }).flatMap((bytes) => {
    const part = entityOf(bytes, left);
    return [part, ...partsOf(part, left, depth - 1)];
  });
}

/** What is between the lines that delimit parts. The last part may lack its end. */
function bodiesBetween(body: Buffer, { delimiter, left }: { delimiter: Buffer; left: MimeBounds }): Buffer[] {
  const found: Buffer[] = [];
  let begun: number | null = null;
  let at = 0;
  for (let lines = 0; at < body.length && lines < left.lines; lines += 1) {
    const end = lineEnd(body, at);
    const delimits = delimiterIn(body, { at, end, delimiter });
    if (delimits !== 'nothing') {
      if (begun !== null) found.push(body.subarray(begun, withoutLineEnd(body, { from: begun, to: at })));
      left.parts -= 1;
      begun = end;
      if (delimits === 'all' || left.parts < 0) return found;
    }
    at = end;
  }
  if (begun !== null) found.push(body.subarray(begun, at));
  return found;
}

/** Whether a line ends a part, or all parts. */
function delimiterIn(
  body: Buffer,
  { at, end, delimiter }: { at: number; end: number; delimiter: Buffer },
): 'nothing' | 'part' | 'all' {
  const after = at + delimiter.length;
  if (body[at] !== dash || after > end || body.compare(delimiter, 0, delimiter.length, at, after) !== 0)
    return 'nothing';
  const isLast = body[after] === dash && body[after + 1] === dash;
  return isBlank(body, { at: isLast ? after + 2 : after, end }) ? (isLast ? 'all' : 'part') : 'nothing';
}

/** Reads fields up to an empty line, and skips that. */
function fieldsAt(
  bytes: Buffer,
  { at: from, most }: { at: number; most: number },
): { fields: Fields; end: number; lines: number } {
  const fields = new Map<string, string>();
  let name = '';
  let [at, lines] = [from, 0];
  while (at < bytes.length && lines < most) {
    lines += 1;
    const end = lineEnd(bytes, at);
    if (isBlank(bytes, { at, end })) return { fields, end, lines };
    const line = bytes.toString('utf8', at, Math.min(end, at + longestField)).trimEnd();
    const known = fields.get(name);
    if (isFolded(bytes, at)) {
      if (known !== undefined && known.length < longestField)
        fields.set(name, `${known} ${line.trimStart()}`.trimStart());
    } else {
      const colon = line.indexOf(':');
      const read = colon < 1 ? '' : line.slice(0, colon).trim().toLowerCase();
      // What follows a second field of the same name belongs to none.
      name = fields.has(read) ? '' : read;
      if (name !== '') fields.set(name, line.slice(colon + 1).trimStart());
    }
    at = end;
  }
  return { fields, end: at, lines };
}

const [tab, newline, carriageReturn, blank, dash] = [0x09, 0x0a, 0x0d, 0x20, 0x2d];

/** Where the next line begins. */
function lineEnd(bytes: Buffer, at: number): number {
  const end = bytes.indexOf(newline, at);
  return end === -1 ? bytes.length : end + 1;
}

const isFolded = (bytes: Buffer, at: number) => bytes[at] === blank || bytes[at] === tab;

function isBlank(bytes: Buffer, { at, end }: { at: number; end: number }): boolean {
  for (let index = at; index < end; index += 1) {
    const byte = bytes[index];
    if (byte !== blank && byte !== tab && byte !== carriageReturn && byte !== newline) return false;
  }
  return true;
}

/** The line end before a delimiter belongs to that (RFC 2046, section 5.1.1). */
function withoutLineEnd(bytes: Buffer, { from, to }: { from: number; to: number }): number {
  const end = to > from && bytes[to - 1] === newline ? to - 1 : to;
  return end > from && bytes[end - 1] === carriageReturn ? end - 1 : end;
}

const fromQuotedPrintable = (text: string): Buffer =>
  Buffer.from(
    text
      .replaceAll(/=[ \t]*\r?\n/g, '')
      .replaceAll(/=([0-9A-F]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
    'latin1',
  );
